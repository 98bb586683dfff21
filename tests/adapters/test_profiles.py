"""Profiles: the skip lists, the guess, the names."""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest

from kgbench.contracts import Profile
from kgbench.errors import UsageError
from kgbench_adapters import profiles


def skipped(profile: str, use: str, label: str) -> bool:
    return any(fnmatchcase(label, pattern) for pattern in profiles.vocabulary(profile).profile.skip[use])


BOOKKEEPING = [
    "common.topic.webpage-common.webpage.category",
    "freebase.valuenotation.is_reviewed",
    "type.object.key",
    "kg.object_profile.prominent_type",
    "owl:sameAs",
    "http://www.w3.org/2002/07/owl#sameAs",
    "rdf-schema#seeAlso",
    "rdfs:seeAlso",
    "key:wikipedia.en",
    "key.wikipedia.en",
    "a label",
    "N/A",
]


@pytest.mark.parametrize("label", BOOKKEEPING)
@pytest.mark.parametrize("use", ["explore", "explore-official", "describe"])
def test_freebase_skips_bookkeeping_for_every_use(label: str, use: str) -> None:
    assert skipped("freebase", use, label)


@pytest.mark.parametrize(
    ("label", "uses"),
    [
        ("base.aareas.schema.administrative_area.capital", {"describe"}),
        ("user.orvane.default_domain.thing", {"explore", "describe"}),
        ("people.person.nationality", set()),
        ("film.actor.film-film.performance.film", set()),
        ("film.film.common_theme", set()),
    ],
)
def test_freebase_uses_differ_in_base_and_user(label: str, uses: set[str]) -> None:
    assert {use for use in ("explore", "explore-official", "describe") if skipped("freebase", use, label)} == uses


def test_plain_skips_the_terms_of_rdf_alone() -> None:
    for use in ("explore", "explore-official", "describe"):
        assert skipped("plain", use, "rdf:first")
        assert skipped("plain", use, "owl:sameAs")
        assert not skipped("plain", use, "common.topic.image")
        assert not skipped("plain", use, "works in")


def test_what_the_two_profiles_are() -> None:
    freebase, plain = (profiles.vocabulary(name).profile for name in ("freebase", "plain"))
    assert freebase.opaque_ids
    assert freebase.unlisted_are_mediators
    assert not plain.opaque_ids
    assert not plain.unlisted_are_mediators
    assert freebase.row_limit == plain.row_limit == 10_000


@pytest.mark.parametrize(
    ("ids", "name"),
    [
        (["m.01", "g.11b6gq6dl2"], "freebase"),
        (["http://rdf.freebase.com/ns/m.01"], "freebase"),
        (["m.01"] * 6 + ["people.person"] * 4, "freebase"),
        (["http://rdf.freebase.com/ns/people.person"], "freebase"),
        (["m.01"] * 5 + ["x"] * 5, "plain"),
        (["mq.00001"], "plain"),
        ([], "plain"),
    ],
)
def test_the_guess(ids: list[str], name: str) -> None:
    assert profiles.guess(ids) == name


def test_an_unknown_profile_is_an_error_with_the_nearest_name() -> None:
    with pytest.raises(UsageError, match="did you mean freebase"):
        profiles.vocabulary("freebas")
    with pytest.raises(UsageError, match="known are: dbpedia, freebase, plain, wikidata"):
        profiles.vocabulary("zzz")


@pytest.mark.parametrize(
    ("profile", "label", "skips"),
    [
        ("wikidata", "VIAF ID", True),
        ("wikidata", "Commons category", True),
        ("wikidata", "educated at (value)", True),
        ("wikidata", "wikibase:rank", True),
        ("wikidata", "value node:P69", True),
        ("wikidata", "educated at", False),
        ("wikidata", "educated at (statement)", False),
        ("wikidata", "start time (qualifier)", False),
        ("dbpedia", "wikiPageID", True),
        ("dbpedia", "infobox:wikiPageUsesTemplate", True),
        ("dbpedia", "owl:sameAs", True),
        ("dbpedia", "birthPlace", False),
        ("dbpedia", "infobox:birthPlace", False),
    ],
)
def test_bookkeeping_of_the_public_graphs(profile: str, label: str, skips: bool) -> None:
    for use in ("explore", "explore-official", "describe"):
        assert skipped(profile, use, label) is skips


def test_ones_own_profile_is_kept() -> None:
    own = Profile(name="ours", row_limit=7)
    assert profiles.vocabulary(own).profile is own
    assert profiles.vocabulary(Profile(name="freebase", row_limit=7)).folder.entity == "http://rdf.freebase.com/ns/"
