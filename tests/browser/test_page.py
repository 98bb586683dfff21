"""What a reader does with a page, in a real browser, from a file."""

from __future__ import annotations

import json
import shutil
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Browser = Any

ODD = (
    "<b>bold</b>",
    "{0}",
    "[/red]",
    "=1+1",
    "a\u0000b",
    "\u202eevil",
    "x\u200by",
    "&lt;i&gt;",
    "</script>",
    "__proto__",
)
ESCAPE, ENTER, DOWN = "\ue00c", "\ue007", "\ue015"


def listed(browser: Browser) -> int:
    return int(browser.run("return Number(document.querySelector('[role=option]')?.ariaSetSize ?? 0)"))


def test_it_loads_from_a_file_and_asks_for_nothing(browser: Browser, page: Path) -> None:
    browser.open(page)
    assert "Hits@1" in browser.text("#part-overview")
    assert "LM: no" in browser.text("#part-overview")
    assert "No name, alias, literal or source id" in browser.text(".verdict")
    assert browser.text("#banner").startswith("Scrubbed")
    browser.read_logs()
    assert browser.requests == [page.resolve().as_uri()]


class Counting(BaseHTTPRequestHandler):
    """Counts what arrives, whatever it is."""

    arrived: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.arrived.append(self.path)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Stay silent."""


@pytest.fixture
def server() -> Iterator[str]:
    """A server on this machine that nothing may reach; its address."""
    Counting.arrived.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Counting) as opened:
        Thread(target=opened.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{opened.server_port}"
        opened.shutdown()


def test_the_policy_stops_whatever_would_leave(browser: Browser, page: Path, server: str, tmp_path: Path) -> None:
    """If foreign text ever ran, it would still reach nobody. Without the policy it would: the counter counts."""
    attempt = """
        const [server, done] = arguments;
        const broken = new Set();
        addEventListener("securitypolicyviolation", (event) => broken.add(event.effectiveDirective));
        let sink = "open";
        try { document.createElement("p").innerHTML = "<b>x"; } catch { sink = "closed"; }
        const tries = [
          fetch(server + "/fetch", { mode: "no-cors" }).catch(() => 0),
          new Promise((end) => { const i = new Image(); i.onload = i.onerror = end; i.src = server + "/image"; }),
        ];
        Promise.all(tries).then(() => setTimeout(() => done({ broken: [...broken], sink })));
    """
    browser.open(page)
    told = browser.driver.execute_async_script(attempt, server)
    assert {"img-src", "connect-src", "require-trusted-types-for"} <= set(told["broken"])
    assert told["sink"] == "closed"
    assert Counting.arrived == []
    bare = tmp_path / "bare.html"
    bare.write_text("<!doctype html><html data-ready=yes><title>no policy</title>", encoding="utf-8")
    browser.open(bare)
    assert browser.driver.execute_async_script(attempt, server) == {"broken": [], "sink": "open"}
    assert sorted(Counting.arrived) == ["/fetch", "/image"]
    browser.forget()


def test_a_question_opens_with_its_trace(browser: Browser, page: Path) -> None:
    browser.open(page, "#questions")
    browser.run("document.querySelectorAll('[role=option]')[2].click()")
    browser.wait("document.querySelector('#trace-title')?.textContent === 'Question 3'")
    assert browser.driver.current_url.endswith("#q3")
    calls = browser.count("#trace .call")
    assert calls > 5
    assert browser.count("#trace .call[open]") == 1
    assert browser.count("#trace .mark[data-origin=handle]") > 3
    assert browser.count("#trace svg .node") > 3
    assert browser.count("#trace svg .node.topic") == 1
    browser.press("o")
    browser.wait(f"document.querySelectorAll('#trace .call[open] .wire').length >= {2 * calls}")


def test_a_place_in_the_address_opens_a_question(browser: Browser, page: Path) -> None:
    browser.open(page, "#q5")
    browser.wait("document.querySelector('#trace-title')?.textContent === 'Question 5'")
    assert browser.run("return document.querySelector('[aria-selected=true] .number').textContent") == "5"


def test_the_keyboard_reaches_everything(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.press("2")
    browser.wait("!document.querySelector('#part-questions').hidden")
    browser.press("j", "j", DOWN, "k")
    browser.wait("document.querySelector('#trace-title')?.textContent === 'Question 2'")
    browser.press(ENTER)
    browser.wait("document.activeElement.id === 'trace'")
    browser.press(ESCAPE)
    browser.wait("document.activeElement.id === 'list'")
    browser.press("/")
    browser.wait("document.activeElement.id === 'search'")
    browser.press("jj?")
    assert browser.run("return document.querySelector('#search').value") == "jj?"
    browser.press(ESCAPE)
    browser.wait("document.activeElement.id === 'list'")
    browser.press("?")
    browser.wait("document.querySelector('dialog').open")
    browser.press(ESCAPE)
    browser.wait("!document.querySelector('dialog').open")
    browser.press("d")
    assert browser.run("return document.documentElement.dataset.theme") == "dark"
    browser.press("1")
    browser.wait("!document.querySelector('#part-overview').hidden")


def test_search_in_questions_and_in_traces(browser: Browser, page: Path) -> None:
    browser.open(page, "#questions")
    assert listed(browser) == 12
    browser.set("#search", "ZORBANE")
    assert 0 < listed(browser) < 12
    browser.set("#search", "assets.device.stands_in")
    assert listed(browser) == 0
    assert browser.text("#count") == "0 of 12 questions"
    browser.run("document.querySelector('#deep').click()")
    browser.wait("Number(document.querySelector('[role=option]')?.ariaSetSize ?? 0) > 0")
    assert listed(browser) < 12
    browser.run("document.querySelector('[type=reset]').click()")
    browser.wait("document.querySelector('#count').textContent === '12 questions'")


def test_filters_by_result_and_status(browser: Browser, page: Path) -> None:
    browser.open(page, "#questions")
    browser.set("#filter-outcome", "right")
    right = listed(browser)
    browser.set("#filter-outcome", "wrong")
    assert right > 0
    assert right + listed(browser) == 12
    browser.set("#filter-status", "ok")
    assert listed(browser) == 12 - right


def test_several_runs_flip_and_stand_side_by_side(
    browser: Browser, runs: Callable[..., Path], write: Callable[..., Path]
) -> None:
    browser.open(write(runs("cot"), runs("arog"), runs("arog", "p-g")), "#questions", width=1400)
    browser.set("#filter-flip", "B>A")
    gained = listed(browser)
    assert gained > 0
    browser.set("#filter-flip", "A>B")
    assert listed(browser) == 0
    browser.set("#filter-flip", "any")
    assert listed(browser) >= gained
    browser.set("#filter-scenario", "p-g")
    browser.set("#filter-outcome", "right")
    assert 0 < listed(browser) <= 12
    browser.run("document.querySelector('[role=option]').click()")
    browser.wait("document.querySelectorAll('#trace .column').length === 2")
    browser.run("document.querySelectorAll('#trace .choice button')[2].click()")
    assert browser.count("#trace .column") == 3
    assert "Runs side by side" in browser.run("return document.querySelector('#part-overview').textContent")


def test_graph_queries_stand_between_calls_and_answers_at_the_end(
    browser: Browser, runs: Callable[..., Path], write: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KGBENCH_KEY", "00" * 32)
    browser.open(write(runs("arog")), "#q3")
    browser.wait("document.querySelector('#trace .answered') !== null")
    first = "return document.querySelector('#trace .call + .read-lines li').innerText"
    assert browser.run(first) == "relations of topic 1 (out)"
    assert browser.text("#trace .answered").startswith("Taken as answers: m.0")
    assert browser.text("#trace .answered").endswith(" (in the evidence)")
    assert browser.count("#trace .read-group:not([open]) li") > 3
    last = "document.querySelector('#trace .calls').lastElementChild"
    assert browser.run(f"return {last} === document.querySelector('#trace .answered')")
    lines = "return [...document.querySelectorAll('#trace .read-lines li')].map((line) => line.textContent)"
    assert not any("found" in line for line in browser.run(lines))
    browser.open(write(runs("arog"), revealed=True), "#q3")
    browser.wait("document.querySelector('#trace .answered .stands-for') !== null")
    assert browser.run(first) == "relations of topic 1 (out): 5 found"


def test_masked_names_are_marked(browser: Browser, runs: Callable[..., Path], write: Callable[..., Path]) -> None:
    browser.open(write(runs("arog", "p-rag")), "#q3")
    browser.wait("document.querySelectorAll('#trace .mark.masked').length > 3")
    assert browser.text("#trace .mark.masked").startswith(("name ", "literal "))
    assert browser.count("#trace svg .node") > 2


def test_a_revealed_page_says_so_and_tells_names(
    browser: Browser, runs: Callable[..., Path], write: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KGBENCH_KEY", "00" * 32)
    browser.open(write(runs("arog"), revealed=True), "#q3")
    browser.wait("document.querySelectorAll('#trace .stands-for').length > 3")
    assert browser.driver.title.startswith("REVEALED: ")
    assert browser.text("#banner").startswith("REVEALED")
    red, green, blue = browser.run(
        "return getComputedStyle(document.querySelector('#banner')).backgroundColor.match(/\\d+/g).map(Number)"
    )[:3]
    assert red > 2 * max(green, blue)
    assert "Zennuvane" in browser.text("#trace .owner")
    browser.run("location.hash = '#overview'")
    browser.wait("!document.querySelector('#part-overview').hidden")
    assert browser.text("#banner").startswith("REVEALED")


def odd_run(run: Path, target: Path) -> Path:
    """A copy of a run in whose questions, prompts and replies odd text stands."""
    shutil.copytree(run, target)
    calls = [json.loads(line) for line in (run / "calls.jsonl").read_text(encoding="utf-8").splitlines()]
    for number, call in enumerate(calls):
        odd = ODD[number % len(ODD)]
        text = f"Question: {odd} {' '.join(ODD)}"
        call["messages"][-1]["content"] = text
        call["spans"] = [[10, len(text), "question"]]
        call["replies"] = [f"{odd} m.0bcdfgh {' '.join(ODD)}"]
        call["stage"] = "<i>stage</i>"
    (target / "calls.jsonl").write_text("".join(json.dumps(call) + "\n" for call in calls), encoding="utf-8")
    return target


def test_odd_text_shows_as_text(
    browser: Browser, runs: Callable[..., Path], write: Callable[..., Path], tmp_path: Path
) -> None:
    browser.open(write(odd_run(runs("cot"), tmp_path / "odd")), "#q1")
    browser.wait("document.querySelector('#trace-title') !== null")
    shown = browser.text("#trace .message:not(.reply) .wire")
    for text in (
        "<b>bold</b>",
        "{0}",
        "[/red]",
        "=1+1",
        "aU+0000b",
        "U+202Eevil",
        "xU+200By",
        "&lt;i&gt;",
        "</script>",
    ):
        assert text in shown, text
        assert text in browser.text("#trace .message.reply .wire"), text
        assert text in browser.text("#trace .question"), text
    assert browser.count("#trace b, #trace i:not([aria-hidden])") == 0
    assert "<i>" not in browser.text("#trace .call summary")  # a stage of such a form is no stage
    browser.set("#search", "<b>bold</b>")
    assert listed(browser) == 12


def test_a_huge_prompt_is_cut_with_the_rest_behind_a_button(
    browser: Browser, runs: Callable[..., Path], write: Callable[..., Path], tmp_path: Path
) -> None:
    run = shutil.copytree(runs("cot"), tmp_path / "huge")
    calls = [json.loads(line) for line in (run / "calls.jsonl").read_text(encoding="utf-8").splitlines()]
    for call in calls:
        call["messages"][-1]["content"] += "\n" + "word " * 200_000
    (run / "calls.jsonl").write_text("".join(json.dumps(call) + "\n" for call in calls), encoding="utf-8")
    browser.open(write(run), "#q1")
    browser.wait("document.querySelector('#trace .wire .more') !== null")
    assert len(browser.text("#trace .message:not(.reply) .wire")) < 6_000
    browser.run("document.querySelector('#trace .wire .more').click()")
    assert (
        browser.run("return document.querySelector('#trace .message:not(.reply) .wire').textContent.length") > 1_000_000
    )


def test_a_run_without_calls_and_a_stopped_request(
    browser: Browser, runs: Callable[..., Path], write: Callable[..., Path], tmp_path: Path
) -> None:
    bare = shutil.copytree(runs("cot"), tmp_path / "bare")
    (bare / "calls.jsonl").unlink()
    browser.open(write(bare), "#q1")
    browser.wait("document.querySelector('#trace-title') !== null")
    assert "no calls.jsonl" in browser.text("#trace")
    stopped = shutil.copytree(runs("cot"), tmp_path / "stopped")
    keys = ("question_id", "trial", "call", "stage", "template", "phase", "zone")
    calls = [json.loads(line) for line in (stopped / "calls.jsonl").read_text(encoding="utf-8").splitlines()]
    entries = [{key: call[key] for key in keys} | {"error": "privacy_blocked", "audit": {"leaks": 1}} for call in calls]
    (stopped / "calls.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
    browser.open(write(stopped), "#q1")
    browser.wait("document.querySelector('#trace-title') !== null")
    assert "stopped this request before it left" in browser.text("#trace")
    assert "no prompt left" in browser.text("#trace .question")


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("place", ["#overview", "#questions", "#q3"])
def test_on_a_narrow_screen_nothing_sticks_out(browser: Browser, page: Path, place: str, dark: bool) -> None:
    browser.open(page, place, width=400, height=800, dark=dark)
    if place == "#q3":
        browser.wait("document.querySelector('#trace-title') !== null")
    assert browser.run("return document.documentElement.scrollWidth") <= 400
    assert browser.run("return document.documentElement.dataset.theme") == ("dark" if dark else "light")
    visible = "getComputedStyle(document.querySelector('#trace')).display !== 'none'"
    assert browser.run(f"return {visible}") == (place == "#q3")


@pytest.mark.parametrize("width", [400, 1280])
def test_a_long_name_is_broken_and_covers_nothing(
    browser: Browser, runs: Callable[..., Path], write: Callable[..., Path], tmp_path: Path, width: int
) -> None:
    named = shutil.copytree(runs("cot"), tmp_path / "named")
    manifest = json.loads((named / "manifest.json").read_text(encoding="utf-8"))
    manifest["spec"]["parameters"] = {f"a_parameter_{number}": number for number in range(9)}
    (named / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    wide = (
        "return [...document.querySelectorAll('h2, h3, button')]"
        ".filter((one) => one.scrollWidth > one.clientWidth + 1).length"
    )
    for place in ("#overview", "#q1"):
        browser.open(write(named, runs("arog")), place, width=width)
        browser.wait("document.querySelector('.letter') !== null")
        assert browser.run(wide) == 0


def test_the_drawing_opens_at_the_topic(
    browser: Browser, runs: Callable[..., Path], write: Callable[..., Path]
) -> None:
    browser.open(write(runs("arog")), "#questions")
    tall = "[...document.querySelectorAll('.canvas')].find((one) => one.scrollHeight > one.clientHeight + 100)"
    for number in range(1, 13):
        browser.run("location.hash = arguments[0]", f"#q{number}")
        browser.wait(f"document.querySelector('#trace-title')?.innerText.includes('Question {number}')")
        if browser.run(f"return Boolean({tall})"):
            break
    browser.wait(f"{tall}.scrollTop > 0")
    boxes = "[box.querySelector('.topic'), box].map((one) => one.getBoundingClientRect())"
    inside = "return topic.top >= frame.top && topic.bottom <= frame.bottom"
    assert browser.run(f"const box = {tall}; const [topic, frame] = {boxes}; {inside}")


@pytest.mark.parametrize("dark", [False, True])
def test_text_stands_out_from_its_ground(browser: Browser, page: Path, dark: bool) -> None:
    """Contrast of at least 4.5 to 1 (WCAG AA) for the colours that text has."""
    browser.open(page, dark=dark)
    pairs = [("ink", "paper"), ("ink", "sheet"), ("muted", "paper"), ("muted", "sheet"), ("muted", "raised")]
    pairs += [("accent", "sheet"), ("accent", "accent-soft"), ("right", "sheet"), ("wrong", "sheet")]
    pairs += [("warn", "warn-soft"), ("ink", "mention"), ("masked-ink", "masked"), ("ink", "accent-soft")]
    style = browser.run(
        "const s=getComputedStyle(document.documentElement);"
        "return Object.fromEntries(arguments[0].flat().map(n=>[n,s.getPropertyValue('--'+n).trim()]))",
        pairs,
    )
    weak = {pair: contrast(*(style[name] for name in pair)) for pair in pairs}
    assert {pair: ratio for pair, ratio in weak.items() if ratio < 4.5} == {}


def contrast(first: str, second: str) -> float:
    low, high = sorted(map(_luminance, (first, second)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_landmarks_names_and_print(browser: Browser, page: Path) -> None:
    browser.open(page, "#q3")
    browser.wait("document.querySelector('#trace-title') !== null")
    assert browser.count("header, main, nav") == 3
    unnamed = browser.run(
        "return [...document.querySelectorAll('button,input,select,[role=listbox],[role=img]')]"
        ".filter(e=>!(e.textContent.trim()||e.ariaLabel||e.labels?.length)).map(e=>e.outerHTML)"
    )
    assert unnamed == []
    chosen = browser.run("return document.querySelector('#list').getAttribute('aria-activedescendant')")
    assert browser.run("return document.getElementById(arguments[0]).ariaSelected", chosen) == "true"
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert browser.run("return getComputedStyle(document.querySelector('#listing')).display") == "none"
    assert browser.run("return document.querySelector('#part-overview').getClientRects().length") > 0
    assert browser.run("return document.querySelector('#trace').getClientRects().length") > 0
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
