"""Entry points: whether each registered method and adapter can be imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench import registry
from kgbench.doctor.rows import CheckRow, ok, warning

if TYPE_CHECKING:
    from kgbench.doctor.case import Case


def check_plugins(case: Case) -> list[CheckRow]:
    """Import every registered part by itself; a broken one is named and hurts no other."""
    working: dict[str, list[str]] = {group: [] for group in registry.GROUPS}
    broken: list[CheckRow] = []
    for group in registry.GROUPS:
        for name in registry.names(group):
            try:
                registry.load(group, name)
            except registry.BrokenPlugin as error:
                broken.append(
                    warning("plugins", str(error), "the other parts work; see kgbench list " + group, name=name)
                )
            except SystemExit:
                text = f'the {group.removesuffix("s")} "{name}" ends the program when it is imported'
                broken.append(warning("plugins", text, "uninstall that package", name=name))
            else:
                working[group].append(name)
    found = "; ".join(f"{len(names)} {group} ({', '.join(names)})" for group, names in working.items() if names)
    return broken or [ok("plugins", found, **working)]
