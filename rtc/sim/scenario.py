"""A call described: everything that shapes it, checked once, as options or a YAML file give it."""

import enum
import re
import reprlib
from pathlib import Path
from typing import Annotated, Any, Self, get_args

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, ValidationError

from rtc.call.config import MAX_CANDIDATES, MAX_FIXED_TARGET_BPS, RateControl
from rtc.sim.text_files import read_text
from rtc.values.errors import LocalMisuse
from rtc.values.formats import Codec, FrameSize

MAX_WIDTH, MAX_HEIGHT = 3840, 2160
MIN_SIDE = 32
MAX_FILE_BYTES = 65_536
"""A scenario is some twenty lines."""
MAX_SHOWN = 60
"""Of a value that is wrong, so much is shown."""
_SIZE = re.compile(r"(\d{1,5})x(\d{1,5})")


class CodecChoice(enum.Enum):
    """Which codecs a side offers to send."""

    AUTO = "auto"
    """Both; the call starts with AV1."""
    AV1 = "av1"
    H264 = "h264"

    @property
    def codecs(self) -> frozenset[Codec]:
        """The codecs on offer."""
        return frozenset(Codec) if self is CodecChoice.AUTO else frozenset({Codec(self.value)})


class CodecTime(enum.Enum):
    """How long codecs are said to take."""

    MODEL = "model"
    """By the committed cost table: repeatable on every machine."""
    MEASURED = "measured"
    """As they take on this machine: not repeatable."""


def parse_size(text: object) -> FrameSize:
    """`640x360` as a size; ValueError, which pydantic turns into its own error, for anything else."""
    if isinstance(text, FrameSize):
        return text
    found = _SIZE.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise ValueError(f"{_shortened(reprlib.repr(text))} is not a size; write it as WIDTHxHEIGHT, such as 640x360")
    width, height = int(found[1]), int(found[2])
    if not (MIN_SIDE <= width <= MAX_WIDTH and MIN_SIDE <= height <= MAX_HEIGHT):
        raise ValueError(f"{text} is out of range; from {MIN_SIDE}x{MIN_SIDE} to {MAX_WIDTH}x{MAX_HEIGHT}")
    if width % 2 or height % 2:
        raise ValueError(f"{text} has an odd side; both must be even, because colour is kept at half resolution")
    return FrameSize(width, height)


Size = Annotated[FrameSize, BeforeValidator(parse_size), PlainSerializer(str)]


class Scenario(BaseModel):
    """One call. Every field has the default that bare `rtc call` uses, and the name of its option."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True, allow_inf_nan=False)

    clip: str = "talking_head"
    """Clip or file that side A sends."""
    peer_clip: str | None = None
    """What side B sends; by default the same clip from another seed."""
    size: Size = FrameSize(640, 360)
    fps: int = Field(30, ge=1, le=120)
    duration: float = Field(20.0, ge=0.1, le=3600)
    codec: CodecChoice = CodecChoice.AUTO
    network: str = "wifi"
    """A preset's name or a capacity file."""
    loss: str | None = None
    """A fraction, `bursty:FRACTION:MEAN_BURST`, or a file of 0 and 1; None leaves the network's own."""
    rtt_ms: float | None = Field(None, ge=0, le=10_000)
    capacity_kbps: int | None = Field(None, ge=1, le=1_000_000)
    delay_trace: str | None = None
    target_kbps: int | None = Field(None, ge=1, le=MAX_FIXED_TARGET_BPS // 1_000)
    """Fixed encoder target; None follows the known capacity."""
    one_way: bool = False
    nack: bool = True
    rate_control: RateControl = RateControl.OURS
    candidates: int = Field(1, ge=1, le=MAX_CANDIDATES)
    """Encodes of each picture to choose from, in AV1."""
    codec_time: CodecTime = CodecTime.MODEL
    seed: int = Field(1, ge=0, le=2**63 - 1)
    quality: bool = True
    video: bool = True
    report: bool = True

    @classmethod
    def of(cls, fields: dict[str, Any]) -> Self:
        """A scenario from fields by name; LocalMisuse, one line, for the first that is wrong."""
        for name, value in fields.items():
            if isinstance(value, bool) and name in cls.model_fields and cls.model_fields[name].annotation is not bool:
                raise LocalMisuse(f"--{_option_name(name)}: {value} is a yes or no; it needs a value")
        try:
            scenario = cls(**fields)
        except ValidationError as error:
            raise LocalMisuse(_one_line(error)) from None
        if scenario.one_way and scenario.peer_clip is not None:
            raise LocalMisuse("--peer-clip: B sends nothing in a one-way call; leave it out, or --one-way")
        if scenario.candidates > 1 and scenario.rate_control is RateControl.NATIVE:
            raise LocalMisuse("--candidates: native rate control encodes each picture once; leave it out, or use ours")
        return scenario

    @classmethod
    def read(cls, path: Path) -> dict[str, Any]:
        """The fields that a YAML file sets; LocalMisuse, one line, when it is no scenario."""
        text = read_text(path, most_bytes=MAX_FILE_BYTES, what="a scenario")
        try:
            document = yaml.safe_load(text)
        except (yaml.YAMLError, ValueError, RecursionError):
            raise LocalMisuse(f"scenario {path}: is not YAML") from None
        fields = document.get("scenario", document) if isinstance(document, dict) else None
        if not isinstance(fields, dict) or not all(isinstance(name, str) for name in fields):
            raise LocalMisuse(f"scenario {path}: must be a mapping of options, such as `clip: talking_head`")
        return dict(fields)

    def document(self) -> dict[str, Any]:
        """The scenario as plain values, for files; reading them back gives the same scenario."""
        return self.model_dump(mode="json")


def _one_line(error: ValidationError) -> str:
    first = error.errors()[0]
    name = _option_name(".".join(str(part) for part in first["loc"]) or "scenario")
    message = str(first["msg"]).removeprefix("Value error, ")
    if first["type"] == "extra_forbidden":
        known = ", ".join(sorted(map(_option_name, Scenario.model_fields)))
        return f"option {_shortened(name)} is not known; there are {known}"
    if first["type"] != "value_error":
        given = _shortened(reprlib.repr(first["input"]))
        permitted = _permitted_numbers(str(first["loc"][0])) if first["loc"] else None
        message = f"{message} (got {given})" if permitted is None else f"{given} is refused; it must be {permitted}"
    return f"--{name}: {message}".replace("\n", " ")


def _permitted_numbers(field: str) -> str | None:
    """What a field of numbers takes, in words; None for any other."""
    described = Scenario.model_fields.get(field)
    limits = {} if described is None else {type(limit).__name__: limit for limit in described.metadata}
    if described is None or not {"Ge", "Le"} <= limits.keys():
        return None
    whole = int in {described.annotation, *get_args(described.annotation)}
    return f"a {'whole number in digits' if whole else 'number'}, from {limits['Ge'].ge} to {limits['Le'].le}"


def _option_name(field: str) -> str:
    return field.replace("_", "-")


def _shortened(text: str) -> str:
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 3]}..."
