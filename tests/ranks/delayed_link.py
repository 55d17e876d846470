"""A network link between two namespaces on which every packet takes a while.

delayed_link.py NAMESPACE DEVICE NAMESPACE DEVICE SECONDS. The devices are tun devices that exist already. Runs until it
or its parent is killed; says `ready` first.
"""

import ctypes
import fcntl
import os
import select
import signal
import struct
import sys
import time
from collections import deque

TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000
PR_SET_PDEATHSIG = 1
LARGEST = 65536


def attach(namespace: str, device: str) -> int:
    """Opens a tun device of a namespace; gives its descriptor."""
    with open(f"/run/netns/{namespace}") as where:
        # os.setns is there from Python 3.12 on only.
        if ctypes.CDLL(None, use_errno=True).setns(where.fileno(), 0) != 0:
            raise OSError(ctypes.get_errno(), f"namespace {namespace}")
    descriptor = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(descriptor, TUNSETIFF, struct.pack("16sH", device.encode(), IFF_TUN | IFF_NO_PI))
    return descriptor


def forward(ends: tuple[int, int], delay: float) -> None:
    """Hands each packet that enters at one end out at the other, `delay` seconds later and in order."""
    other = {ends[0]: ends[1], ends[1]: ends[0]}
    travelling: deque[tuple[float, int, bytes]] = deque()
    while True:
        due = travelling[0][0] - time.monotonic() if travelling else None
        for end in select.select(ends, (), (), None if due is None else max(due, 0))[0]:
            travelling.append((time.monotonic() + delay, other[end], os.read(end, LARGEST)))
        while travelling and travelling[0][0] <= time.monotonic():
            _, end, packet = travelling.popleft()
            os.write(end, packet)


if __name__ == "__main__":
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    both = attach(sys.argv[1], sys.argv[2]), attach(sys.argv[3], sys.argv[4])
    print("ready", flush=True)
    forward(both, float(sys.argv[5]))
