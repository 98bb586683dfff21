"""Looking things up by name: methods, adapters and whatever else comes through entry points.

kgbench's own parts use the same entry points as a stranger's. Names are listed from metadata without importing
anything; only what is asked for is imported; a broken plugin is named and hurts nobody else.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import EntryPoint, distributions
from typing import TYPE_CHECKING, Any

from kgbench.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

GROUPS = ("methods", "adapters")
"""Short names of the groups; the entry-point group is ``kgbench.<name>``."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """One registered name, not imported yet."""

    name: str
    group: str
    distribution: str
    version: str
    target: str
    """``module:attribute``."""
    entry_point: EntryPoint


class BrokenPlugin(UsageError):
    """A plugin that cannot be imported, or two that claim one name."""


def plugins(group: str) -> dict[str, list[Plugin]]:
    """Return every registered plugin of a group by name, sorted; a name with two plugins is a clash."""
    found: dict[str, list[Plugin]] = {}
    for plugin in _all_plugins():
        if plugin.group == group:
            found.setdefault(plugin.name, []).append(plugin)
    return dict(sorted(found.items()))


@lru_cache(maxsize=1)
def _all_plugins() -> tuple[Plugin, ...]:
    found: dict[tuple[str, str, str, str], Plugin] = {}
    for distribution in distributions():
        for entry in distribution.entry_points:
            if not entry.group.startswith("kgbench."):
                continue
            group = entry.group.removeprefix("kgbench.")
            owner = distribution.metadata["Name"] or "unknown"
            # An editable install may be seen twice on the path: the same owner and target are one plugin.
            key = (group, entry.name, owner, entry.value)
            found.setdefault(key, Plugin(entry.name, group, owner, distribution.version, entry.value, entry))
    return tuple(found[key] for key in sorted(found))


def forget() -> None:
    """Forget what was found, for tests that install a plugin into the running process."""
    _all_plugins.cache_clear()


def names(group: str) -> list[str]:
    """Registered names of a group, sorted; nothing is imported."""
    return list(plugins(group))


def load(group: str, name: str) -> Any:
    """Import what a name stands for.

    Raises:
        UsageError: no such name (with the nearest ones), or two owners claim it.
        BrokenPlugin: the plugin cannot be imported; the text names its distribution, version and the reason.
    """
    registered = plugins(group)
    if name not in registered:
        raise UsageError(unknown(group.removesuffix("s"), name, registered))
    claimed = registered[name]
    if len(claimed) > 1:
        owners = " and ".join(f"{plugin.distribution} {plugin.version}" for plugin in claimed)
        raise BrokenPlugin(f'the {group.removesuffix("s")} "{name}" is claimed by {owners}; uninstall one of them')
    plugin = claimed[0]
    try:
        return plugin.entry_point.load()
    except Exception as error:
        raise BrokenPlugin(
            f'the {group.removesuffix("s")} "{name}" of {plugin.distribution} {plugin.version} ({plugin.target}) cannot be '
            f"imported: {type(error).__name__}: {error}. Repair or uninstall that package; the others still work."
        ) from error


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """Say that a name is unknown, with the nearest known ones."""
    options = sorted(known)
    near = difflib.get_close_matches(name, options, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else f"known are: {', '.join(options)}"
    return f'there is no {kind} "{name}"; {hint}'
