#!/usr/bin/env python3
"""Tells for which GPUs a fat binary has code: tools/list_device_code.py FILE.fatbin

One line: sm_NN for machine code, then compute_NN for PTX, each from the oldest on. For where there is no cuobjdump, which the
compiler's packages of PyPI lack.
"""
import struct
import sys

MAGIC = 0xBA55ED50
KINDS = {1: "compute", 2: "sm"}  # PTX and ELF


def device_code(data):
    """The names of what is there. A header of 16 bytes holds the bytes of all entries; the header of an entry its
    kind, own size, the size of what follows, and at byte 28 the architecture."""
    magic, _, header_bytes, bytes_of_all = struct.unpack_from("<IHHQ", data)
    if magic != MAGIC or header_bytes + bytes_of_all != len(data):
        raise ValueError("it is no fat binary")
    code = []
    at = header_bytes
    while at < len(data):
        kind, _, header_bytes, content_bytes = struct.unpack_from("<HHIQ", data, at)
        architecture, = struct.unpack_from("<I", data, at + 28)
        code.append((-kind, architecture, f"{KINDS[kind]}_{architecture}"))
        at += header_bytes + content_bytes
    if at != len(data):
        raise ValueError("its last entry is cut off")
    return [name for *_, name in sorted(code)]


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    try:
        with open(sys.argv[1], "rb") as file:
            print(*device_code(file.read()))
    except (OSError, ValueError, KeyError, struct.error) as error:
        sys.exit(f"list_device_code.py: {sys.argv[1]}: {error}")


if __name__ == "__main__":
    main()
