"""What the sender makes of pictures that our rate control leaves out."""

from rtc.values.encoding import EncodedAs
from rtc.values.trace_events import DecisionKind, DecisionMade, DropReason, FrameDropped, FrameEncoded
from tests.rtc.call.lone_sender import Sender, scripted


def test_pictures_left_out_on_purpose_are_told_one_by_one_and_each_run_of_them_is_one_decision(monkeypatch):
    scripted(monkeypatch, lambda n: 0 if n in {1, 2, 3, 5} else 1)
    sender = Sender(fixed_target_bps=60_000)
    for _ in range(7):
        sender.encode()

    dropped = sender.trace.of(FrameDropped)
    assert dropped == [FrameDropped(capture_index=n, reason=DropReason.RATE_CONTROL) for n in (1, 2, 3, 5)]
    decisions = sender.trace.of(DecisionMade)
    assert [decision.kind for decision in decisions] == [DecisionKind.FRAME_DROP] * 2
    assert "60 kbps" in decisions[0].reason
    assert [commit.frame_id for commit in sender.commits] == [0, 1, 2]
    assert sender.trace.of(FrameEncoded)[2].references == (1,)


def test_a_key_frame_that_is_left_out_is_still_owed(monkeypatch):
    scripted(monkeypatch, lambda n: 1 if n else 0)
    sender = Sender()

    assert sender.encode() == []
    (order,) = sender.encode()
    assert order.settings.encode_as is EncodedAs.KEY


def test_a_picture_left_out_behind_a_slow_encoder_frees_it_for_the_next(monkeypatch):
    scripted(monkeypatch, lambda n: 0 if n == 1 else 1)
    sender = Sender()
    (order,) = sender.capture(0)
    sender.capture(2_000)

    assert sender.answer(order) == []
    assert len(sender.capture(70_000)) == 1


def test_what_changed_in_pictures_that_were_not_sent_counts_until_one_is(monkeypatch):
    rate = scripted(monkeypatch, lambda n: 0 if n in {1, 4} else 1)
    sender = Sender()
    sender.encode()
    assert sender.capture(difference=1) == []  # left out by rate control
    (order,) = sender.capture(difference=10)
    sender.capture(difference=100)
    sender.capture(difference=200)  # the one before it made way, for the encoder is busy
    (order,) = sender.answer(order, payload=b"")  # skipped by the codec
    sender.answer(order, payload=b"")
    sender.capture(difference=3)  # left out by rate control
    (order,) = sender.capture(difference=4)
    sender.answer(order)
    sender.capture(difference=5)

    assert [change.difference for change in rate.changes] == [0, 1, 11, 311, 314, 318, 5]
    assert [change.resting_permille for change in rate.changes] == [1000, 999, 990, 800, 800, 800, 995]
