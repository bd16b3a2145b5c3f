#!/bin/sh
# Unpacks Netty's OpenSSL for this machine into TARGET/native, once for all processes: none of them has to, and one that is killed
# leaves nothing behind. Where there is none, TARGET/native is not made, and TLS is the JDK's.
# usage: native-tls.sh JDK JARS TARGET
set -eu
jdk=$1 jars=$(cd "$2" && pwd) target=$3
case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) machine=linux_x86_64 ;;
  Linux-aarch64) machine=linux_aarch_64 ;;
  *) exit 0 ;;
esac
library=libio_grpc_netty_shaded_netty_tcnative_$machine.so
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
(cd "$scratch" && "$jdk/bin/jar" xf "$jars"/grpc-netty-shaded-*.jar "META-INF/native/$library")
mkdir -p "$target/native"
cp "$scratch/META-INF/native/$library" "$target/native/"
chmod 0755 "$target/native/$library"
