#!/usr/bin/env python3
"""Makes a container image, as a docker-archive tar of one layer, from a folder. The same folder gives the same bytes."""

import argparse
import hashlib
import io
import json
import os
import platform
import tarfile

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}


def anonymous(entry):
    """Nobody's file, from the beginning of time."""
    entry.uid = entry.gid = entry.mtime = 0
    entry.uname = entry.gname = ""
    return entry


def add_folder(tar, root, inside=""):
    """tarfile.add takes a folder's entries in the order of the file system; this one in the order of their names."""
    for name in sorted(os.listdir(root)):
        path = os.path.join(root, name)
        tar.add(path, arcname=inside + name, recursive=False, filter=anonymous)
        if os.path.isdir(path) and not os.path.islink(path):
            add_folder(tar, path, inside + name + "/")


def add_bytes(tar, name, content):
    entry = tarfile.TarInfo(name)
    entry.size = len(content)
    tar.addfile(entry, io.BytesIO(content))


def digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", help="NAME:TAG of the image")
    parser.add_argument("root", help="folder that becomes its root file system")
    parser.add_argument("out", help="tar to write")
    parser.add_argument("--entrypoint", default="[]", help="JSON list")
    parser.add_argument("--user", default="", help="user or uid[:gid]")
    parser.add_argument("--env", action="append", default=[], help="NAME=VALUE, repeatable")
    args = parser.parse_args()

    layer = args.out + ".layer"
    with tarfile.open(layer, "w") as tar:
        add_folder(tar, args.root)
    config = json.dumps(
        {
            "architecture": ARCHITECTURES.get(platform.machine(), platform.machine()),
            "os": "linux",
            "config": {
                "Entrypoint": json.loads(args.entrypoint),
                "User": args.user,
                "Env": ["PATH=/usr/bin:/bin"] + args.env,
            },
            "rootfs": {"type": "layers", "diff_ids": ["sha256:" + digest(layer)]},
        }
    ).encode()
    config_name = hashlib.sha256(config).hexdigest() + ".json"
    manifest = [{"Config": config_name, "RepoTags": [args.name], "Layers": ["layer.tar"]}]
    with tarfile.open(args.out, "w") as tar:
        add_bytes(tar, config_name, config)
        tar.add(layer, arcname="layer.tar", filter=anonymous)
        add_bytes(tar, "manifest.json", json.dumps(manifest).encode())
    os.remove(layer)


if __name__ == "__main__":
    main()
