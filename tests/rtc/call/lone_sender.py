"""An endpoint that only sends, under a rate control that does as the test says."""

from rtc.call.config import RateControl
from rtc.call.endpoint import CallEndpoint
from rtc.call.outputs import CommitEncode, EncodeFrame
from rtc.values.encoding import EncodedAs, EncodeResult
from rtc.values.formats import Codec
from rtc.values.frames import CapturedFrame, PictureChange
from tests.support.call_pair import FRAME_US, SIZE, A, B, ListTrace, config_of
from tests.support.fake_codec import encoded_bytes
from tests.support.scripted_rate import ScriptedRate, put_in


class Sender:
    """An endpoint that only sends; every picture's encode takes 5 ms and its bytes are as many as the test says."""

    def __init__(self, codec=Codec.AV1, **changed):
        self.trace = ListTrace()
        given = {"may_receive": (), "rate_control": RateControl.OURS} | changed
        self.endpoint = CallEndpoint(config_of(A, B, codec, **given), self.trace)
        self.commits = []
        self.captured = 0

    def capture(self, now_us=None, *, difference=0):
        """The orders that a new picture leads to."""
        at_us = self.captured * FRAME_US if now_us is None else now_us
        change = PictureChange(difference=difference, resting_permille=1000 - difference)
        frame = CapturedFrame(capture_index=self.captured, captured_at_us=at_us, size=SIZE, change=change)
        self.captured += 1
        self.endpoint.handle_captured_frame(frame, at_us)
        return self._drained()

    def answer(self, order, *, size=300, **changed):
        """The orders that follow from an answer to this one."""
        is_key = changed.get("is_key", order.settings.encode_as is EncodedAs.KEY)
        fields = {"payload": encoded_bytes(order.codec, is_key=is_key, size=size, seed=order.attempt)} | changed
        self.endpoint.handle_encode_result(result_of(order, **fields), order.capture_index * FRAME_US + 5_000)
        return self._drained()

    def encode(self, **answered):
        """Capture a picture and answer until no further encode of it is ordered; all orders."""
        orders = ordered = self.capture()
        while ordered:
            ordered = self.answer(ordered[0], **answered)
            orders += ordered
        return orders

    def _drained(self):
        outputs = []
        while (output := self.endpoint.poll_output()) is not None:
            outputs.append(output)
        self.commits += [output for output in outputs if isinstance(output, CommitEncode)]
        return [output for output in outputs if isinstance(output, EncodeFrame)]


def result_of(order, **changed):
    fields = {
        "frame_id": order.frame_id,
        "codec": order.codec,
        "settings": order.settings,
        "is_key": order.settings.encode_as is EncodedAs.KEY,
        "quantizer": order.settings.rate.quantizer,
        "encode_time_us": 5_000,
        "attempt": order.attempt,
    }
    return EncodeResult(**fields | changed)


def scripted(monkeypatch, encodes):
    return put_in(monkeypatch, ScriptedRate(encodes))
