"""Towns, sites and wards of the demo graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.data.demo import schema, words
from kgbench.data.demo.draft import integer_literal, text_literal, year_literal
from kgbench.data.demo.world import World, with_homonyms, with_odd_names

if TYPE_CHECKING:
    import random

WARD_HOMONYM_EVERY = 9
"""Every ninth ward shares its name with the next one, which stands at another site."""


def add_places(world: World) -> None:
    """Adds regions, towns, sites and wards."""
    rng = world.rng("places")
    world.specialties = [world.draft.node(name, schema.SPECIALTY) for name in words.SPECIALTIES]
    _add_towns(world, rng)
    _add_sites(world, rng)
    _add_wards(world, rng)


def _add_towns(world: World, rng: random.Random) -> None:
    regions = [world.draft.node(world.names.region(), schema.REGION) for _ in range(world.sizes.regions)]
    for _ in range(world.sizes.towns):
        town = world.draft.node(world.names.town(), schema.TOWN)
        world.draft.add(town, "geography.town.region", rng.choice(regions))
        world.towns.append(town)


def _add_sites(world: World, rng: random.Random) -> None:
    for number in range(world.sizes.sites):
        name = world.names.site()
        short = name.split()[0]
        site = world.draft.node(name, schema.SITE, alias=short if number % 2 and world.names.free(short) else "")
        world.draft.add(site, "hospital.site.part_of", world.group)
        world.draft.add(site, "hospital.site.located_in", rng.choice(world.towns))
        world.draft.add(site, "hospital.site.opened_in", year_literal(rng.randint(1871, 2009)))
        world.draft.add(site, "hospital.site.bed_count", integer_literal(rng.randint(40, 620)))
        world.sites.append(site)


def _add_wards(world: World, rng: random.Random) -> None:
    pairs = with_odd_names([world.names.ward() for _ in range(world.sizes.wards)], words.ODD_WARDS, rng)
    pairs = with_homonyms(pairs, words.ODD_WARDS, WARD_HOMONYM_EVERY, distance=1)
    for number, (name, alias) in enumerate(pairs):
        ward = world.draft.node(name, schema.WARD, alias=alias)
        code = f"{rng.choice('ABCDEFGH')}{rng.randint(1, 9)}{rng.choice('kmnpq')}"
        if number % 3 == 0 and world.names.free(code):
            world.draft.add_alias(ward, code)
        world.draft.add(ward, "hospital.ward.at_site", world.sites[number % len(world.sites)])
        world.draft.add(ward, "hospital.ward.run_by", world.group)
        world.draft.add(ward, "hospital.ward.floor", integer_literal(rng.randint(0, 9)))
        world.draft.add(ward, "hospital.ward.field", rng.choice(world.specialties))
        world.draft.add(ward, "hospital.ward.extension", text_literal(f"{rng.randint(2, 9)}-{rng.randint(100, 999)}"))
        if number % 4 == 0:
            _add_motto(world, ward, rng)
        world.wards.append(ward)
        world.staff_of[ward] = []
        world.devices_in[ward] = []


def _add_motto(world: World, ward: int, rng: random.Random) -> None:
    motto = rng.randrange(len(words.MOTTOES_EN))
    world.draft.add(ward, "hospital.ward.motto", text_literal(words.MOTTOES_EN[motto], "en"))
    world.draft.add(ward, "hospital.ward.motto", text_literal(words.MOTTOES_DE[motto], "de"))
