"""The page that checks a record, given what no house has saved: it answers, soon, and says why."""

from __future__ import annotations

import json
from typing import Any

from playwright.async_api import FilePayload, expect

from app.games.canonical import canonical_json
from app.games.registry import GAMES
from app.play.record import digest_of
from app.play.verify import verify_text
from app.web.assets import Assets
from tests.browser.conftest import Meet
from tests.play.recorded_games import CODE, forged, record_of, shown

CHECK = """async ([url, texts, room]) => {
  const { verify } = await import(url);
  const bytes = (text) => new TextEncoder().encode(text);
  return texts.map((text) => {
    const { verdict, checks } = verify(bytes(text), () => null, room);
    return [verdict, ...checks.filter(({ ok }) => ok === false).map(({ code }) => code)];
  });
}"""
GAME = GAMES["splendor"]
DRAWN = ("entries", 0, "drawn")


def record() -> dict[str, Any]:
    return record_of(GAME, (shown(0), None))


def cut(*, ends: bool) -> dict[str, Any]:
    """A record without its last entries; if `ends`, the one that is last then says so."""
    whole = record()
    entries = whole["entries"][: len(whole["entries"]) // 2]
    entries[-1]["actors"] = [] if ends else entries[-1]["actors"]
    return {**whole, "entries": entries, "digest": digest_of({**whole, "entries": entries})}


def text(data: dict[str, Any]) -> str:
    return canonical_json(data)


async def test_whatever_it_is_given_it_answers_and_says_what_is_wrong(meet: Meet) -> None:
    ann = await meet("Ann")
    await ann.page.goto("/verify")
    good = record()
    long = {"shuffled": [1] * 1001, "gives": [1] * 1001}
    odd = {"toString": 1}
    hostile = {
        text(good): ["consistent"],
        text({**good, "names": ["Eve", "Bo"]}): ["no", "digest"],
        text(good).replace('{"', '{"names":[],"', 1): ["no", "twice"],
        text(cut(ends=False)): ["no", "whole"],
        text(forged(good, "outcome", "ranking", to=[1])): ["no", "whole"],
        text(forged(good, "entries", 1, "seat", to=2)): ["no", "whole"],
        text(forged(good, "names", to=[odd, "Bo"])): ["no", "no_record"],
        text(forged(good, *DRAWN, to=[{"below": odd, "gives": 0}])): ["no", "no_record"],
        text(forged(good, *DRAWN, to=[{"below": 6, "gives": odd}])): ["no", "deal"],
        text(forged(good, *DRAWN, to=[long])): ["no", "too_large"],
        text(forged(good, *DRAWN, to=[{"below": 2, "gives": 0}] * 100_001)): ["no", "too_large"],
        text(forged(good, "names", to=["n" * 201, "Bo"])): ["no", "no_record"],
        " " * 5_000_001: ["no", "too_large"],
        "[" * 100_000: ["no", "no_record"],
        "": ["no", "no_record"],
        "null": ["no", "no_record"],
    }
    url = Assets().url("verify/check.js")
    found = await ann.page.evaluate(CHECK, [url, [*hostile], None])
    assert dict(zip(hostile, found, strict=True)) == hostile
    rooms = [CODE, "bado-keli-mofu-tasa"]
    answers = [(await ann.page.evaluate(CHECK, [url, [text(good)], room]))[0] for room in rooms]
    assert answers == [["consistent"], ["no", "room"]]


async def test_what_it_cannot_see_without_the_rules_the_program_sees(meet: Meet) -> None:
    ann = await meet("Ann")
    await ann.page.goto("/verify")
    forgery = text(cut(ends=True))
    url = Assets().url("verify/check.js")
    assert await ann.page.evaluate(CHECK, [url, [forgery], None]) == [["consistent"]]
    assert verify_text(text(record())).ok
    assert not verify_text(forgery).ok


async def test_names_stand_as_they_are_and_odd_values_are_shown(meet: Meet) -> None:
    ann = await meet("Ann")
    await ann.page.goto("/verify")
    odd = forged(record(), "names", to=["Ann", "$&{n}"])
    await _chooses(ann.page, text(odd))
    result = ann.page.locator("#result")
    await expect(result).to_have_attribute("data-verdict", "consistent")
    await expect(result.get_by_text("$&{n} added nothing to the shuffle.")).to_be_visible()
    for wrong in (forged(odd, *DRAWN, to=[{"below": 6, "gives": {"toString": 1}}]), {"format": 1}):
        await _chooses(ann.page, json.dumps(wrong))
        await expect(result).to_have_attribute("data-verdict", "no")
        await expect(result.locator("li").first).to_be_visible()


async def test_a_house_that_hands_over_the_record_of_another_table_is_found_out(
    meet: Meet,
) -> None:
    ann = await meet("Ann")
    other = "bado-keli-mofu-tasa"
    await ann.page.route(f"**/r/{other}/record", lambda route: route.fulfill(body=text(record())))
    await ann.page.goto(f"/verify?room={other}")
    line = ann.page.get_by_text("This is the record of another table than the one that was asked")
    await expect(line).to_be_visible()


async def _chooses(page: Any, content: str) -> None:
    file: FilePayload = {
        "name": "r.json",
        "mimeType": "application/json",
        "buffer": content.encode(),
    }
    await page.locator("#file").set_input_files(file)
