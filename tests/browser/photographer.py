"""Takes pictures of what a person sees, in several sizes, schemes and ways of seeing colour."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from tests.browser.person import Person

SIZES = {
    "320": (320, 640),
    "360": (360, 740),
    "740": (740, 360),
    "768": (768, 1024),
    "1280": (1280, 800),
}
EYES = ("protanopia", "deuteranopia", "tritanopia")
"""Ways of seeing colour that the browser can imitate."""
Scheme = Literal["light", "dark"]


class Photographer:
    """Writes pictures to a folder, one for each size, scheme and pair of eyes that is wanted."""

    def __init__(
        self, out: Path, sizes: list[str], schemes: list[Scheme], eyes: list[str] | None = None
    ) -> None:
        self._out = out
        self._sizes = sizes
        self._schemes = schemes
        self._eyes = eyes or ["none"]

    async def takes(self, person: Person, what: str) -> None:
        """Writes `what-size-scheme.png` for each size and scheme; the eyes, if any, come last."""
        line = await person.context.new_cdp_session(person.page)
        for size in self._sizes:
            width, height = SIZES[size]
            await person.page.set_viewport_size({"width": width, "height": height})
            for scheme in self._schemes:
                await person.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                for eyes in self._eyes:
                    await line.send("Emulation.setEmulatedVisionDeficiency", {"type": eyes})
                    name = "-".join([what, size, scheme, *([] if eyes == "none" else [eyes])])
                    await person.page.screenshot(path=self._out / f"{name}.png")
        await line.send("Emulation.setEmulatedVisionDeficiency", {"type": "none"})
        await line.detach()
