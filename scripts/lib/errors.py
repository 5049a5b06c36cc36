"""Errors for the person at the keyboard: what is wrong, where, what to do."""

from difflib import get_close_matches


class UserError(Exception):
    """A mistake or a state of the world that the user can mend; printed without a traceback."""

    code = 1  # the exit code of a stage that ends with it


def did_you_mean(name: str, valid: list[str]) -> str:
    """`` (did you mean "x"?)`` for the nearest valid name, or the list of valid names."""
    near = get_close_matches(name, valid, n=1, cutoff=0.5)
    return f'; did you mean "{near[0]}"?' if near else f"; valid: {', '.join(valid)}"
