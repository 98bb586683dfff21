"""Keyed pseudonyms: one-to-one handles that stand for entities and literals in prompts.

The map is never written down. Whoever holds the installation's key can derive it again from the question and the ids
that the question read; nobody else can, since HMAC under an unknown key tells nothing of its input.
"""

from __future__ import annotations

import hmac
import os
import re
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING

from kgbench.errors import PrerequisiteMissing
from kgbench.types import Entity, Term

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

KEY_VARIABLE = "KGBENCH_KEY"
ALPHABET = "0123456789bcdfghjkmnpqrstvwxz"
"""Digits and consonants: no vowel and no y, so that no word arises; no l, which reads as 1."""
HANDLE_DIGITS = 7
HANDLE = re.compile(r"(?<!\w)[mg]\.[0-9a-z_]+(?![\w])", re.IGNORECASE)
"""What looks like a handle or a Freebase id."""
_BARE = re.compile(rf"(?<![\w.])0[{ALPHABET}]{{{HANDLE_DIGITS}}}(?![\w])", re.IGNORECASE)
"""A handle whose ``m.`` the model left out."""


def hkdf(key: bytes, info: bytes, length: int = 32) -> bytes:
    """Derive ``length`` bytes from ``key`` for the purpose ``info`` (HKDF-SHA256, RFC 5869, no salt)."""
    pseudorandom = hmac.new(bytes(32), key, sha256).digest()
    output, block, counter = b"", b"", 1
    while len(output) < length:
        block = hmac.new(pseudorandom, block + info + bytes([counter]), sha256).digest()
        output += block
        counter += 1
    return output[:length]


def _joined(*parts: str) -> bytes:
    """Join texts so that no two different lists give the same bytes."""
    encoded = [part.encode("utf-8", "surrogatepass") for part in parts]
    return b"".join(len(part).to_bytes(4, "big") + part for part in encoded)


@dataclass(frozen=True, slots=True)
class MasterKey:
    """The installation's secret. Never printed, never written into a run."""

    secret: bytes = field(repr=False)

    @property
    def key_id(self) -> str:
        """Eight hex digits that tell two keys apart and give nothing of the key away."""
        return hkdf(self.secret, b"kgbench key id").hex()[:8]

    def session(self, *, method: str, seed: int, trial: int, question_id: str, text: str) -> bytes:
        """Key of one question and trial.

        No run id, scenario, model or adapter enters: a run repeated, resumed, replayed or moved to another store of the
        same graph sends the same bytes, and the four scenarios list things in one order.
        """
        return hkdf(self.secret, _joined("question", method, str(seed), question_id, text, str(trial)))

    def run(self, *, method: str, seed: int) -> bytes:
        """Key of a whole run, for ``--pseudonym-scope run``."""
        return hkdf(self.secret, _joined("run", method, str(seed)))


def load_master_key(folder: Path | None = None) -> MasterKey:
    """Return the installation's key: from ``$KGBENCH_KEY`` (64 hex digits), else from the user's configuration folder.

    The key is made at first use, readable by its owner alone.

    Raises:
        PrerequisiteMissing: the variable or the file does not hold 64 hex digits, or the folder cannot be written.
    """
    path = key_file(folder)
    if KEY_VARIABLE not in os.environ and not path.exists():
        _make_key(path)
    found = find_master_key(folder)
    if found is None:
        raise PrerequisiteMissing(f"the key file {path} was removed just now; run the command again")
    return found


def find_master_key(folder: Path | None = None) -> MasterKey | None:
    """Return the key as :func:`load_master_key` does, or None where there is none yet; nothing is made.

    Raises:
        PrerequisiteMissing: the variable or the file does not hold 64 hex digits, or the file cannot be read.
    """
    given = os.environ.get(KEY_VARIABLE)
    if given is not None:
        return _parse_key(given, f"the variable {KEY_VARIABLE}")
    path = key_file(folder)
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise PrerequisiteMissing(f"cannot read the key file {path}: {error.strerror}") from None
    return _parse_key(text, f"the key file {path}")


def key_file(folder: Path | None = None) -> Path:
    """Where the key is kept where no variable holds it; by default in the user's configuration folder."""
    if folder is None:
        from platformdirs import user_config_path

        folder = user_config_path("kgbench")
    return folder / "key"


