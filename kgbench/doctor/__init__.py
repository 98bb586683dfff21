"""``kgbench doctor``: checks all that a run needs, before money is spent.

:mod:`kgbench.doctor.examine` goes through the checks; each other module holds one subject.
"""
