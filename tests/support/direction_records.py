"""Records of calls that never were, for tests of figures, tables and pictures."""

from rtc.metrics.direction_records import DirectionRecords
from rtc.metrics.rate_timeline import RateStep
from rtc.metrics.records import Decision, FrameRecord, PacketRecord
from rtc.metrics.repair import RepairCounters
from rtc.values.formats import Codec, FrameSize
from rtc.values.frames import FrameType
from rtc.values.randomness import RandomStream
from rtc.values.trace_events import DecisionKind, PacketKind


def encoded_frame(index: int, at_us: int, size_bytes: int, **fields) -> FrameRecord:
    """A delta frame (a key frame when it is the first) at 100 kbps, encoded in 2 ms and not yet displayed."""
    given = {
        "capture_index": index,
        "captured_at_us": at_us,
        "frame_id": index,
        "codec": Codec.AV1,
        "frame_type": FrameType.DELTA if index else FrameType.KEY,
        "coded_size": FrameSize(640, 360),
        "quantizer": 30,
        "speed": 10,
        "target_bps": 100_000,
        "encoded_bytes": size_bytes,
        "encode_time_us": 2_000,
        "encoded_at_us": at_us + 2_000,
    }
    return FrameRecord(**(given | fields))


def media_packet(index: int, at_us: int, size_bytes: int = 1_000, **fields) -> PacketRecord:
    """A media packet, sent and not yet anything else."""
    given = {"packet_index": index, "sent_at_us": at_us, "kind": PacketKind.MEDIA, "size_bytes": size_bytes}
    return PacketRecord(**(given | fields))


def made_up_direction(*, seconds: int = 20, target_bps: int = 300_000, seed: int = 1) -> DirectionRecords:
    """A plausible call at 30 fps: noise in the sizes, a dip of the link in the middle, losses and one freeze."""
    stream = RandomStream.of_seed(seed)
    frames, packets = [], []
    dip = range(seconds * 400_000, seconds * 550_000)
    frozen = range(seconds * 500_000, seconds * 500_000 + 700_000)
    for index in range(seconds * 30):
        at_us = index * 1_000_000 // 30
        target = target_bps // 3 if at_us in dip else target_bps
        mean = target // 240 * (3 if index == 0 else 1)
        frame = encoded_frame(index, at_us, max(60, round(mean * stream.uniform(0.6, 1.4))), target_bps=target)
        queue_us = stream.randrange(0, 20_000) + (60_000 if at_us in dip else 0)
        lost = stream.random() < 0.02
        delivered_us = None if lost else at_us + 30_000 + queue_us
        packets.append(
            media_packet(
                index,
                at_us + 2_000,
                frame.encoded_bytes + 60,
                frame_id=index,
                delivered_at_us=delivered_us,
                queue_delay_us=None if lost else queue_us,
                loss_reason="random" if lost else None,
            )
        )
        if not lost and at_us not in frozen:
            frame.assembled_at_us = delivered_us
            frame.decode_time_us = 600
            frame.displayed_at_us = at_us + 110_000 + queue_us // 4
            frame.drifted = False
            frame.psnr_y_db = 38 + stream.uniform(-1, 1)
            frame.ssim = 0.96 + stream.uniform(-0.01, 0.01)
        frame.psnr_with_freeze_db = frame.psnr_y_db or 31.0
        frames.append(frame)
    return DirectionRecords(
        frames=frames,
        packets=packets,
        decisions=[
            Decision(at_us=dip.start, kind=DecisionKind.RECOVERY, reason="the picture <froze> & 3 frames were lost"),
            Decision(at_us=dip.stop, kind=DecisionKind.SPEED, reason="encode time p95 2.0 ms of a budget of 33 ms"),
        ],
        counters=RepairCounters(nack_count=14, pli_count=1),
        duration_us=seconds * 1_000_000,
        ended_at_us=seconds * 1_000_000 + 130_000,
        capacity=[
            RateStep(at_us=0, bps=target_bps * 3 // 2),
            RateStep(at_us=dip.start, bps=target_bps * 45 // 100),
            RateStep(at_us=dip.stop, bps=target_bps * 3 // 2),
        ],
    )
