"""Fails unless each picture, a PNG of 8-bit RGB, shows something: picture.py FILE.png..."""
import collections
import struct
import sys
import zlib


def chunks(data):
    place = 8
    while place < len(data):
        size, kind = struct.unpack_from(">I4s", data, place)
        yield kind, data[place + 8:place + 8 + size]
        place += 12 + size


def paeth(left, above, corner):
    estimate = left + above - corner
    return min((left, above, corner), key=lambda value: abs(estimate - value))


def rows(data):
    """The rows of bytes. Each is stored as its difference to what a filter makes of its neighbours."""
    width, height, depth, colour = struct.unpack_from(">IIBB", dict(chunks(data))[b"IHDR"])
    if (depth, colour) != (8, 2):
        raise ValueError("is no picture of 8-bit RGB")
    packed = zlib.decompress(b"".join(part for kind, part in chunks(data) if kind == b"IDAT"))
    above = bytearray(3 * width)
    for y in range(height):
        line = packed[y * (3 * width + 1):(y + 1) * (3 * width + 1)]
        row = bytearray(line[1:])
        for x, stored in enumerate(row):
            left, corner = (row[x - 3], above[x - 3]) if x >= 3 else (0, 0)
            guess = (0, left, above[x], (left + above[x]) // 2, paeth(left, above[x], corner))[line[0]]
            row[x] = (stored + guess) & 255
        yield row
        above = row


def check(file):
    with open(file, "rb") as stream:
        pixels = collections.Counter(bytes(row[x:x + 3]) for row in rows(stream.read()) for x in range(0, len(row), 3))
    most = max(pixels.values()) / sum(pixels.values())
    bright = sum(count for pixel, count in pixels.items() if max(pixel) >= 128) / sum(pixels.values())
    print(f"{file}: {len(pixels)} colours, {100 * bright:.1f} % of the pixels are bright")
    return len(pixels) >= 100 and most <= 0.99 and bright >= 0.002


if __name__ == "__main__":
    blank = [file for file in sys.argv[1:] if not check(file)]
    if blank:
        sys.exit(f"picture.py: {', '.join(blank)}: nothing is drawn")
