#!/bin/sh
# Starts the command line of this installation.
set -eu
home=$(cd "$(dirname "$0")/.." && pwd)
java_home=$(cat "$home/java_home")
flags="-XX:+UseSerialGC -XX:-UsePerfData -Xlog:disable -Xlog:all=error:stderr -Dstdout.encoding=UTF-8 -Dstderr.encoding=UTF-8 --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow"
if [ -n "${VOLARY_AOT_TRAIN:-}" ]; then
  flags="$flags -XX:AOTCacheOutput=$VOLARY_AOT_TRAIN/cli.aot"
elif [ -f "$home/aot/cli.aot" ]; then
  flags="$flags -XX:AOTCache=$home/aot/cli.aot"
fi
jars="$home/lib/*"
small="-XX:TieredStopAtLevel=1 -Xmx1g"
# A download may decrypt gigabytes, which takes code of the quick compiler three times as long.
[ "${1:-}" != fetch ] || small="-Xmx1g"
case "${1:-}" in
  run | validate | plan | problems | plot) flags="$flags $small" ;;
  # It computes for minutes, with all blocks of a job in one heap.
  simulate)
    jars="$jars:$home/lib/simulator/*"
    flags="$flags -XX:MaxRAMPercentage=60"
    ;;
  # Kubernetes client and simulator are only on the class path of what may use them, help and completion among it. Behind the
  # rest, so that the AOT cache fits all.
  *)
    jars="$jars:$home/lib/simulator/*:$home/lib/cluster/*"
    flags="$flags $small -Dslf4j.internal.verbosity=ERROR"
    ;;
esac
# shellcheck disable=SC2086
exec "$java_home/bin/java" $flags -Djava.awt.headless=true -Dvolary.home="$home" -cp "$jars" dev.volary.cli.Volary "$@"
