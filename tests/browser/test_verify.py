"""The page that checks a record, on plain http: our own script against the rules in Python."""

from __future__ import annotations

from random import Random
from typing import Any

from playwright.async_api import FilePayload, expect

from app.games.canonical import canonical_json
from app.games.chance import Chance
from app.play.verify import verify_text
from app.web.assets import Assets
from tests.browser.conftest import Meet
from tests.browser.person import HOUSE_NAME, Person
from tests.play.recorded_games import forged
from tests.servers import Server

CHECK = """async ([url, texts]) => {
  const { verify } = await import(url);
  return texts.map((text) => verify(Uint8Array.from(text), () => null).verdict);
}"""
FLIPS = 200


def vectors() -> list[dict[str, Any]]:
    """Draws of many kinds from many seeds, as `Chance` makes them."""
    choose, made = Random(5), []
    ends = [1, 2, 6, 60, 2**31, 2**32 + 1, 2**53 - 1, 2**63 + 1, 2**64 - 1, 2**64]
    for number in range(40):
        seed, k = choose.randbytes(32), choose.choice([0, 1, 255, 2**32, number])
        chance = Chance(seed, k)
        for _ in range(choose.randrange(1, 6)):
            end = choose.choice([*ends, choose.randrange(1, 2**64)])
            items: list[Any] = [f"é{each}" for each in range(choose.randrange(0, 80))]
            match choose.randrange(3):
                case 0:
                    chance.below(end)
                case 1:
                    chance.shuffled(items)
                case _:
                    chance.sample(items, choose.randrange(len(items) + 1))
        made.append({"seed": list(seed), "k": k, "drawn": chance.drawn})
    return made


async def test_chance_and_texts_are_those_of_the_house(meet: Meet) -> None:
    ann = await meet("Ann")
    await ann.page.goto("/verify")
    assets, cases = Assets(), vectors()
    odd = {
        "é\U0001f600\u2028\x7f": [None, True, -7, 2**53 - 1],
        "\uffff": '"\\\b\f\n\r\t\x00 ~',
        "\U00010000": {},
    }
    found = await ann.page.evaluate(
        """async ([chance, canonical, cases, odd]) => {
          const { Chance } = await import(chance);
          const { canonicalJson } = await import(canonical);
          const wide = (draw) => ("below" in draw ? { below: BigInt(draw.below) } : draw);
          const given = cases.map(({ seed, k, drawn }) => {
            const stream = new Chance(Uint8Array.from(seed), k);
            return drawn.map((draw) => stream.again(wide(draw)));
          });
          return [canonicalJson(given), canonicalJson(odd)];
        }""",
        [
            assets.url("verify/chance.js"),
            assets.url("verify/canonical.js"),
            # Numbers of 64 bits are exact as texts alone.
            [{**case, "drawn": [_as_text(draw) for draw in case["drawn"]]} for case in cases],
            odd,
        ],
    )
    gives = [[draw["gives"] for draw in case["drawn"]] for case in cases]
    assert found == [canonical_json(gives), canonical_json(odd)]


def _as_text(draw: dict[str, Any]) -> dict[str, Any]:
    return {"below": str(draw["below"])} if "below" in draw else draw


async def test_a_played_game_is_yes_a_strange_one_consistent_and_one_changed_bit_no(
    meet: Meet, server: Server
) -> None:
    url = server.url.replace("127.0.0.1", HOUSE_NAME)
    ann, bo = await meet("Ann", url=url), await meet("Bo", url=url)
    link = await ann.opens_room()
    await bo.follows(link)
    await bo.sits_down()
    await ann.starts()
    await bo.sees_the_table()
    code = link.rsplit("/", 1)[-1]
    remote = await bo.remote()
    unfinished = _text(await remote.record(code))
    await remote.does(code, "concede")
    await ann.result.wait_for()
    assert not await ann.evaluate("isSecureContext")
    await ann.press(ann.button("Was chance fair?"))
    await _says(ann, "yes", "The deal follows from all secrets together.")
    record = await remote.record(code)
    text = _text(record)
    assert verify_text(text).ok
    cy = await meet("Cy", url=url)
    await cy.page.goto("/verify")
    await _chooses(cy, unfinished)
    await _says(cy, "early", "This record was saved during the game")
    await _chooses(cy, text)
    await _says(cy, "consistent", "This browser kept nothing of that game to compare with.")
    await _changed_bits(cy, text)
    gave = record["entries"][0]["drawn"][-1]["gives"]
    swapped = [*gave[1::-1], *gave[2:]]
    await _chooses(cy, _text(forged(record, "entries", 0, "drawn", -1, "gives", to=swapped)))
    await _says(cy, "no", "The deal does not follow from the secrets.")
    await _chooses(cy, _text(forged(record, "server_seed", to="00" * 32)))
    await _says(cy, "no", "The server's secret is not the one that it promised.")
    # Another game in the name of this one holds by itself; who played knows better.
    other = forged(record, "hashes", to=[None, None])
    await _chooses(ann, _text(other))
    await _says(ann, "no", "A browser's part of the shuffle is not the one that it promised.")


async def _chooses(person: Person, text: bytes) -> None:
    file: FilePayload = {"name": "r.json", "mimeType": "application/json", "buffer": text}
    await person.page.locator("#result").evaluate("sheet => { sheet.hidden = true; }")
    await (
        person.page.get_by_label("Choose a record")
        .or_(person.page.get_by_label("Check another record"))
        .set_input_files(file)
    )


async def _says(person: Person, verdict: str, line: str) -> None:
    sheet = person.page.locator(f'#result[data-verdict="{verdict}"]')
    await expect(sheet).to_be_visible()
    await expect(sheet.get_by_text(line)).to_be_visible()


async def _changed_bits(person: Person, text: bytes) -> None:
    choose = Random(1)
    places = [choose.randrange(len(text) * 8) for _ in range(FLIPS)]
    changed = [bytearray(text) for _ in places]
    for one, place in zip(changed, places, strict=True):
        one[place // 8] ^= 1 << place % 8
    url = Assets().url("verify/check.js")
    texts = [list(text), *map(list, changed)]
    verdicts = await person.page.evaluate(CHECK, [url, texts])
    assert verdicts == ["consistent", *["no"] * FLIPS]


def _text(record: dict[str, Any]) -> bytes:
    return canonical_json(record).encode()
