from ratecontrol.new_content import NewContentDetector
from rtc.values.frames import PictureChange


def change(levels, resting_permille=900):
    return PictureChange(difference=levels * 256, resting_permille=resting_permille)


def test_steady_motion_is_never_new_however_strong():
    detector = NewContentDetector()
    assert [detector.permille(change(levels=40, resting_permille=100)) for _ in range(20)] == [0] * 20


def test_a_cut_is_new_as_far_as_nothing_rests_and_what_follows_it_is_not():
    detector = NewContentDetector()
    for _ in range(10):
        detector.permille(change(levels=3))
    assert detector.permille(change(levels=60, resting_permille=50)) == 950
    assert detector.permille(change(levels=3)) == 0


def test_noise_over_a_picture_at_rest_is_not_new():
    detector = NewContentDetector()
    for _ in range(10):
        detector.permille(PictureChange())
    assert detector.permille(change(levels=2)) == 0


def test_what_goes_on_being_new_is_motion_and_rest_after_it_is_soon_usual_again():
    detector = NewContentDetector()
    noise = [detector.permille(change(levels=85, resting_permille=20)) for _ in range(20)]
    assert noise == [980] * 8 + [0] * 12
    for _ in range(60):
        detector.permille(change(levels=1))
    assert detector.permille(change(levels=85, resting_permille=20)) == 980
