"""Movies: frames of pixels become an .mp4 (H.264) or a .webm (VP9) through ffmpeg."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType

REMEDY = "install it by `pip install imageio-ffmpeg`, or Debian's by `apt-get install ffmpeg`"

#: Of ffmpeg, by the file's suffix: the encoder, and a quality at which gas and thin lines stay clean.
FORMATS = {
    ".mp4": ("-c:v", "libx264", "-crf", "18", "-preset", "medium", "-movflags", "+faststart", "-f", "mp4"),
    ".webm": (
        "-c:v",
        "libvpx-vp9",
        "-crf",
        "24",
        "-b:v",
        "0",
        "-row-mt",
        "1",
        "-cpu-used",
        "4",
        "-f",
        "webm",
    ),
}
#: Colours by the rules for high definition, said in the file, so that all players show the same ones.
COLOURS = ("-vf", "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p")
COLOUR_TAGS = (
    "-colorspace",
    "bt709",
    "-color_primaries",
    "bt709",
    "-color_trc",
    "bt709",
    "-color_range",
    "tv",
)


def check_name(path: Path) -> None:
    """ValueError unless the file's name ends in .mp4 or .webm."""
    if path.suffix not in FORMATS:
        raise ValueError(f"{path}: a movie is an .mp4 (H.264) or a .webm (VP9): let its name end so")


def encoder() -> str:
    """The path of an ffmpeg: that of the package imageio-ffmpeg, else the system's.

    Raises:
        FileNotFoundError: there is none; says how to get one.
    """
    try:
        import imageio_ffmpeg

        return str(imageio_ffmpeg.get_ffmpeg_exe())
    except (ImportError, RuntimeError):  # not installed, or without a program for this machine
        found = shutil.which("ffmpeg")
    if found is None:
        raise FileNotFoundError(f"a movie needs the encoder ffmpeg, which is not here: {REMEDY}")
    return found


class Movie:
    """A movie that is written frame by frame; as a context it appears under its name when it is complete.

    Args:
        path: of the file, .mp4 or .webm; its folder is made.
        size: width and height in pixels, both even.
        rate: frames a second.
        about: metadata of the file, such as its title and a comment.

    Raises:
        ValueError: another suffix, or odd numbers of pixels.
        FileNotFoundError: there is no encoder.
        OSError: the file cannot be written, or the encoder failed; with its last words.
    """

    def __init__(self, path: Path, size: tuple[int, int], rate: float, about: dict[str, str]) -> None:
        check_name(path)
        if any(n % 2 for n in size):
            raise ValueError(f"{path}: frames of {size[0]} x {size[1]} pixels: movies need even numbers")
        self.path, self.frames = path, 0
        self._bytes = 4 * size[0] * size[1]
        program = encoder()
        path.parent.mkdir(parents=True, exist_ok=True)
        self._part = path.with_name(path.name + ".part")
        self._part.write_bytes(b"")  # where it cannot be written the system says why; ffmpeg says less
        command = [program, "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgba"]
        command += ["-s", f"{size[0]}x{size[1]}", "-r", f"{rate:g}", "-i", "-", "-an", *COLOURS, *COLOUR_TAGS]
        for key, value in about.items():
            command += ["-metadata", f"{key}={value}"]
        command += [*FORMATS[path.suffix], f"file:{self._part}"]
        self._words = tempfile.TemporaryFile()  # noqa: SIM115 (open as long as the encoder runs)
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=self._words
            )
        except OSError as error:
            self._part.unlink()
            raise OSError(
                f"the encoder {program} does not start: {error.strerror}; another one: {REMEDY}"
            ) from None

    def add(self, pixels: bytes | memoryview) -> None:
        """A frame: red, green, blue and opacity of each pixel, a byte each, by rows from the top."""
        data = memoryview(pixels).cast("B")
        if len(data) != self._bytes:
            raise ValueError(f"{self.path}: a frame of {len(data)} bytes among those of {self._bytes}")
        try:
            self._process.stdin.write(data)
        except BrokenPipeError:
            self._fail()
        self.frames += 1

    def _fail(self) -> None:
        self._process.wait()
        self._words.seek(0)
        words = self._words.read().decode(errors="replace").strip().splitlines()
        last = words[-1] if words else f"exit code {self._process.returncode}"
        raise OSError(
            f"{self.path}: the encoder {self._process.args[0]} stopped: {last}; another one: {REMEDY}"
        )

    def __enter__(self) -> Movie:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is not None:
                self._process.kill()
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.close()  # flushes
            failed = self._process.wait() != 0
            if kind is None and failed:
                self._fail()
            if kind is None:
                self._part.replace(self.path)
        finally:
            self._part.unlink(missing_ok=True)
            self._words.close()
