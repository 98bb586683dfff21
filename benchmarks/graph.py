"""What reads of a graph cost, embedded and over HTTP, beside the same reads without the adapters.

Generated graphs in the shape of Freebase are loaded and reopened; nodes are asked for their relations and neighbours by the
adapters and, in the same process, by the shortest loop over pyoxigraph that gives the same answers (over HTTP: by the
shortest request). Every graph is opened in a process of its own, so that memory is its own. Embedded reads are timed by the
CPU time of their thread; loading, and all over HTTP, by the clock on the wall: for these, leave the machine alone.

    python benchmarks/graph.py [--triples 300000,3000000] [--hub 2000000] [--reads 2000] [--rounds 5] [--no-http]
                               [--folder FOLDER] [--json]

``--hub`` reads one node with so many edges of one relation in place of the graphs above: in memory, from files in two
orders, on disk and over HTTP. Equal samples have equal digests.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import os
import platform
import shutil
import socket
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyoxigraph
from graph_files import write_graph, write_hub
from graph_reads import Cost, Speed, embedded, hub_embedded, hub_over_http, over_http

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

GOAL = 1.5
"""How much longer than raw pyoxigraph a read by the adapter may take."""


def main() -> None:
    """Run the benchmark and print its tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--triples", default="300000", help="sizes, with commas between them")
    parser.add_argument("--hub", type=int, help="edges of one node; measures this node in place of the sizes")
    parser.add_argument("--reads", type=int, default=2000, help="nodes, and edges, that are read")
    parser.add_argument("--rounds", type=int, default=5, help="the best of so many counts")
    parser.add_argument("--no-http", action="store_true", help="leave out oxigraph's server")
    parser.add_argument("--folder", type=Path, help="where the graphs go (default: a temporary folder)")
    parser.add_argument("--json", action="store_true", help="one JSON object in place of the tables")
    args = parser.parse_args()
    with _folder(args.folder) as folder:
        if args.hub:
            results = [_hub(folder / f"hub-{args.hub}", args.hub, http=not args.no_http)]
        else:
            sizes = [int(size) for size in args.triples.split(",")]
            results = [_size(folder / f"graph-{size}", size, args) for size in sizes]
    machine = _machine()
    if args.json:
        print(json.dumps({"machine": machine, "graphs": [_plain(result) for result in results]}, indent=1))
        return
    print(" · ".join(f"{name} {value}" for name, value in machine.items()))
    for result in results:
        _show(result)


def _size(folder: Path, triples: int, args: argparse.Namespace) -> dict[str, Any]:
    files, store = folder / "files", folder / "store"
    write_graph(files, triples)
    measured = [_alone(embedded, files, where, args.reads, args.rounds) for where in (None, store, store)]
    opened, speeds = [cost for cost, _ in measured], [*measured[0][1], *measured[2][1]]
    if not args.no_http:
        with _server(store) as url:
            cost, more = _alone(over_http, files, url, args.reads, args.rounds)
        opened, speeds = [*opened, cost], [*speeds, *more]
    return {"triples": triples, "megabytes_on_disk": _megabytes(store), "opened": opened, "speeds": speeds}


def _hub(folder: Path, triples: int, *, http: bool) -> dict[str, Any]:
    files, disorder, store = folder / "files", folder / "disorder", folder / "store"
    write_hub(files, triples)
    write_hub(disorder, triples, shuffled=True)
    sources = ((files, None), (disorder, None), (disorder, store))
    opened = [cost for source, where in sources for cost in _alone(hub_embedded, source, where)]
    if http:
        with _server(store) as url:
            opened += _alone(hub_over_http, url)
    return {"triples": triples, "megabytes_on_disk": _megabytes(store), "opened": opened, "speeds": []}


def _alone(work: Callable[..., Any], *arguments: object) -> Any:
    """Run a measurement in a process that has done nothing else."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(work, *arguments).result()


@contextlib.contextmanager
def _folder(given: Path | None) -> Iterator[Path]:
    if given is None:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)
    else:
        yield given


@contextlib.contextmanager
def _server(store: Path) -> Iterator[str]:
    """Oxigraph's own server over a store, on a free port of the loopback."""
    beside = Path(sys.executable).with_name("oxigraph")
    binary = shutil.which("oxigraph") or (str(beside) if beside.exists() else None)
    if binary is None:
        sys.exit("oxigraph's server is not installed: pip install oxigraph, or leave it out with --no-http")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        place = f"127.0.0.1:{probe.getsockname()[1]}"
    command = [binary, "serve-read-only", "--location", str(store), "--bind", place]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own words
        try:
            assert process.stderr is not None
            if not any("Listening for requests" in line for line in process.stderr):
                sys.exit("oxigraph's server ended before it was ready")
            yield f"http://{place}/query"
        finally:
            process.terminate()


# --- What is printed ---------------------------------------------------------------------------------------------------


def _machine() -> dict[str, str]:
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    versions = {"python": platform.python_version(), "pyoxigraph": pyoxigraph.__version__}
    return {"cores": str(os.cpu_count()), "load": load, **versions}


def _megabytes(folder: Path) -> float:
    return round(sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6, 1)


def _plain(result: dict[str, Any]) -> dict[str, Any]:
    speeds = [{**asdict(speed), "ratio": round(speed.ratio, 3)} for speed in result["speeds"]]
    return {**result, "opened": [asdict(cost) for cost in result["opened"]], "speeds": speeds}


def _show(result: dict[str, Any]) -> None:
    print(f"\n{result['triples']:,} triples, {result['megabytes_on_disk']:,} MB on disk")
    print(f"{'':34}{'seconds':>10}{'CPU':>11}{'MB grown':>13}")
    for cost in result["opened"]:
        _show_cost(cost)
    if result["speeds"]:
        print(f"{'':34}{'reads/s':>10}{'rows/s':>11}{'raw reads/s':>13}{'times raw':>11}")
    for speed in result["speeds"]:
        _show_speed(speed)
    if result["speeds"]:
        print(f"times raw: how much longer than the same answers without the adapter; the goal is {GOAL} at most")


def _show_cost(cost: Cost) -> None:
    figures = f"{cost.seconds:>10.3f}{cost.cpu_seconds:>11.3f}{cost.megabytes:>13.1f}"
    print(f"{cost.what:34}{figures}   {cost.note}".rstrip())


def _show_speed(speed: Speed) -> None:
    reads, rows, raw = speed.reads / speed.seconds, speed.rows / speed.seconds, speed.reads / speed.raw_seconds
    print(f"{speed.what:34}{reads:>10,.0f}{rows:>11,.0f}{raw:>13,.0f}{speed.ratio:>11.2f}")


if __name__ == "__main__":
    main()
