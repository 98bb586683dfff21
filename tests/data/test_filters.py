"""Filters over tags."""

from __future__ import annotations

import pytest

from kgbench.data.filters import Condition, filter_records, parse_conditions
from kgbench.errors import UsageError
from kgbench.types import Gold, JsonObject, Question, QuestionRecord


def record(question_id: str, **tags: object) -> QuestionRecord:
    given: JsonObject = dict(tags)
    return QuestionRecord(Question(question_id, "Who?"), Gold(question_id, ()), tags=given)


RECORDS = (
    record("a", answerable="exact", hops=1, score=0.5, reviewed=True, level="i.i.d.", chain=["x"]),
    record("b", answerable="exact", hops=2, score=1.0, reviewed=False, level=None),
    record("c", answerable="relaxed", hops=10, score=2, level="zero-shot"),
    record("d", answerable="relaxed", hops="3", level="a=b"),
)


@pytest.mark.parametrize(
    ("where", "kept"),
    [
        ("", "abcd"),
        ("answerable=exact", "ab"),
        ("answerable!=exact", "cd"),
        ("hops<2", "a"),
        ("hops<=2", "ab"),
        ("hops>2", "cd"),
        ("hops>=3", "cd"),
        ("hops=3", "d"),
        ("hops=3.0", "d"),
        ("score=1", "b"),
        ("score>0.5", "bc"),
        ("score!=2", "abd"),
        ("reviewed=true", "a"),
        ("reviewed!=true", "bcd"),
        ("level=null", "b"),
        ("level=zero-shot", "c"),
        ("level=a=b", "d"),
        ("answerable=exact,hops>=2", "b"),
        (" answerable = relaxed , hops > 5 ", "c"),
        ("answerable=exact,answerable=relaxed", ""),
        ("answerable=Exact", ""),
    ],
)
def test_filter(where: str, kept: str) -> None:
    assert "".join(item.question.id for item in filter_records(RECORDS, where)) == kept


def test_unknown_tag_lists_the_tags_and_guesses() -> None:
    with pytest.raises(UsageError) as caught:
        filter_records(RECORDS, "answerabel=exact")
    assert 'no record has the tag "answerabel"; did you mean "answerable"?' in str(caught.value)
    assert "tags to filter by: answerable, hops, level, reviewed, score" in str(caught.value)
    assert "chain" not in str(caught.value), "what cannot be compared is not offered"


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("answerable", "is no condition"),
        ("=exact", "is no condition"),
        ("hops>two", "compares numbers"),
        ("answerable<3", "holds no numbers"),
        ("chain=x", "holds lists or objects"),
    ],
)
def test_wrong_use(where: str, expected: str) -> None:
    with pytest.raises(UsageError, match=expected):
        filter_records(RECORDS, where)


def test_no_records_no_fault() -> None:
    assert filter_records((), "hops=1") == ()


def test_longest_operator_is_read() -> None:
    assert parse_conditions("a<=1,b!=2,c>=3") == (
        Condition("a", "<=", "1"),
        Condition("b", "!=", "2"),
        Condition("c", ">=", "3"),
    )
