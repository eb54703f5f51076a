"""Two real endpoints joined by scripted links and fake codecs, in virtual time."""

import heapq

from rtc.call.config import EndpointConfig, RateControl, StreamIdentity
from rtc.call.endpoint import CallEndpoint
from rtc.call.outputs import CommitEncode, DecodeFrame, EncodeFrame, Output, SendDatagram, ShowFrame
from rtc.values.encoding import DecodeResult, EncodedAs, EncodeResult
from rtc.values.formats import Codec, FrameSize
from rtc.values.frames import CapturedFrame, EncodedFrame, FrameType
from tests.support.fake_codec import encoded_bytes
from tests.support.scripted_link import Fate, Sent, on_time

SIZE = FrameSize(320, 180)
FPS = 30
FRAME_US = 33_333
ONE_WAY_US = 20_000
KEY_BYTES, DELTA_BYTES = 4_000, 1_500
"""Four packets and two."""
A = StreamIdentity(media_ssrc=0xA, retransmission_ssrc=0xAA, first_sequence=1_000)
B = StreamIdentity(media_ssrc=0xB, retransmission_ssrc=0xBB, first_sequence=32_767)


def config_of(local: StreamIdentity, remote: StreamIdentity, codec: Codec = Codec.AV1, **changed) -> EndpointConfig:
    # Fake codecs make frames of a fixed size whatever they are told, which is no subject for a rate controller.
    given = {"may_send": (codec,), "may_receive": (codec,), "rate_control": RateControl.NATIVE} | changed
    return EndpointConfig(local=local, remote=remote, size=SIZE, frames_per_second=FPS, **given)


class ListTrace:
    """Keeps every event with its time."""

    def __init__(self):
        self.events = []

    def record(self, now_us, event):
        self.events.append((now_us, event))

    def of(self, kind):
        """The events of a kind, in order."""
        return [event for _, event in self.events if isinstance(event, kind)]


class Side:
    """One endpoint with its camera, its fake codecs, and the link that leads away from it.

    Checks at every step what must hold in every call: outputs polled to None before the next handle, no timer that its
    time does not clear, no frame decoded before what it refers to, no frame changed on its way, no datagram too large.
    """

    def __init__(self, pair, config):
        self.pair = pair
        self.config = config
        self.trace = ListTrace()
        self.endpoint = CallEndpoint(config, self.trace)
        self.peer = None
        self.fate: Fate = on_time
        self.forge = None
        """A callable from `Sent` to the bytes that arrive in place of it, where the test tampers with datagrams."""
        self.encode_time_us = 5_000
        self.decode_time_us = 1_000
        self.frame_bytes = lambda order: KEY_BYTES if order.settings.encode_as is EncodedAs.KEY else DELTA_BYTES
        self.skips = lambda _order: False
        self.refuses = lambda _frame: False
        self.captures_until_us = 1 << 62 if config.may_send else -1
        self.sent: list[Sent] = []
        self.encode_orders: list[EncodeFrame] = []
        self.payloads: dict[int, bytes] = {}
        """Frames sent by this side, by frame id, as they were encoded."""
        self.decode_orders: list[EncodedFrame] = []
        self.refused: set[int] = set()
        """Frames the decoder had refused, as the endpoint was told."""
        self.shown: list[tuple[int, int]] = []
        self.timeouts = 0
        self._captured = 0
        self._encodes: dict[int, bytes] = {}
        self._decodable_from: set[int] = set()

    @property
    def shown_ids(self):
        return [frame_id for _, frame_id in self.shown]

    def sent_of(self, kind):
        return [sent for sent in self.sent if sent.kind is kind]

    def capture(self, now_us):
        if now_us >= self.captures_until_us:
            return
        frame = CapturedFrame(capture_index=self._captured, captured_at_us=now_us, size=SIZE)
        self._captured += 1
        self.pair.at(now_us + FRAME_US, self.capture)
        self.endpoint.handle_captured_frame(frame, now_us)
        self.drain(now_us)

    def receive(self, data, now_us):
        self.endpoint.handle_datagram(data, now_us)
        self.drain(now_us)

    def expire(self, now_us):
        self.timeouts += 1
        self.endpoint.handle_timeout(now_us)
        self.drain(now_us)
        next_us = self.endpoint.next_timeout_us()
        assert next_us is None or next_us > now_us, "a timer that its time does not clear is a busy loop"

    def drain(self, now_us):
        while (output := self.endpoint.poll_output()) is not None:
            self._act(output, now_us)

    def _act(self, output: Output, now_us):
        match output:
            case SendDatagram():
                self._send(output, now_us)
            case EncodeFrame():
                self._encode(output, now_us)
            case CommitEncode():
                assert output.frame_id == len(self.payloads), "frames are sent in order, each once"
                self.payloads[output.frame_id] = self._encodes[output.attempt]
                self._encodes.clear()
            case DecodeFrame():
                self._decode(output.frame, now_us)
            case ShowFrame():
                assert not self.shown or output.frame_id > self.shown[-1][1], "frames are shown in order, each once"
                assert output.frame_id not in self.refused, "nothing to show of a refused frame"
                self.shown.append((now_us, output.frame_id))

    def _send(self, datagram, now_us):
        assert len(datagram.data) <= 1200
        sent = Sent(index=len(self.sent), at_us=now_us, datagram=datagram)
        self.sent.append(sent)
        data = datagram.data if self.forge is None else self.forge(sent)
        for later_us in self.fate(sent):
            self.pair.at(now_us + ONE_WAY_US + later_us, lambda at_us: self.peer.receive(data, at_us))

    def _encode(self, order, now_us):
        self.encode_orders.append(order)
        is_key = order.settings.encode_as is EncodedAs.KEY
        payload = b""
        if not self.skips(order):
            seed = order.capture_index + 1_000_000 * order.attempt
            payload = encoded_bytes(order.codec, is_key=is_key, size=self.frame_bytes(order), seed=seed)
            self._encodes[order.attempt] = payload
        result = EncodeResult(
            frame_id=order.frame_id,
            codec=order.codec,
            settings=order.settings,
            payload=payload,
            is_key=is_key,
            quantizer=30,
            encode_time_us=self.encode_time_us,
            attempt=order.attempt,
        )
        self.pair.at(now_us + self.encode_time_us, lambda at_us: self._give_encoded(result, at_us))

    def _give_encoded(self, result, now_us):
        self.endpoint.handle_encode_result(result, now_us)
        self.drain(now_us)

    def _decode(self, frame, now_us):
        metadata = frame.metadata
        assert self._decodable_from.issuperset(metadata.references), "a frame was decoded before its references"
        assert not self.decode_orders or metadata.frame_id > self.decode_orders[-1].metadata.frame_id
        intact = self.peer.forge is not None or frame.payload == self.peer.payloads[metadata.frame_id]
        assert intact, f"frame {metadata.frame_id} changed on its way"
        if metadata.frame_type is FrameType.KEY:
            self._decodable_from.clear()
        self._decodable_from.add(metadata.frame_id)
        self.decode_orders.append(frame)
        size = None if self.refuses(frame) else SIZE
        result = DecodeResult(frame_id=metadata.frame_id, size=size, decode_time_us=self.decode_time_us)
        self.pair.at(now_us + self.decode_time_us, lambda at_us: self._give_decoded(result, at_us))

    def _give_decoded(self, result, now_us):
        if result.size is None:
            self.refused.add(result.frame_id)
            self._decodable_from.discard(result.frame_id)
        self.endpoint.handle_decode_result(result, now_us)
        self.drain(now_us)


