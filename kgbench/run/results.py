"""From records and gold to scores and the summary row: no model, no graph."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from kgbench.run.store import GOLD, RunFolder
from kgbench.run.usage import Records, exposure_scores, usage_scores
from kgbench.scoring.score import METRICS, ScoredRow, score_run
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
    from collections.abc import Iterable

    from kgbench.types import JsonObject

SCORES_SCHEMA = 2
"""Version of ``scores.json``: 2 brought the header, usage by stage and measured exposure."""


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
    reasons: dict[str, str] = field(default_factory=dict)
    """The commonest error text of ``llm_error``. Others stay in the records, for a method's own may quote a reply."""

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
    """Score a run from its records and gold and write ``scores.json``.

    The file says which run it is of and holds counts and scores alone, no name, literal or id of the graph: it can be
    kept and shown without the run.
    """
    loaded = load_results(folder)
    manifest = folder.manifest()
    trials = int(manifest["spec"]["trials"])
    records = Records(loaded.records, loaded.golds, trials)
    scores: dict[str, Any] = {"schema": SCORES_SCHEMA, "run": header(manifest, n=len(loaded.golds))}
    scores |= score_run(loaded.rows, loaded.golds, trials)
    scores |= usage_scores(records)
    scores |= _findings(records)
    scores["error_rate"] = records.entry(_is_error)
    scores["cost_usd"] = _cost(records, manifest.get("setup"))
    scores["exposure"] = exposure_scores(records)
    folder.write_scores(scores)
    return scores


def header(manifest: JsonObject, *, n: int) -> dict[str, Any]:
    """What was run, as it stands at the head of ``scores.json``: settings, contents and versions, no path.

    Args:
        manifest: the run's.
        n: questions asked.
    """
    spec, identity, model = manifest["spec"], manifest["identity"], manifest["model"]
    return {
        **{key: manifest[key] for key in ("run_id", "spec_id", "signature", "status")},
        "kgbench": manifest["versions"]["kgbench"],
        "method": spec["method"],
        "method_version": identity["method_version"],
        "parameters": {"changed": spec["parameters"], "effective": identity["parameters"]},
        "scenario": spec["scenario"],
        **{key: spec[key] for key in ("pseudonyms", "pseudonym_scope", "literals", "topic_names", "shield")},
        "identifiers_public": bool(manifest.get("identifiers_public")),
        "key_id": manifest["key_id"],
        **{key: identity[key] for key in ("dataset", "data_hash", "questions_hash")},
        **{key: spec[key] for key in ("where", "setting", "trials", "seed")},
        "n": n,
        **{key: identity[key] for key in ("kg", "kg_profile", "kg_fingerprint")},
        "model": model["name"],
        "base_url": model["base_url"],
        "lm": model["language_model"],
        "local_model": spec["local_model"],
        "embedder": spec["embedder"],
        "embedder_revision": identity["embedder_revision"],
    }


def _findings(records: Records) -> dict[str, Any]:
    """What the audit found, over all questions and trials, in the same form as the scores."""
    found = [record["audit"] for record in records.known()]
    names = (("leaks", "leaks"), ("echoes", "echo"), ("ambiguous", "ambiguous"), ("topic_labels", "topic_label"))
    return {
        name: {"value": sum(counts.get(part, 0) for counts in found), "ci": None, "n": records.planned}
        for name, part in names
    }


def _cost(records: Records, setup: JsonObject | None) -> dict[str, Any]:
    """US dollars paid, the step before the first question included; None where a price is unknown."""
    paid = [record["total"]["billed_usd"] for record in records.known()]
    if setup is not None:
        paid.append(setup["billed_usd"])
    known = None if any(value is None for value in paid) else sum(paid)
    return {"value": known, "ci": None, "n": records.planned}


def _is_error(record: JsonObject) -> float:
    return float(record["status"] in tuple(ERROR_STATUSES))


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
        reasons=_reasons(records.values()),
    )


def _reasons(records: Iterable[JsonObject]) -> dict[str, str]:
    found: dict[str, Counter[str]] = {}
    for record in records:
        if record["status"] == Status.LLM_ERROR and record["error"]:
            found.setdefault(record["status"], Counter())[record["error"].partition("\n")[0]] += 1
    return {status: counts.most_common(1)[0][0] for status, counts in sorted(found.items())}
