"""Reads a result with zarr-python and prints what is in it; called by the end-to-end test.

    python read.py RESULT.zarr FIELD

Prints the shape, the sum, the smallest and the largest value and the attributes, one JSON object on one line.
Fails if a chunk does not match its checksum.
"""

import json
import sys

import numpy
import zarr


def main(path, field):
    group = zarr.open_group(path, mode="r")
    array = group[field]
    values = array[...]
    print(
        json.dumps(
            {
                "shape": list(array.shape),
                "chunks": list(array.chunks),
                "dimensions": list(array.metadata.dimension_names),
                "dtype": str(array.dtype),
                "sum": float(numpy.sum(values)),
                "min": float(numpy.min(values)),
                "max": float(numpy.max(values)),
                "first": [float(v) for v in values.ravel()[:8]],
                "attributes": dict(group.attrs),
            }
        )
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