class CallPair:
    """A call between `a` and `b`: `run` it for a while, then look at what each side did and traced."""

    def __init__(self, a: EndpointConfig | None = None, b: EndpointConfig | None = None):
        self._events = []
        self._order = 0
        self.now_us = 0
        self.a = Side(self, a or config_of(A, B))
        self.b = Side(self, b or config_of(B, A))
        self.a.peer, self.b.peer = self.b, self.a
        self.at(0, self.a.capture)
        self.at(FRAME_US // 2, self.b.capture)

    @property
    def sides(self):
        return (self.a, self.b)

    def at(self, at_us, act):
        """Have `act(now_us)` called then."""
        heapq.heappush(self._events, (at_us, self._order, act))
        self._order += 1

    def run(self, until_us):
        """Run on to this time, each step at the earliest deadline there is."""
        while (now_us := self._next_us()) < until_us:
            assert now_us >= self.now_us, "time does not go back"
            self.now_us = now_us
            while self._events and self._events[0][0] <= now_us:
                heapq.heappop(self._events)[2](now_us)
            for side in self.sides:
                due_us = side.endpoint.next_timeout_us()
                if due_us is not None and due_us <= now_us:
                    side.expire(now_us)
        self.now_us = until_us

    def _next_us(self):
        timeouts = [side.endpoint.next_timeout_us() for side in self.sides]
        return max(
            self.now_us,
            min(
                [at_us for at_us in timeouts if at_us is not None] + [at_us for at_us, _, _ in self._events[:1]],
                default=1 << 62,
            ),
        )


def pair_of(codec: Codec = Codec.AV1, *, nack: bool = True) -> CallPair:
    return CallPair(config_of(A, B, codec, nack=nack), config_of(B, A, codec, nack=nack))


def one_way_pair(codec: Codec = Codec.AV1, *, nack: bool = True) -> CallPair:
    """Only `a` sends video."""
    return CallPair(config_of(A, B, codec, nack=nack, may_receive=()), config_of(B, A, codec, nack=nack, may_send=()))
