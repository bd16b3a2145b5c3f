"""Reads a result with zarr-python and prints what is in it; called by the end-to-end test.

    python read.py RESULT.zarr FIELD [ENDPOINT]

A result in an object store is given as s3://BUCKET/KEY with the endpoint of the store.

Prints the shape, the sum, the smallest and the largest value and the attributes, one JSON object on one line.
Fails if a chunk does not match its checksum.
"""

import json
import sys

import numpy
import zarr


def main(path, field, endpoint=None):
    options = {"endpoint_url": endpoint} if endpoint else None
    group = zarr.open_group(path, mode="r", storage_options=options)
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
