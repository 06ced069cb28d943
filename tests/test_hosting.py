"""What hosts read and run: container files refer to what is there, and all settings are told."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml
from pydantic_core import PydanticUndefined

from app.config import Settings
from app.server import create_app
from app.web.proxies import TrustedNetworks

ROOT = Path(__file__).resolve().parent.parent
DEFAULTS = {"data_dir": "`.data`, as root `/var/lib/motherlode`"}


def settings_table() -> list[str]:
    """The rows of the table of settings in docs/hosting.md."""
    rows = []
    for name, field in Settings.model_fields.items():
        default = "" if field.default in (None, PydanticUndefined) else f"`{field.default}`"
        rows.append(f"| `{name.upper()}` | {DEFAULTS.get(name, default)} | {field.description} |")
    return rows


def test_every_setting_is_in_the_guide() -> None:
    lines = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8").splitlines()
    told = [line for line in lines if re.match(r"\| `[A-Z_]+` \|", line)]
    assert told == settings_table()


def _instructions() -> list[tuple[str, str]]:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    text = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ")
    found = []
    for line in filter(None, text.splitlines()):
        word, _, rest = line.partition(" ")
        found.append((word, rest.strip()))
    return found


def test_the_dockerfile_copies_what_is_there_and_the_image_may_see() -> None:
    known = {"FROM", "COPY", "RUN", "WORKDIR", "USER", "ENV", "VOLUME", "EXPOSE", "HEALTHCHECK"}
    assert {word for word, _ in _instructions()} <= known | {"CMD"}
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert ignored[0] == "*"
    for word, rest in _instructions():
        if word == "COPY" and not rest.startswith("--from"):
            source = rest.split()[0]
            assert (ROOT / source).exists(), source
            assert f"!{source}" in ignored


def test_the_image_runs_as_nobody_special_installs_by_hash_and_says_how_it_is() -> None:
    instructions = _instructions()
    last = dict(instructions)
    assert last["USER"] == "motherlode"
    assert "/healthz" in last["HEALTHCHECK"]
    assert any("--require-hashes -r requirements.txt" in rest for _, rest in instructions)


def test_the_lock_pins_every_package_with_hashes_and_names_no_place() -> None:
    for name in ("requirements.txt", "requirements-dev.txt"):
        text = (ROOT / name).read_text(encoding="utf-8")
        packages = text.replace("\\\n", " ").splitlines()
        assert len(packages) > 30
        for package in packages:
            assert re.fullmatch(r"[\w.-]+==\S+( +; [^-]*)?( +--hash=sha256:[0-9a-f]{64})+", package)


def _compose() -> dict[str, Any]:
    return dict(yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8")))


def test_the_compose_file_waits_for_its_database_and_keeps_its_data() -> None:
    house, postgres = (_compose()["services"][name] for name in ("motherlode", "postgres"))
    assert (ROOT / house["build"] / "Dockerfile").exists()
    assert house["depends_on"]["postgres"]["condition"] == "service_healthy"
    assert "pg_isready" in postgres["healthcheck"]["test"]
    assert postgres["image"] == "postgres:18"
    volume = postgres["volumes"][0].partition(":")[0]
    assert volume in _compose()["volumes"]


def test_the_compose_file_passes_every_setting_that_may_differ_there() -> None:
    environment = _compose()["services"]["motherlode"]["environment"]
    fixed = {"host", "port", "data_dir"}  # those of the image: the port outside is Compose's
    assert {name.lower() for name in environment} == set(Settings.model_fields) - fixed
    for name, value in environment.items():
        assert value == f"${{{name}:-}}" or name == "DATABASE_URL"
    plain = {
        name: re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", value) for name, value in environment.items()
    }
    url = plain["DATABASE_URL"]
    assert Settings(database_url=url).database_url == url


def _blocks(text: str) -> dict[str, list[str]]:
    """Returns the directives of an nginx configuration by the block that they stand in."""
    found: dict[str, list[str]] = {}
    inside: list[str] = []
    for line in (line.strip() for line in text.splitlines()):
        if line.endswith("{"):
            inside.append(line.removesuffix("{").strip())
        elif line == "}":
            inside.pop()
        elif line and not line.startswith("#"):
            assert line.endswith(";"), line
            found.setdefault(inside[-1] if inside else "", []).append(line.removesuffix(";"))
    assert not inside
    return found


def _nginx() -> dict[str, list[str]]:
    return _blocks((ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8"))


def test_nginx_of_several_processes_keeps_one_room_at_one() -> None:
    blocks = _nginx()
    assert "hash $party consistent" in blocks["upstream house"]
    default, room = blocks["map $uri $party"]
    assert default == "default $client_key", "what is about no room is dealt by address"
    pattern, found = room.rsplit(maxsplit=1)
    reads = re.compile(pattern.strip('"').removeprefix("~").replace("(?<", "(?P<"))
    paths = {str(getattr(each, "path", "")) for each in create_app(Settings()).routes}
    paths.add("/rooms/{code}/socket")
    named = {path: match[found[1:]] for path in paths if (match := reads.match(path))}
    assert named == {path: "{code}" for path in paths if "{code}" in path}
    assert len(named) > 20


def test_nginx_of_several_processes_keeps_quiet_sockets_open() -> None:
    services = _compose()["services"]
    blocks = _nginx()
    scaled = {name for name, each in services.items() if "NATS_URL" in each.get("environment", {})}
    houses = {f"{name}:8000" for name in scaled - {"motherlode"}}
    assert {line.split()[1] for line in blocks["upstream house"] if "server" in line} == houses
    way = dict(line.split(maxsplit=1) for line in blocks["location /"] if "header" not in line)
    for name in ("proxy_read_timeout", "proxy_send_timeout"):
        assert int(way[name].removesuffix("s")) > 2 * Settings().beat_seconds
    passed = dict(line.split()[1:] for line in blocks["location /"] if "header" in line)
    assert passed["X-Forwarded-For"] == "$remote_addr", "what a browser says of itself is dropped"
    assert {"Host", "Upgrade", "Connection", "X-Forwarded-Proto"} < set(passed)


def test_the_scaled_processes_know_their_bus_and_differ_from_the_single_one_in_nothing_else() -> (
    None
):
    services = _compose()["services"]
    alone = services["motherlode"]
    nginx = services["nginx"]
    assert nginx["volumes"] == ["./deploy/nginx.conf:/etc/nginx/nginx.conf:ro"]
    for name in ("house-1", "house-2"):
        house = services[name]
        assert house["build"] == alone["build"]
        assert "ports" not in house
        assert house["depends_on"].keys() == {"postgres", "nats"}
        assert nginx["depends_on"][name]["condition"] == "service_healthy"
        own = {
            key for key, said in house["environment"].items() if alone["environment"][key] != said
        }
        assert own == {"NATS_URL", "TRUSTED_PROXIES"}
        said = house["environment"]
        assert Settings(nats_url=said["NATS_URL"]).nats_url
        for own_proxies in ("", "203.0.113.7"):
            told = said["TRUSTED_PROXIES"].replace("${TRUSTED_PROXIES:-}", own_proxies)
            trusted = TrustedNetworks(Settings(trusted_proxies=told).trusted_proxies)
            assert "172.18.0.5" in trusted, "nginx, in a network of Docker's"
            assert ("203.0.113.7" in trusted) == bool(own_proxies)
    for name in ("house-1", "house-2", "nats", "nginx"):
        assert services[name]["profiles"] == ["scale"]


def test_nginx_asks_again_for_the_addresses_of_processes() -> None:
    blocks = _nginx()
    assert any(line.startswith("resolver 127.0.0.11 ") for line in blocks["http"])
    assert any(line.startswith("zone ") for line in blocks["upstream house"])
    for line in blocks["upstream house"]:
        assert not line.startswith("server") or "resolve" in line.split()
    _, version = _compose()["services"]["nginx"]["image"].split(":")
    assert tuple(map(int, version.split("."))) >= (1, 28), "1.27.3 was the first that could"


def test_commands_of_the_guide_name_services_and_their_profile() -> None:
    services = _compose()["services"]
    guide = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    commands = re.findall(r"docker compose( --profile scale)? (\w+) ?([^`\n]*)", guide)
    assert len(commands) > 12
    for profile, verb, rest in commands:
        named = services.keys() & set(rest.split())
        assert named or verb == "up", (verb, rest)
        assert bool(profile) == any("profiles" in services[name] for name in named), (verb, rest)
