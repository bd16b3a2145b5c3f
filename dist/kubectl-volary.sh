#!/bin/sh
# `kubectl volary ...`: kubectl finds this on PATH under the name kubectl-volary.
set -eu
exec "$(dirname "$(readlink -f "$0")")/volary" "$@"
