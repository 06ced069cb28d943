#!/usr/bin/env bash
# Makes sure that the system has a Chromium for the browser tests; installs it where that is allowed.
set -euo pipefail
for name in chromium chromium-browser google-chrome google-chrome-stable; do
    if command -v "$name" >/dev/null; then exit 0; fi
done
install="apt-get install -y --no-install-recommends chromium fonts-dejavu-core"
if [[ $(id -u) != 0 ]] || ! command -v apt-get >/dev/null; then
    echo "The browser tests need Chromium. Install it, on Debian with: sudo $install"
    echo "Or run the other tests alone: make test-fast"
    exit 1
fi
echo "Installing Chromium for the browser tests ..."
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
$install -qq >/dev/null
