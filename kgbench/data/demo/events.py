"""Projects, incidents and trainings of the demo graph; most incidents have no name and are no mediators for that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.data.demo import schema, words
from kgbench.data.demo.draft import (
    date_literal,
    day_between,
    integer_literal,
    money_literal,
    text_literal,
    year_literal,
)
from kgbench.data.demo.names import acronym
from kgbench.data.demo.world import FIRST_YEAR_OF_BUSINESS, LAST_YEAR, World, with_odd_names

if TYPE_CHECKING:
    import random

SHARE_OF_NAMED_INCIDENTS = 0.3
SHARE_WITH_DEVICE = 0.8
SHARE_WITH_PARTNER = 0.7
SHARE_WITH_PROVIDER = 0.5
WORST_SEVERITY = 5
SUMMARIES = (("en", words.SUMMARIES_EN), ("en", words.SUMMARIES_EN), ("de", words.SUMMARIES_DE))
"""Two of three summaries are English."""


def add_events(world: World) -> None:
    """Adds projects with their members, incidents, and trainings with those who attended."""
    _add_projects(world, world.rng("research"))
    _add_incidents(world, world.rng("safety"))
    _add_trainings(world, world.rng("learning"))


def _add_projects(world: World, rng: random.Random) -> None:
    pairs = with_odd_names([world.names.project() for _ in range(world.sizes.projects)], words.ODD_PROJECTS, rng)
    for number, (name, alias) in enumerate(pairs):
        project = world.draft.node(name, schema.PROJECT, alias=alias)
        short = acronym(name)
        if not alias and number % 3 == 0 and world.names.free(short):
            world.draft.add_alias(project, short)
        began = day_between(rng, FIRST_YEAR_OF_BUSINESS, LAST_YEAR)
        world.draft.add(project, "research.project.lead", rng.choice(world.people))
        world.draft.add(project, "research.project.host_ward", rng.choice(world.wards))
        world.draft.add(project, "research.project.field", rng.choice(world.specialties))
        world.draft.add(project, "research.project.began_on", date_literal(began))
        world.draft.add(project, "research.project.budget", money_literal(rng.randint(20_000, 900_000) * 100 + 50))
        if rng.random() < SHARE_WITH_PARTNER:
            world.draft.add(project, "research.project.industry_partner", rng.choice(world.suppliers))
        if number % 2 == 0:
            world.draft.add(project, "research.project.abstract", text_literal(rng.choice(words.ABSTRACTS_EN), "en"))
        if number % 4 == 0:
            world.draft.add(project, "research.project.abstract", text_literal(rng.choice(words.ABSTRACTS_DE), "de"))
        for member in rng.sample(world.people, rng.randint(2, 4)):
            _add_membership(world, project, member, rng)


def _add_membership(world: World, project: int, member: int, rng: random.Random) -> None:
    membership = world.draft.node("", schema.MEMBERSHIP)
    world.draft.add(project, "research.project.staffing", membership)
    world.draft.add(membership, "research.membership.member", member)
    world.draft.add(membership, "research.membership.time_share", integer_literal(rng.randint(1, 19) * 5))


def _add_incidents(world: World, rng: random.Random) -> None:
    for _ in range(world.sizes.incidents):
        named = rng.random() < SHARE_OF_NAMED_INCIDENTS
        incident = world.draft.node(world.names.incident() if named else "", schema.INCIDENT)
        ward = rng.choice(world.wards)
        day = day_between(rng, FIRST_YEAR_OF_BUSINESS, LAST_YEAR)
        reporter = rng.choice(world.staff_of[ward] or world.people)
        world.draft.add(incident, "safety.incident.place", ward)
        world.draft.add(incident, "safety.incident.reported_by", reporter)
        world.draft.add(incident, "safety.incident.filed_with", world.group)
        world.draft.add(incident, "safety.incident.happened_on", date_literal(day))
        world.draft.add(incident, "safety.incident.severity", integer_literal(rng.randint(1, WORST_SEVERITY)))
        language, summaries = rng.choice(SUMMARIES)
        world.draft.add(incident, "safety.incident.summary", text_literal(rng.choice(summaries), language))
        if world.devices_in[ward] and rng.random() < SHARE_WITH_DEVICE:
            world.draft.add(incident, "safety.incident.device", rng.choice(world.devices_in[ward]))


def _add_trainings(world: World, rng: random.Random) -> None:
    pairs = with_odd_names([world.names.lesson() for _ in range(world.sizes.trainings)], words.ODD_TRAININGS, rng)
    for number, (name, alias) in enumerate(pairs):
        training = world.draft.node(name, schema.TRAINING, alias=alias)
        code = f"T-{rng.randint(100, 999)}"
        if not alias and number % 2 == 0 and world.names.free(code):
            world.draft.add_alias(training, code)
        year = rng.randint(FIRST_YEAR_OF_BUSINESS, LAST_YEAR)
        world.draft.add(training, "learning.training.trainer", rng.choice(world.people))
        world.draft.add(training, "learning.training.held_at", rng.choice(world.sites))
        world.draft.add(training, "learning.training.offered_to", world.group)
        world.draft.add(training, "learning.training.year", year_literal(year))
        if rng.random() < SHARE_WITH_PROVIDER:
            world.draft.add(training, "learning.training.provider", rng.choice(world.suppliers))
        for attendee in rng.sample(world.people, rng.randint(2, 5)):
            _add_attendance(world, training, attendee, year, rng)


def _add_attendance(world: World, training: int, attendee: int, year: int, rng: random.Random) -> None:
    attendance = world.draft.node("", schema.ATTENDANCE)
    world.draft.add(attendance, "learning.attendance.attendee", attendee)
    world.draft.add(attendance, "learning.attendance.training", training)
    world.draft.add(attendance, "learning.attendance.passed_on", date_literal(day_between(rng, year, year)))
    world.draft.add(attendance, "learning.attendance.score", integer_literal(rng.randint(50, 100)))
