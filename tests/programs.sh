#!/usr/bin/env bash
# Makes sure that there are the programs which tests run beside the house, Chromium and nginx;
# installs them where that is allowed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin

found() {
    for name in "$@"; do
        if command -v "$name" >/dev/null; then return 0; fi
    done
    return 1
}

added() {
    apt-get install -y -qq --no-install-recommends "$@" fonts-dejavu-core >/dev/null
}

# Its headless shell is used where there is one: it draws no window for nobody.
whole() {
    found chromium chromium-browser google-chrome google-chrome-stable
}

# It is only unpacked, into build/nginx: installed, it would serve on port 80 from then on.
proxy() {
    found nginx || [[ -x build/nginx/usr/sbin/nginx ]]
}

unpacked() {
    local folder name
    folder=$(mktemp -d)
    for name in nginx nginx-light nginx-core; do
        (cd "$folder" && apt-get -o APT::Sandbox::User=root download -qq "$name" >/dev/null) || true
    done
    for name in "$folder"/*.deb; do
        if [[ -e $name ]]; then mkdir -p build/nginx && dpkg-deb -x "$name" build/nginx; fi
    done
    rm -r "$folder"
}

if whole && found chromium-headless-shell && proxy; then exit 0; fi
if [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq || true
    if ! whole || ! found chromium-headless-shell; then
        echo "Installing Chromium for the browser tests ..."
        added chromium-headless-shell || echo "There is no headless shell to be had; Chromium does."
        whole || added chromium || true
    fi
fi
if ! proxy && command -v apt-get >/dev/null; then unpacked; fi
if whole && proxy; then exit 0; fi
echo "The tests need programs that are missing. Install them, on Debian with:"
whole || echo "    sudo apt-get install -y --no-install-recommends chromium chromium-headless-shell"
proxy || echo "    sudo apt-get install -y --no-install-recommends nginx-light"
echo "Or run the other tests alone: make test-fast"
exit 1
