#!/usr/bin/env bash
# Prints the path of a Chromium that the page tests can drive; installs Debian's where it may.
# Exit 1 with a reason on stderr: the tests then say that they were skipped.
set -euo pipefail

for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable; do
    if [ -n "$name" ] && path=$(command -v "$name"); then
        echo "$path"
        exit 0
    fi
done
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "no Chromium found: install the package chromium, or set CHROMIUM to its path" >&2
    exit 1
fi
{
    apt-get update
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium fonts-dejavu-core fonts-liberation
} >&2
command -v chromium
