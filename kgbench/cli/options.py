"""The options of ``kgbench run``, by panel; each is None where the user did not give it."""

from __future__ import annotations

from typing import Annotated

import typer

METHOD_PANEL = "What to run"
DATA_PANEL = "Questions and graph"
MODEL_PANEL = "Model"
PRIVACY_PANEL = "Privacy"
EXECUTION_PANEL = "Execution"
SETTINGS_PANEL = "Settings and output"


def _option(name: str, panel: str, metavar: str, text: str, default: str = "") -> typer.models.OptionInfo:
    info: typer.models.OptionInfo = typer.Option(
        name, rich_help_panel=panel, metavar=metavar, help=text, show_default=default or False
    )
    return info


MethodName = Annotated[
    str | None, _option("--method", METHOD_PANEL, "NAME", "Method; kgbench list methods shows them.", "arog")
]
ScenarioName = Annotated[
    str | None,
    _option(
        "--scenario", METHOD_PANEL, "private|p-r|p-g|p-rag", "Which prompts show names: none, or by phase.", "private"
    ),
]
Setting = Annotated[
    str | None,
    _option(
        "--setting", METHOD_PANEL, "total|filtered", "filtered drops what the model knows without a graph.", "total"
    ),
]

DatasetName = Annotated[
    str | None,
    _option("--dataset", DATA_PANEL, "NAME or NAME:PATH", "Questions; jsonl:PATH takes a file of your own.", "demo"),
]
GraphLocation = Annotated[
    str | None, _option("--kg", DATA_PANEL, "PATH", "Graph: a folder, RDF file or store.", "the data set's own")
]
GraphProfile = Annotated[str | None, _option("--kg-profile", DATA_PANEL, "NAME", "How to read the graph.", "guessed")]
Where = Annotated[
    str | None,
    _option("--where", DATA_PANEL, "FILTER", "Only questions whose tags fit, such as answerable=exact,hops>=2."),
]
Limit = Annotated[int | None, _option("--limit", DATA_PANEL, "N", "Only the first N questions, in file order.")]

ModelName = Annotated[
    str | None, _option("--model", MODEL_PANEL, "NAME", "Model; kgbench list models shows the forms.", "builtin/reader")
]
BaseUrl = Annotated[
    str | None, _option("--base-url", MODEL_PANEL, "URL", "Address of an OpenAI-compatible server of your own.")
]
LocalModel = Annotated[
    str | None, _option("--local-model", MODEL_PANEL, "NAME", "Model of the trusted zone; it may see names.")
]
EmbedderName = Annotated[
    str | None, _option("--embedder", MODEL_PANEL, "NAME", "Text encoder, or st/NAME.", "builtin/static")
]

PseudonymsMode = Annotated[
    str | None,
    _option("--pseudonyms", PRIVACY_PANEL, "keyed|source-id", "What stands for an entity without its name.", "keyed"),
]
PseudonymScopeName = Annotated[
    str | None,
    _option("--pseudonym-scope", PRIVACY_PANEL, "question|run", "How long a handle stands for an entity.", "question"),
]
Literals = Annotated[
    str | None,
    _option("--literals", PRIVACY_PANEL, "handle|typed|plain", "How dates, numbers and texts are shown.", "handle"),
]
TopicNamesMode = Annotated[
    str | None,
    _option("--topic-names", PRIVACY_PANEL, "mention|label|mask", "How a question's topics are shown.", "mention"),
]
Shield = Annotated[
    list[str] | None, _option("--shield", PRIVACY_PANEL, "NAME", "Defence to switch on; none is in this version.")
]

Trials = Annotated[int | None, _option("--trials", EXECUTION_PANEL, "N", "Runs over every question.", "1")]
Seed = Annotated[int | None, _option("--seed", EXECUTION_PANEL, "N", "Seed of every random choice.", "0")]
Jobs = Annotated[int | None, _option("--jobs", EXECUTION_PANEL, "N", "Questions side by side.", "4")]
ExecutorName = Annotated[
    str | None, _option("--executor", EXECUTION_PANEL, "threads", "What runs questions side by side.", "threads")
]
Out = Annotated[str | None, _option("--out", EXECUTION_PANEL, "FOLDER", "Folder for run folders.", "runs")]
Budget = Annotated[
    float | None, _option("--budget", EXECUTION_PANEL, "USD", "Stop asking when this much is spent; resume goes on.")
]
Cache = Annotated[
    str | None, _option("--cache", EXECUTION_PANEL, "on|off|read|refresh", "Use of earlier replies.", "on")
]
MaxErrors = Annotated[
    float | None,
    _option("--max-errors", EXECUTION_PANEL, "SHARE", "Exit 1 when more than this share ends in an error.", "0.05"),
]

Assignments = Annotated[
    list[str] | None,
    _option("--set", SETTINGS_PANEL, "KEY=VALUE", "Any setting, such as method.width=2; may be repeated."),
]
Config = Annotated[
    str | None, _option("--config", SETTINGS_PANEL, "FILE or NAME", "TOML file, or a preset of kgbench list presets.")
]
PlanOnly = Annotated[
    bool,
    typer.Option(
        "--plan", rich_help_panel=SETTINGS_PANEL, help="Show settings, data, expected calls and cost; run nothing."
    ),
]
AsJson = Annotated[
    bool, typer.Option("--json", rich_help_panel=SETTINGS_PANEL, help="Print one JSON object instead of text.")
]
RunDebug = Annotated[
    bool,
    typer.Option(
        "--debug",
        rich_help_panel=SETTINGS_PANEL,
        help="Show where an error came from; this may print content of the graph.",
    ),
]
