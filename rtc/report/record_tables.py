"""The records of a call as Parquet columns: the same call gives the same bytes with the same pyarrow."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rtc.metrics.direction_records import DirectionRecords

if TYPE_CHECKING:
    import enum

SCORE_DIGITS = 6
"""Digits after the point that quality scores keep."""
_ROWS_A_GROUP = 1 << 17


@dataclass(frozen=True, slots=True)
class Column:
    """A column's name, its Arrow type by name, and how a record yields its value."""

    name: str
    type_name: str
    value: Callable[[Any], Any]


def _plain(name: str, type_name: str = "int64") -> Column:
    return Column(name, type_name, lambda record: getattr(record, name))


def _named(name: str) -> Column:
    return Column(name, "string", lambda record: _enum_value(getattr(record, name)))


def _score(name: str) -> Column:
    return Column(name, "float64", lambda record: _rounded(getattr(record, name)))


def _side(name: str, side: str) -> Column:
    return Column(name, "int64", lambda record: getattr(record.coded_size, side, None))


def _enum_value(member: "enum.Enum | None") -> str | None:
    return None if member is None else member.value


def _rounded(score: float | None) -> float | None:
    return None if score is None else round(score, SCORE_DIGITS)


FRAME_COLUMNS = (
    _plain("capture_index"),
    _plain("captured_at_us"),
    _named("drop_reason"),
    _plain("frame_id"),
    _named("codec"),
    _named("frame_type"),
    _plain("temporal_layer"),
    _plain("is_long_term_reference", "bool_"),
    _side("coded_width", "width"),
    _side("coded_height", "height"),
    _plain("quantizer"),
    _plain("speed"),
    _plain("target_bps"),
    _plain("encoded_bytes"),
    _plain("encode_time_us"),
    _plain("encodes"),
    _plain("encoded_at_us"),
    _plain("packets"),
    _plain("assembled_at_us"),
    _plain("decode_time_us"),
    _plain("decoded_at_us"),
    _plain("displayed_at_us"),
    _plain("drifted", "bool_"),
    _score("psnr_y_db"),
    _score("ssim"),
    _score("psnr_with_freeze_db"),
)
PACKET_COLUMNS = (
    _plain("packet_index"),
    _plain("sent_at_us"),
    _named("kind"),
    _plain("size_bytes"),
    _plain("frame_id"),
    _plain("unwrapped_sequence"),
    _plain("delivered_at_us"),
    _plain("queue_delay_us"),
    _plain("loss_reason", "string"),
)


def write_frames(path: Path, directions: Mapping[str, DirectionRecords]) -> None:
    """A row a captured frame, with its direction first and the VBV delay after it last."""
    delays = [delay for one in directions.values() for delay in one.vbv_delays_us]
    records = {name: one.frames for name, one in directions.items()}
    _write(path, FRAME_COLUMNS, records, {"vbv_delay_us": delays})


def write_packets(path: Path, directions: Mapping[str, DirectionRecords]) -> None:
    """A row a datagram, with its direction first."""
    _write(path, PACKET_COLUMNS, {name: one.packets for name, one in directions.items()}, {})


def _write(
    path: Path,
    columns: tuple[Column, ...],
    records: Mapping[str, Any],
    integers: Mapping[str, list[int | None]],
) -> None:
    import pyarrow as pa  # noqa: PLC0415 - slow to import, and only a call that writes its folder needs it
    import pyarrow.parquet as pq  # noqa: PLC0415 - likewise

    rows = [record for of_direction in records.values() for record in of_direction]
    names = [name for name, of_direction in records.items() for _ in of_direction]
    arrays: dict[str, Any] = {"direction": pa.array(names, pa.string())}
    for column in columns:
        arrays[column.name] = pa.array([column.value(row) for row in rows], getattr(pa, column.type_name)())
    arrays |= {name: pa.array(values, pa.int64()) for name, values in integers.items()}
    # Everything that shapes the bytes is said here, so that a changed default cannot change them.
    pq.write_table(
        pa.table(arrays),
        path,
        version="2.6",
        data_page_version="1.0",
        compression="zstd",
        compression_level=3,
        row_group_size=_ROWS_A_GROUP,
        use_dictionary=True,
        write_statistics=True,
    )
