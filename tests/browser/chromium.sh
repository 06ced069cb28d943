#!/usr/bin/env bash
# Makes sure that the system has a Chromium for the browser tests; installs it where that is allowed.
# The headless shell is preferred: it draws no window for nobody and takes a sixth of the time.
set -euo pipefail

found() {
    for name in "$@"; do
        if command -v "$name" >/dev/null; then return 0; fi
    done
    return 1
}

added() {
    apt-get install -y -qq --no-install-recommends "$@" fonts-dejavu-core >/dev/null
}

if found chromium-headless-shell; then exit 0; fi
if [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null; then
    echo "Installing Chromium for the browser tests ..."
    export DEBIAN_FRONTEND=noninteractive
    if apt-get update -qq && added chromium-headless-shell; then exit 0; fi
    echo "There is no chromium-headless-shell to be had; any Chromium does."
fi
if found chromium chromium-browser google-chrome google-chrome-stable; then exit 0; fi
if [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null && added chromium; then exit 0; fi
echo "The browser tests need Chromium. Install it, on Debian with:"
echo "    sudo apt-get install -y --no-install-recommends chromium-headless-shell fonts-dejavu-core"
echo "Or run the other tests alone: make test-fast"
exit 1
