"""``kgbench view``: runs as one self-contained HTML file that loads nothing and sends nothing.

A page is *scrubbed* unless its owner asks otherwise: it holds what the model provider saw, with names, literals and ids of
the graph masked where a scenario had shown them, and scores and statuses. A *revealed* page is for the owner's eyes.
"""

from kgbench.report.page.build import PageReport, build_page

__all__ = ["PageReport", "build_page"]
