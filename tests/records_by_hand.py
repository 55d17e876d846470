"""Files of records as a run with --trace writes them (src/output/trace_file.hpp, packed_records.hpp)."""

import struct
import zlib


def part(what, content):
    head = struct.pack("<II", what, len(content))
    return head + struct.pack("<I", zlib.crc32(content, zlib.crc32(head))) + content


def digits(numbers):
    """Seven bits a byte, the lowest first; the highest bit is set in all but a number's last byte."""
    found = bytearray()
    for number in numbers:
        while number > 127:
            found.append(number & 127 | 128)
            number >>= 7
        found.append(number)
    return bytes(found)


def steps(values):
    """What each is more than the one before, without a sign."""
    differences = [b - a for a, b in zip([0, *values], values, strict=False)]
    return digits(2 * d if d >= 0 else -2 * d - 1 for d in differences)


def records_of(slot, rows):
    """A part of a file. Rows: start, end (of a message its number and bytes), id, cause, other, name, what, depth."""
    scopes = [r for r in rows if r[6] < 2]
    messages = [r for r in rows if r[6] >= 2]
    with_id = [r for r in rows if r[2]]
    content = bytes(r[6] | (4 if r[2] else 0) | (8 if r[3] else 0) | r[7] << 4 for r in rows)
    content += digits(r[5] for r in rows)
    content += steps([r[1] if r[6] < 2 else r[0] for r in rows])
    content += digits(r[1] - r[0] for r in scopes)
    content += steps([r[2] for r in with_id])
    content += steps([r[3] for r in rows if r[3]])
    content += steps([r[4] for r in with_id])
    content += digits(r[1][0] for r in messages) + digits(r[1][1] for r in messages)
    return part(3, struct.pack("<II", slot, len(rows)) + content)
