#!/bin/sh
# Puts a runnable installation together from the built jars: lib/, bin/volary, bin/kubectl-volary and the AOT caches.
# usage: install.sh REPOSITORY TARGET JAVA_HOME
set -eu
repository=$1 target=$2 java_home=$3

mkdir -p "$target/bin" "$target/aot" "$target/etc"
rm -f "$target"/aot/*
cp "$repository/dist/volary.sh" "$target/bin/volary"
cp "$repository/dist/kubectl-volary.sh" "$target/bin/kubectl-volary"
chmod +x "$target/bin/volary" "$target/bin/kubectl-volary"
cp "$repository"/dist/compiler-directives*.json "$target/etc/"
echo "$java_home" > "$target/java_home"
sh "$repository/dist/native-tls.sh" "$java_home" "$target/lib" "$target"

# Small jobs teach each kind of process which classes it needs; without the caches everything works, only slower.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$java_home/bin/java" -XX:TieredStopAtLevel=1 -cp "$target/lib/*" dev.volary.cli.local.AotCacheTraining \
  "$target" "$repository/worker-image/image/training.json" "$scratch/result" ||
  echo "training failed: jobs will start more slowly; build again on a quiet machine"
VOLARY_AOT_TRAIN="$target/aot" "$target/bin/volary" run "$repository/dist/training.yaml" --quiet --output "$scratch/run"
rm -f "$target"/aot/*.config
