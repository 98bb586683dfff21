"""A method whose package was not tidied up: importing it fails."""

import a_module_that_is_not_there  # noqa: F401


class Unfinished:
    """Never reached."""
