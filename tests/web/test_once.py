"""The key of a form: a second press of it is the same guest, while the device is theirs."""

from __future__ import annotations

import httpx

from tests.web.conftest import Browsers, Program

KEY = "k" * 24


async def test_a_form_of_a_device_that_was_signed_out_is_a_strangers(
    room: tuple[str, Program], browsers: Browsers, http: httpx.AsyncClient
) -> None:
    code, host = room
    form = {"name": "Cafe", "once": KEY}
    first, second = browsers(), browsers()
    for browser in (first, second):
        assert (await browser.post(f"/r/{code}/sit", data=form)).status_code == 303
    token = first.cookies["motherlode"]
    assert second.cookies["motherlode"] == token, "pressed twice: one guest"
    cafe = Program(http, token)
    add = (await cafe.post("/api/devices/codes")).json()["code"]
    home = Program(http, (await http.post("/api/devices", json={"code": add})).json()["token"])
    devices = (await cafe.get("/api/devices")).json()["devices"]
    gone = next(device["id"] for device in devices if device["this"])
    assert (await home.post(f"/api/devices/{gone}/revoke")).status_code == 200
    late = browsers()
    said = await late.post(f"/r/{code}/chat", data={"text": "Still here", "once": KEY})
    assert said.status_code == 403
    sat = await late.post(f"/r/{code}/sit", data=form)
    assert sat.status_code == 409
    assert "motherlode" not in late.cookies
    assert (await host.get(f"/api/rooms/{code}/chat")).json()["lines"] == []
    again = await late.post("/new/lost_cities", data=form)
    assert again.status_code == 303
    assert late.cookies["motherlode"] != token
