"""Movies of `rednova-plot`: they play, have all frames, and say why there is none."""

import sys

import matplotlib.pyplot as plt
import numpy as np
import pytest
import rednova
from movie_reader import decoded
from rednova import movie, plot, scene
from rednova.scene import Moment
from rednova.view import View

COLOURS = [(220, 30, 40), (30, 200, 60), (20, 40, 210), (128, 128, 128), (250, 230, 90)]


@pytest.mark.parametrize(("suffix", "codec"), [("mp4", "h264"), ("webm", "vp9")])
def test_frames_come_back(tmp_path, suffix, codec):
    path = tmp_path / "new" / f"film.{suffix}"
    with movie.Movie(path, (96, 64), 10, {"title": "five colours"}) as film:
        for colour in COLOURS:
            film.add(np.tile(np.array([*colour, 255], dtype=np.uint8), (64, 96, 1)))
        assert not path.exists(), "it appears when it is complete"
    assert film.frames == 5
    frames, about = decoded(path)
    assert frames.shape == (5, 64, 96, 3)
    assert codec in about
    assert "yuv420p(tv, bt709" in about, "what players take for the rules of colours"
    assert "10 fps" in about
    assert "five colours" in about
    # Of 8 bits in luminance and half as many pixels in colour; the wrong rules for colours are off by 15 and more.
    assert frames[:, 32, 48].astype(float) == pytest.approx(np.array(COLOURS, dtype=float), abs=6)
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_a_run_becomes_a_movie(blast, tmp_path, capsys):
    path = tmp_path / "film.mp4"
    options = ["--movie", str(path), "--fps", "5", "--pixels", "201", "--frame", "inertial", "--projection"]
    assert plot.main([str(blast), *options]) == 0
    assert capsys.readouterr().out == f"{path}\n"
    frames, about = decoded(path)
    assert len(frames) == len(rednova.Run(blast).snapshots) == 2
    assert frames.shape[1] % 2 == 0
    assert frames.shape[2] % 2 == 0
    assert frames.std() > 10
    assert np.abs(frames[1].astype(int) - frames[0]).max() > 100, "the blast has grown"
    assert "sedov" in about, "the input"
    assert rednova.Run(blast).history.version in about
    assert list(tmp_path.iterdir()) == [path]


def test_frames_stand_still_but_for_what_moves(blast):
    """The scale of colours, and where the panel and the numbers beside it stand."""
    moments = [Moment(s) for s in rednova.Run(blast).snapshots]
    with plt.rc_context(scene.STYLE):
        canvas = scene.Canvas(scene.style_of(View(pixels=200), moments))
        frames = []
        for moment in moments:
            canvas.draw(moment)
            if not frames:
                canvas.settle()
            frames.append(np.array(canvas.pixels()))
    panel, bar = (axes.get_window_extent() for axes in canvas.figure.axes)
    assert panel.height == pytest.approx(bar.height, abs=1)
    right = int(panel.x1) + 3
    assert np.array_equal(frames[0][:, right:], frames[1][:, right:]), "the scale"
    below = frames[0].shape[0] - int(panel.y0) + 3
    assert np.array_equal(frames[0][below:], frames[1][below:]), "the axis"
    assert not np.array_equal(frames[0], frames[1])
    plt.close(canvas.figure)


def test_no_encoder(blast, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert plot.main([str(blast), "--movie", str(tmp_path / "film.mp4")]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "pip install imageio-ffmpeg" in told
    assert "apt-get install ffmpeg" in told
    assert not list(tmp_path.iterdir())


def test_an_encoder_that_fails(blast, tmp_path, monkeypatch, capsys):
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "ffmpeg").write_text("#!/bin/sh\necho first >&2; echo Unknown encoder libx264 >&2; exit 1\n")
    (tools / "ffmpeg").chmod(0o755)
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    monkeypatch.setenv("PATH", f"{tools}:/usr/bin:/bin")
    assert plot.main([str(blast), "--movie", str(tmp_path / "film.mp4"), "--pixels", "100"]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "film.mp4: the encoder" in told
    assert "Unknown encoder libx264" in told
    assert list(tmp_path.iterdir()) == [tools]


def test_a_place_that_cannot_be_written(blast, tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert plot.main([str(blast), "--movie", str(tmp_path / "file" / "film.mp4"), "--pixels", "100"]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert f"{tmp_path}/file" in told
    assert "cannot be written" in told
    assert "--movie" in told


def test_odd_frames_are_refused(tmp_path):
    with pytest.raises(ValueError, match="even numbers"):
        movie.Movie(tmp_path / "film.mp4", (95, 64), 10, {})
    film = movie.Movie(tmp_path / "film.mp4", (96, 64), 10, {})
    with pytest.raises(ValueError, match="a frame of 4 bytes"), film:
        film.add(b"1234")
    assert not list(tmp_path.iterdir())


def test_an_encoder_that_does_not_start(tmp_path, monkeypatch):
    (tmp_path / "ffmpeg").write_text("no program")
    (tmp_path / "ffmpeg").chmod(0o755)
    monkeypatch.setattr(movie, "encoder", lambda: str(tmp_path / "ffmpeg"))
    with pytest.raises(OSError, match=r"does not start: .*pip install"):
        movie.Movie(tmp_path / "film.mp4", (96, 64), 10, {})
    assert [p.name for p in tmp_path.iterdir()] == ["ffmpeg"]
