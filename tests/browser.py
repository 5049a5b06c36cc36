"""A real headless Chromium, in which tests use the HTML pages as a reader does.

On the command line (as root, with Debian's packages)::

    python -m tests.browser install    # apt-get install chromium where it is missing

Tests take the fixtures ``page`` (a page in a fresh profile) or ``open_page`` (more of them), imported into
their module or conftest, and the mark ``IN_BROWSER``, which lets them run in one process.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = [
    "--no-sandbox",  # which root, as whom continuous integration runs, cannot have
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
IN_BROWSER = pytest.mark.xdist_group("browser")


def program() -> str | None:
    """Where the browser is."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


@pytest.fixture(scope="module")  # while it is open, no other event loop can run in this process
def browser():
    """One browser for the tests of a module; they are skipped where there is none."""
    from playwright.sync_api import sync_playwright

    if not (found := program()):
        pytest.skip("no Chromium here; on Debian, root's `make browser` installs it")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=found, args=OPTIONS)
        yield running
        running.close()


@pytest.fixture
def open_page(browser):
    """``open_page(**settings)``: an empty page in a fresh profile without a network.

    The test fails where a page raises or logs an error (as a breach of its content security policy does).
    """
    contexts, errors = [], []

    def opened(**settings):
        context = browser.new_context(offline=True, **settings)
        context.set_default_timeout(5000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not errors


@pytest.fixture
def page(open_page):
    """An empty page in a fresh profile."""
    return open_page()


def install() -> str:
    """Install Debian's package where no browser is; returns why it cannot be done, or nothing."""
    if program():
        return ""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return "no Chromium is installed, and only root on Debian can install it here"
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update", "-q"], ["install", "-y", "-q", "--no-install-recommends", "chromium"]):
        done = subprocess.run(["apt-get", *command], env=environment, stdout=sys.stderr, check=False)
        if done.returncode:
            return f"apt-get {command[0]} failed; see above"
    return ""


if __name__ == "__main__":
    if sys.argv[1:] != ["install"]:
        sys.exit("usage: python -m tests.browser install")
    if reason := install():
        print(f"the tests of the pages are skipped: {reason}", file=sys.stderr)
