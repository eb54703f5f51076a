"""Text files that users name, read once at the edge: regular files of bounded size, or one line that says why not."""

from pathlib import Path

from rtc.values.errors import LocalMisuse

BYTES_PER_MIB = 1024 * 1024


def read_text(path: Path, *, most_bytes: int, what: str) -> str:
    """The file's text; LocalMisuse for a folder, a device, a file too large, or one that is not UTF-8 text.

    Asking for a regular file first keeps a pipe from blocking and a device from having no end.
    """
    try:
        if path.is_dir():
            raise LocalMisuse(f"{path}: is a folder; need a file")
        if path.exists() and not path.is_file():
            raise LocalMisuse(f"{path}: is not a regular file; need {what} in a file")
        if path.stat().st_size > most_bytes:
            raise LocalMisuse(f"{path}: larger than {most_bytes / BYTES_PER_MIB:g} MiB; need {what}")
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise LocalMisuse(f"{path}: holds binary data; need a text file") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a usable path"
        raise LocalMisuse(f"{_shortened(path)}: cannot be read ({reason.lower()})") from None


def _shortened(path: Path) -> str:
    text = str(path)
    return text if len(text) <= 200 else f"{text[:197]}..."  # noqa: PLR2004 - a line a person can read
