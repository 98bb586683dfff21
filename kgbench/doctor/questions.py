"""The questions: whether they load, and what became of the records of their file."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from kgbench.doctor.rows import CheckRow, ok, warning
from kgbench.run.plan import open_dataset, selected_records

if TYPE_CHECKING:
    from kgbench.data.records import LoadReport
    from kgbench.doctor.case import Case
    from kgbench.types import QuestionRecord


def check_questions(case: Case) -> list[CheckRow]:
    """Load the data set and choose the questions that the run asks.

    Raises:
        KgbenchError: no such data set or file, faults in it, or no question is left.
    """
    case.dataset = case.given.dataset or open_dataset(case.spec)
    case.records = selected_records(case.spec, case.dataset)
    report, asked = case.dataset.report, len(case.records)
    dropped = Counter(reason for _, reason in report.dropped)
    without_topic = sum(not record.question.topics for record in case.records)
    without_gold = sum(not record.gold.answers for record in case.records)
    facts = {
        "dataset": case.dataset.name,
        "records": report.records,
        "kept": report.kept,
        "dropped": dict(sorted(dropped.items())),
        "asked": asked,
        "without_topic": without_topic,
        "without_gold": without_gold,
    }
    found = f"{asked:,} of {case.dataset.name}; {report.file}: {report.records:,} records, {report.kept:,} kept"
    problems = [
        *_dropped(report, dropped),
        *report.notes,
        *_lacking(without_topic, asked, "name no topic entity: methods that start there cannot answer them"),
        *_lacking(without_gold, asked, "have no gold answer: each is a miss"),
    ]
    if not problems:
        return [ok("questions", f"{found}; all have topic entities and gold answers", **facts)]
    next_step = "leave them out with --where or mend the file, or know that they count as asked"
    return [warning("questions", "; ".join([found, *problems]), next_step, **facts)]


def _dropped(report: LoadReport, reasons: Counter[str]) -> list[str]:
    listed = ", ".join(f"{count:,} {reason}" for reason, count in sorted(reasons.items()))
    return [f"{len(report.dropped):,} dropped ({listed})"] if report.dropped else []


def _lacking(count: int, asked: int, what: str) -> list[str]:
    return [f"{count:,} of {asked:,} {what}"] if count else []


def topic_ids(record: QuestionRecord) -> set[str]:
    """Ids of a question's topic entities."""
    return {topic.id for topic in record.question.topics}


def gold_ids(record: QuestionRecord) -> set[str]:
    """Ids of a question's gold answers, as far as they are entities."""
    return {answer.id for answer in record.gold.answers if answer.id is not None}
