"""The staff of the demo graph, their ties, and the n-ary assignments of people to wards and roles."""

from __future__ import annotations

import datetime
from collections import Counter
from typing import TYPE_CHECKING

from kgbench.data.demo import schema, words
from kgbench.data.demo.draft import date_literal, day_between, some, year_literal
from kgbench.data.demo.names import initials
from kgbench.data.demo.world import LAST_YEAR, World, with_homonyms, with_odd_names

if TYPE_CHECKING:
    import random

PROFESSIONS = (schema.PHYSICIAN, schema.NURSE, schema.NURSE, "")
"""Second class of the people in turn; empty: none."""
PERSON_HOMONYM_EVERY = 28
PERSON_HOMONYM_DISTANCE = 7
AGE_AT_JOINING = (20, 32)
REPORTS_PER_BOSS = 5
SHARE_WITH_MENTOR = 0.3


def add_staff(world: World) -> None:
    """Adds the people, who leads and mentors whom, who works where, and the heads of wards and sites."""
    rng = world.rng("staff")
    _add_people(world, rng)
    _add_ties(world, rng)
    _add_assignments(world, rng)
    for ward in world.wards:
        world.draft.add(ward, "hospital.ward.manager", rng.choice(world.staff_of[ward] or world.people))
    for site in world.sites:
        world.draft.add(site, "hospital.site.director", rng.choice(world.people))


def _add_people(world: World, rng: random.Random) -> None:
    languages = [world.draft.node(name, schema.LANGUAGE) for name in words.LANGUAGES]
    pairs = with_odd_names([world.names.person() for _ in range(world.sizes.people)], words.ODD_PEOPLE, rng)
    pairs = with_homonyms(pairs, words.ODD_PEOPLE, PERSON_HOMONYM_EVERY, PERSON_HOMONYM_DISTANCE)
    bearers = Counter(name for name, _ in pairs)
    for number, (name, alias) in enumerate(pairs):
        profession = PROFESSIONS[number % len(PROFESSIONS)]
        person = world.draft.node(name, *filter(None, (schema.PERSON, profession)), alias=alias)
        if number % 5 == 0 and bearers[name] == 1 and world.names.free(initials(name)):
            world.draft.add_alias(person, initials(name))
        _describe(world, person, rng)
        for language in some(rng, languages, 2):
            world.draft.add(person, "staff.person.speaks", language)
        if profession == schema.PHYSICIAN:
            world.draft.add(person, "staff.person.specialises_in", rng.choice(world.specialties))
        world.people.append(person)


def _describe(world: World, person: int, rng: random.Random) -> None:
    born = day_between(rng, 1956, 2000)
    joined = min(LAST_YEAR, born.year + rng.randint(*AGE_AT_JOINING))
    world.draft.add(person, "staff.person.employer", world.group)
    world.draft.add(person, "staff.person.born_on", date_literal(born))
    world.draft.add(person, "staff.person.joined_in", year_literal(joined))
    world.draft.add(person, "staff.person.lives_in", rng.choice(world.towns))
    world.joined[person] = joined


def _add_ties(world: World, rng: random.Random) -> None:
    for number, person in enumerate(world.people[1:], start=1):
        boss = world.people[max(0, (number - 1) // REPORTS_PER_BOSS - rng.randint(0, 1))]
        world.draft.add(person, "staff.person.reports_to", boss)
        if rng.random() < SHARE_WITH_MENTOR:
            world.draft.add(person, "staff.person.mentor", world.people[rng.randrange(number)])


def _add_assignments(world: World, rng: random.Random) -> None:
    roles_of = {
        schema.PHYSICIAN: words.ROLES_OF_PHYSICIANS,
        schema.NURSE: words.ROLES_OF_NURSES,
        schema.PERSON: words.ROLES_OF_OTHERS,
    }
    role_nodes = {name: world.draft.node(name, schema.ROLE) for names in roles_of.values() for name in names}
    for number, person in enumerate(world.people):
        roles = roles_of[world.draft.nodes[person].classes[-1]]
        for ward in rng.sample(world.wards, 2 if number % 6 == 0 else 1):
            year = rng.randint(world.joined[person], LAST_YEAR)
            since = datetime.date(year, rng.randint(1, 12), rng.randint(1, 28))
            assignment = world.draft.node("", schema.ASSIGNMENT)
            world.draft.add(assignment, "staff.assignment.person", person)
            world.draft.add(assignment, "staff.assignment.ward", ward)
            world.draft.add(assignment, "staff.assignment.role", role_nodes[rng.choice(roles)])
            world.draft.add(assignment, "staff.assignment.since", date_literal(since))
            world.staff_of[ward].append(person)
