#!/usr/bin/env bash
# Makes sure that the system has a Chromium for the browser tests; installs it where that is allowed.
# Its headless shell is used where there is one: it draws no window for nobody.
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

whole() {
    found chromium chromium-browser google-chrome google-chrome-stable
}

if whole && found chromium-headless-shell; then exit 0; fi
if [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null; then
    echo "Installing Chromium for the browser tests ..."
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq || true
    added chromium-headless-shell || echo "There is no headless shell to be had; Chromium does."
    whole || added chromium || true
fi
if whole; then exit 0; fi
echo "The browser tests need Chromium. Install it, on Debian with:"
echo "    sudo apt-get install -y --no-install-recommends chromium chromium-headless-shell"
echo "Or run the other tests alone: make test-fast"
exit 1
