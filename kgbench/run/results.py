"""From records and gold to scores and the summary row: no model, no graph."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from kgbench.run.store import GOLD, RunFolder
from kgbench.scoring.score import METRICS, ScoredRow, score_run
from kgbench.scoring.statistics import bootstrap_interval
from kgbench.types import (
    ERROR_STATUSES,
    SCORED,
    AnswerItem,
    Gold,
    GoldAnswer,
    QuestionRecord,
    RestoredPrediction,
    Source,
    Status,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgbench.types import JsonObject

PER_QUESTION = ("calls_per_question", "input_tokens_per_question", "output_tokens_per_question")


@dataclass(frozen=True)
class Summary:
    """The row of one run, as ``run --json`` prints it."""

    run_id: str
    spec_id: str
    signature: str
    status: str
    method: str
    scenario: str
    setting: str
    dataset: str
    kg: str
    model: str
    lm: bool
    n: int
    trials: int
    statuses: dict[str, int]
    hits1: float | None
    hits1_ci: list[float] | None
    hit_any: float | None
    f1: float | None
    tog_loose: float | None
    calls_per_question: float | None
    input_tokens_per_question: float | None
    output_tokens_per_question: float | None
    cost_usd: float | None
    """What this run paid; None where a price is unknown."""
    leaks: int
    echoes: int
    fallback_share: float | None
    error_rate: float
    identifiers_public: bool
    seconds: float
    """Sum over questions, side by side or not; replies from the cache take none."""
    path: str
    cached_calls: int
    notes: dict[str, int]

    def to_json(self) -> dict[str, Any]:
        """JSON-ready values."""
        return asdict(self)


def gold_json(record: QuestionRecord) -> JsonObject:
    """The gold of one question with its text, as frozen beside the records."""
    gold = record.gold
    return {
        "question_id": gold.question_id,
        "question": record.question.text,
        "answers": [asdict(answer) for answer in gold.answers],
        "parses": [list(parse) for parse in gold.parses],
        "flags": list(gold.flags),
        "tags": {key: value for key, value in record.tags.items() if isinstance(value, (str, int, float, bool))},
    }


def gold_of(data: JsonObject) -> Gold:
    """Read back what :func:`gold_json` wrote."""
    answers = tuple(GoldAnswer(**{**answer, "aliases": tuple(answer["aliases"])}) for answer in data["answers"])
    parses = tuple(tuple(parse) for parse in data["parses"])
    return Gold(data["question_id"], answers, parses, tuple(data["flags"]))


def prediction_of(data: JsonObject) -> RestoredPrediction:
    """Read back a restored prediction from a record."""
    items = tuple(
        AnswerItem(**{**item, "ids": tuple(item["ids"]), "aliases": tuple(item["aliases"])}) for item in data["items"]
    )
    return RestoredPrediction(
        items, data["raw"], Source(data["source"]), tuple(data["flags"]), tuple(data["entity_names"])
    )


def hit_of(record: JsonObject, question: QuestionRecord) -> float | None:
    """hits1 of one record, for the running score; None where its status is not scored."""
    if record["status"] not in tuple(SCORED):
        return None
    metric = METRICS["hits1"]
    stats = metric.item(question.question.text, prediction_of(record["prediction"]), question.gold)
    return metric.total([stats]).value


@dataclass(frozen=True)
class Loaded:
    """Records and gold of a run, ready to score."""

    rows: list[ScoredRow]
    golds: dict[str, Gold]
    records: dict[tuple[str, int], JsonObject]
    texts: dict[str, str]
    tags: dict[str, JsonObject]


def load_results(folder: RunFolder) -> Loaded:
    """Read records and gold of a run."""
    golds: dict[str, Gold] = {}
    texts: dict[str, str] = {}
    tags: dict[str, JsonObject] = {}
    for data in folder.lines(GOLD):
        golds[data["question_id"]] = gold_of(data)
        texts[data["question_id"]] = data["question"]
        tags[data["question_id"]] = data.get("tags", {})
    records = {key: record for key, record in sorted(folder.records().items()) if key[0] in golds}
    rows = [
        ScoredRow(question_id, trial, texts[question_id], Status(record["status"]), prediction_of(record["prediction"]))
        for (question_id, trial), record in records.items()
    ]
    return Loaded(rows, golds, records, texts, tags)


def score_folder(folder: RunFolder) -> dict[str, Any]:
    """Score a run from its records and gold and write ``scores.json``."""
    loaded = load_results(folder)
    manifest = folder.manifest()
    trials = int(manifest["spec"]["trials"])
    scores: dict[str, Any] = score_run(loaded.rows, loaded.golds, trials)
    scores |= _counts(loaded, trials)
    scores["cost_usd"] = _cost(loaded, manifest.get("setup"), len(loaded.golds) * trials)
    folder.write_scores(scores)
    return scores


def _counts(loaded: Loaded, trials: int) -> dict[str, Any]:
    """Calls, tokens, leaks and errors per question and trial, in the same form as the scores."""
    planned = len(loaded.golds) * trials
    keys = [(question_id, trial) for question_id in loaded.golds for trial in range(trials)]
    entries: dict[str, Any] = {}
    for name, field in zip(PER_QUESTION, ("calls", "input_tokens", "output_tokens"), strict=True):
        values = [float(_logical(loaded.records.get(key), field)) for key in keys]
        entries[name] = _entry(values, planned)
    for name, part in (
        ("leaks", "leaks"),
        ("echoes", "echo"),
        ("ambiguous", "ambiguous"),
        ("topic_labels", "topic_label"),
    ):
        total = sum(record["audit"].get(part, 0) for record in loaded.records.values())
        entries[name] = {"value": total, "ci": None, "n": planned}
    errors = [float(_is_error(loaded.records.get(key))) for key in keys]
    entries["error_rate"] = _entry(errors, planned)
    return entries


def _cost(loaded: Loaded, setup: JsonObject | None, planned: int) -> dict[str, Any]:
    """US dollars paid, the step before the first question included; None where a price is unknown."""
    paid = [record["total"]["billed_usd"] for record in loaded.records.values()]
    if setup is not None:
        paid.append(setup["billed_usd"])
    known = None if any(value is None for value in paid) else sum(paid)
    return {"value": known, "ci": None, "n": planned}


def _logical(record: JsonObject | None, field: str) -> int:
    return int(record["total"]["logical"][field]) if record is not None else 0


def _is_error(record: JsonObject | None) -> bool:
    return record is not None and record["status"] in tuple(ERROR_STATUSES)


def _entry(values: Sequence[float], n: int) -> dict[str, Any]:
    mean = sum(values) / len(values) if values else None
    interval = bootstrap_interval(values) if values else None
    return {
        "value": None if mean is None else round(mean, 6),
        "ci": None if interval is None else [round(bound, 6) for bound in interval],
        "n": n,
    }


def summarise(folder: RunFolder) -> Summary:
    """The row of a scored run."""
    manifest, scores = folder.manifest(), folder.scores()
    records = folder.records()
    spec = manifest["spec"]
    notes: Counter[str] = Counter()
    for record in records.values():
        notes.update(record["notes"])

    def value(name: str) -> Any:
        return scores.get(name, {}).get("value")

    statuses = Counter(record["status"] for record in records.values())
    missing = len(manifest["questions"]) * spec["trials"] - len(records)
    if missing:
        statuses["missing"] = missing
    logical = sum(record["total"]["logical"]["calls"] for record in records.values())
    billed = sum(record["total"]["billed"]["calls"] for record in records.values())
    return Summary(
        run_id=folder.run_id,
        spec_id=manifest["spec_id"],
        signature=manifest["signature"],
        status=manifest["status"],
        method=spec["method"],
        scenario=spec["scenario"],
        setting=spec["setting"],
        dataset=manifest["identity"]["dataset"],
        kg=manifest["identity"]["kg"],
        model=manifest["model"]["name"],
        lm=manifest["model"]["language_model"],
        n=len(manifest["questions"]),
        trials=spec["trials"],
        statuses=dict(sorted(statuses.items())),
        hits1=value("hits1"),
        hits1_ci=scores.get("hits1", {}).get("ci"),
        hit_any=value("hit_any"),
        f1=value("f1"),
        tog_loose=value("tog_loose"),
        calls_per_question=value("calls_per_question"),
        input_tokens_per_question=value("input_tokens_per_question"),
        output_tokens_per_question=value("output_tokens_per_question"),
        cost_usd=value("cost_usd"),
        leaks=value("leaks") or 0,
        echoes=value("echoes") or 0,
        fallback_share=value("fallback_share"),
        error_rate=value("error_rate") or 0.0,
        identifiers_public=bool(manifest.get("identifiers_public")),
        seconds=round(sum(record["seconds"] for record in records.values()), 2),
        path=str(folder.path),
        cached_calls=logical - billed,
        notes=dict(sorted(notes.items())),
    )
