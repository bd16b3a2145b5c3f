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
cp "$repository/dist/compiler-directives.json" "$target/etc/"
echo "$java_home" > "$target/java_home"

# One small job teaches each kind of process which classes it needs; without the caches everything works, only slower.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

train() {
  rm -rf "$target"/aot/* "$scratch/run"
  VOLARY_AOT_TRAIN="$target/aot" "$target/bin/volary" run "$repository/dist/training.yaml" --quiet --output "$scratch/run"
}

# Whether every worker had its part: on a busy machine one may be taken for dead, and its cache would know little.
is_complete() {
  for kind in cli spawner daemon daemon-large; do
    [ -s "$target/aot/$kind.aot" ] || return 1
  done
  [ "$(grep -c '"lead-elected"' "$scratch/run/events.jsonl")" -eq 1 ] &&
    ! grep -qvE '"type":"(lead-elected|planned|all-iterating|snapshot-closed|certified)"' "$scratch/run/events.jsonl"
}

train
for attempt in 2 3; do
  is_complete && break
  echo "training was disturbed; attempt $attempt"
  train
done
is_complete || echo "training was disturbed to the end: jobs will start more slowly; build again on a quiet machine"
rm -f "$target"/aot/*.config
