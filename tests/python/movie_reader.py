"""What tests see of a movie: its frames, and what the file says of itself."""

import re
import subprocess

import numpy as np
from rednova import movie


def decoded(path):
    """Frames of a movie: [frame, row, column, (red, green, blue)]."""
    about = subprocess.run([movie.encoder(), "-i", path], capture_output=True, text=True, check=False).stderr
    width, height = map(int, re.search(r"Video: .*? (\d+)x(\d+)[ ,\n]", about).groups())
    command = [movie.encoder(), "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    data = subprocess.run(command, capture_output=True, check=True).stdout
    return np.frombuffer(data, dtype=np.uint8).reshape(-1, height, width, 3), about
