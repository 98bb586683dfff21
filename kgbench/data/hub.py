"""Files from the hub of Hugging Face: of one pinned commit, data alone, never code."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kgbench.data.parquet import parts_missing
from kgbench.errors import MissingExtra, PrerequisiteMissing

EXTRA = "hub"


@dataclass(frozen=True)
class Release:
    """A data set on the hub."""

    repository: str
    revision: str
    """The commit that is read where no other is asked for."""

    @property
    def origin(self) -> str:
        """Where it comes from, for people."""
        return f"huggingface.co/datasets/{self.repository}"


def fetch(release: Release, pattern: str, needed_by: str, revision: str | None = None) -> Path:
    """Bring files of a release here; what the hub's own cache holds already is not asked for again.

    Args:
        release: which.
        pattern: glob pattern of the files; nothing else is downloaded.
        needed_by: name of the data set.
        revision: another commit than the release's own.

    Returns:
        The folder of that commit, with the files below it.

    Raises:
        MissingExtra: the client of the hub is not installed.
        PrerequisiteMissing: the hub cannot be reached, or has no such commit; the text says what to download.
    """
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HfHubHTTPError
    except ImportError:
        raise MissingExtra(EXTRA, needed_by) from None
    commit = revision or release.revision

    def download(*, here: bool) -> Path:
        found = snapshot_download(
            release.repository, repo_type="dataset", revision=commit, allow_patterns=pattern, local_files_only=here
        )
        return Path(found)

    try:
        folder = download(here=True)  # a commit does not change: what is here needs no network
        files = sorted(folder.glob(pattern))
        if files and not parts_missing(files):
            return folder
    except (OSError, ValueError):
        pass
    try:
        return download(here=False)
    except (OSError, HfHubHTTPError, ValueError) as error:
        # Offline, time-outs and unknown commits come in many classes; what helps is the same for all.
        kind = type(error).__name__
    raise PrerequisiteMissing(
        f"{needed_by} needs {pattern} of {release.origin} at commit {commit}, and the hub did not give it ({kind}). "
        f"On a machine with network, download it from {release.origin}/tree/{commit}, then name the folder: "
        f"{needed_by}:FOLDER"
    )
