#!/usr/bin/env bash
# Gradescope runs this once, while it builds the image, with network: everything that gradings need is fetched here.
set -eu
base="${WARPGRADE_AUTOGRADER:-/autograder}"
source="$base/source"
export WARPGRADE_CACHE="${WARPGRADE_CACHE:-$source/cache}"

chmod 755 "$source/warpgrade" "$source/run_autograder"
if ! "$source/warpgrade" --version; then
    echo "The warpgrade in this archive does not run on this image. Build it on a system that is no newer than the" >&2
    echo "image (choose a newer base image, or give another one: warpgrade autograder --binary FILE)." >&2
    exit 1
fi
if ! python3 -m pip --version >/dev/null 2>&1; then
    apt-get update
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ca-certificates python3 python3-pip
fi
"$source/warpgrade" setup
