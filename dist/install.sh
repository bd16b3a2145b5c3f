#!/bin/sh
# Puts a runnable installation together from the built jars: lib/, bin/volary and the AOT caches.
# usage: install.sh REPOSITORY TARGET JAVA_HOME
set -eu
repository=$1 target=$2 java_home=$3

mkdir -p "$target/bin" "$target/aot" "$target/etc"
rm -f "$target"/aot/*
cp "$repository/dist/volary.sh" "$target/bin/volary"
chmod +x "$target/bin/volary"
cp "$repository/dist/compiler-directives.json" "$target/etc/"
echo "$java_home" > "$target/java_home"

# One small job teaches each kind of process which classes it needs; without the caches everything works, only slower.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
VOLARY_AOT_TRAIN="$target/aot" "$target/bin/volary" run "$repository/dist/training.yaml" --quiet --output "$scratch"