def _make_key(path: Path) -> None:
    """Write a new key, whole or not at all: two processes that start together must end with one key."""
    part = path.with_name(f"key.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(os.urandom(32).hex())
        try:
            os.link(part, path)
        except FileExistsError:
            pass
        finally:
            part.unlink()
    except OSError as error:
        raise PrerequisiteMissing(
            f"cannot write the pseudonym key {path}: {error.strerror}. Set {KEY_VARIABLE} to 64 hex digits instead."
        ) from None


def _parse_key(text: str, where: str) -> MasterKey:
    digits = text.strip()
    if not re.fullmatch(r"[0-9a-fA-F]{64}", digits):
        raise PrerequisiteMissing(f"{where} does not hold 64 hex digits; make some with: openssl rand -hex 32")
    return MasterKey(bytes.fromhex(digits))


def _digits(digest: bytes) -> str:
    number = int.from_bytes(digest, "big")
    symbols = []
    for _ in range(HANDLE_DIGITS):
        number, index = divmod(number, len(ALPHABET))
        symbols.append(ALPHABET[index])
    return "".join(symbols)


@dataclass(frozen=True, slots=True)
class Found:
    """What a piece of a reply resolves to."""

    terms: tuple[Term, ...]
    repaired: int = 0
    unknown: int = 0


class Pseudonyms:
    """The handles of one session: made on demand, one-to-one, forgotten with it.

    Args:
        key: the session key.
        source_ids: show the graph's own ids for entities (literals have none and stay keyed).
    """

    def __init__(self, key: bytes, *, source_ids: bool = False) -> None:
        self._key = key
        self._source_ids = source_ids
        self._handle: dict[Term, str] = {}
        self._term: dict[str, Term] = {}
        self._read: set[str] = set()

    def read(self, ids: Iterable[str]) -> None:
        """Remember ids that the question read: no handle may equal one of them."""
        self._read.update(ids)

    def handle(self, term: Term) -> str:
        """Return the handle of a term, making it at first use."""
        known = self._handle.get(term)
        if known is None:
            if self._source_ids and isinstance(term, Entity):
                known = term.id
            else:
                known = self._new(term)
            self._handle[term] = known
            self._term[known] = term
        return known

    def _new(self, term: Term) -> str:
        if isinstance(term, Entity):
            message = b"E\x00" + term.id.encode("utf-8", "surrogatepass")
        else:
            message = f"L:{term.datatype}@{term.language}\x00{term.lexical}".encode("utf-8", "surrogatepass")
        attempt = message
        for counter in range(1, 1000):
            handle = "m.0" + _digits(hmac.digest(self._key, attempt, "sha256"))
            if handle not in self._term and handle not in self._read:
                return handle
            attempt = message + b"\x00" + str(counter).encode()
        raise AssertionError("no free handle after 1,000 tries")  # 29**7 handles: cannot happen

    def issued_terms(self) -> list[Term]:
        """Every term that got a handle, sorted: with the key, what the map is derived from again."""
        return sorted(self._handle, key=lambda term: term.sort_key)

    def issued(self, handle: str) -> Term | None:
        """Return the term of a handle that was issued here, or None."""
        return self._term.get(handle)

    def find(self, text: str) -> Found:
        """Resolve every handle in a text, in order, repairing small misspellings.

        A misspelt handle (letter case, a missing ``m.``, one wrong, missing or doubled character) is repaired when
        exactly one issued handle is that near; else it is unknown, never another entity.
        """
        terms: list[Term] = []
        repaired = unknown = 0
        for token in handle_tokens(text):
            term = self._term.get(token)
            if term is None:
                term = self._repair(token)
                repaired += term is not None
                unknown += term is None
            if term is not None and term not in terms:
                terms.append(term)
        return Found(tuple(terms), repaired, unknown)

    def restore(self, text: str, display: dict[Term, str]) -> str:
        """Replace each issued handle, as a whole token, by its display; other text is untouched."""

        def replaced(match: re.Match[str]) -> str:
            term = self._term.get(match.group())
            return display.get(term, match.group()) if term is not None else match.group()

        return HANDLE.sub(replaced, text)

    def _repair(self, token: str) -> Term | None:
        wanted = token.lower()
        if not wanted.startswith(("m.", "g.")):
            wanted = "m." + wanted
        exact = self._term.get(wanted)
        if exact is not None:
            return exact
        near = [handle for handle in self._term if _one_slip(wanted, handle)]
        return self._term[near[0]] if len(near) == 1 else None


def handle_tokens(text: str) -> list[str]:
    """Return what looks like a handle in a text, in order of appearance."""
    found = [(match.start(), match.group()) for match in HANDLE.finditer(text)]
    taken = [(match.start(), match.end()) for match in HANDLE.finditer(text)]
    for match in _BARE.finditer(text):
        if not any(start <= match.start() < end for start, end in taken):
            found.append((match.start(), match.group()))
    return [token for _, token in sorted(found)]


def _one_slip(written: str, handle: str) -> bool:
    """True if ``written`` is ``handle`` with one character wrong, missing or doubled."""
    if len(written) == len(handle):
        return sum(a != b for a, b in zip(written, handle, strict=True)) == 1
    if len(written) == len(handle) - 1:
        return any(handle[:i] + handle[i + 1 :] == written for i in range(len(handle)))
    if len(written) == len(handle) + 1:
        return any(handle[: i + 1] + handle[i:] == written for i in range(len(handle)))
    return False
