"""What the parameters of every ported method share: a profile and named quirks of the published code."""

from __future__ import annotations

from typing import Literal

from kgbench.errors import UsageError

Profile = Literal["clean", "official"]
"""``clean``: faults mended, the form of the reply asked for. ``official``: as the published code does it."""
PROFILES: tuple[Profile, ...] = ("clean", "official")


def check_profile(method: str, profile: str, quirks: tuple[str, ...], known_quirks: tuple[str, ...] = ()) -> None:
    """Refuse an unknown profile or quirk.

    Args:
        method: the method's registry name, for the message.
        profile: the profile asked for.
        quirks: the quirks asked for.
        known_quirks: those that the method has.

    Raises:
        UsageError: one of them is unknown; the text lists what there is.
    """
    if profile not in PROFILES:
        raise UsageError(
            f'method {method} has no profile "{profile}"; use --set method.profile={" or ".join(PROFILES)}'
        )
    unknown = [quirk for quirk in quirks if quirk not in known_quirks]
    if unknown:
        choice = f"choose from {', '.join(known_quirks)}" if known_quirks else "leave method.quirks empty"
        raise UsageError(f"method {method} has no quirk {', '.join(unknown)}; {choice}")
