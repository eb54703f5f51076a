from ratecontrol.vbv import LeakyBucket


def test_an_empty_bucket_has_no_delay_at_any_rate():
    assert LeakyBucket().delay_us(0) == 0
    assert LeakyBucket().delay_us(100_000) == 0


def test_what_is_in_it_has_no_delay_that_can_be_told_at_a_rate_of_zero():
    bucket = LeakyBucket()
    bucket.pour(1)
    assert bucket.delay_us(0) is None


def test_it_drains_no_further_than_to_empty():
    bucket = LeakyBucket()
    bucket.pour(1)
    bucket.drain(3_000_000)
    bucket.pour(2)
    assert bucket.bits == 2
