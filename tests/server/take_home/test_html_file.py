"""One file that any browser opens, and that loads nothing."""

import base64
import gzip
import hashlib
import re
from pathlib import Path

import pytest

from server.take_home.html_file import PageUnusable, html_of

PAGE = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Prikup</title>
    <script type="module" crossorigin src="/assets/replay-a1.js"></script>
    <link rel="modulepreload" crossorigin href="/assets/replay-a1.js">
    <link rel="stylesheet" crossorigin href="/assets/replay-b2.css">
    <link crossorigin href="/assets/cards-c3.css" rel="stylesheet">
  </head>
  <body><script>unpack()</script></body>
</html>
"""
SCRIPT = 'const end = "</script>"; const note = "<!-- -->"; document.title = "$1 \\\\1 ü"'


@pytest.fixture
def static(tmp_path: Path) -> Path:
    assets = tmp_path / "assets"
    assets.mkdir()
    (tmp_path / "replay-file.html").write_text(PAGE, encoding="utf-8")
    (assets / "replay-a1.js").write_text(SCRIPT, encoding="utf-8")
    (assets / "replay-b2.css").write_text("body { color: red }")
    (assets / "cards-c3.css").write_text(".card { color: blue }")
    return tmp_path


def hashed(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def inside(page: str, attribute: str) -> list[str]:
    """What stands packed in the elements that have `attribute`."""
    elements = re.findall(
        rf'<script type="application/octet-stream" {attribute}>([^<]*)</script>', page
    )
    return [gzip.decompress(base64.b64decode(one)).decode() for one in elements]


def test_the_document_is_inside_packed(static: Path):
    page = html_of(b'{"format":1}', static)

    assert inside(page, 'id="replay"') == ['{"format":1}']


def test_nothing_is_loaded_from_anywhere(static: Path):
    page = html_of(b"{}", static)

    assert not re.search(r"\b(src|href)=", page)
    assert "modulepreload" not in page
    styles = inside(page, 'data-becomes="style"')
    assert styles == ["body { color: red }", ".card { color: blue }"]


def test_its_policy_lets_nothing_run_but_what_is_inside(static: Path):
    page = html_of(b"{}", static)

    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == f"{hashed('unpack()')} {hashed(SCRIPT)}"
    assert (
        rules["style-src"] == f"{hashed('body { color: red }')} {hashed('.card { color: blue }')}"
    )
    assert page.index("Content-Security-Policy") < page.index("<script")


def test_a_script_stands_there_as_it_was_built_whatever_is_written_in_it(static: Path):
    assert inside(html_of(b"{}", static), 'data-becomes="script"') == [SCRIPT]


def test_the_same_game_makes_the_same_file_whenever_it_is_made(static: Path):
    packed = re.search(r'id="replay">([^<]*)<', html_of(b"{}", static))

    assert packed
    assert base64.b64decode(packed[1])[4:8] == bytes(4)  # where gzip has the time


@pytest.mark.parametrize(
    "script", ['import{a}from"./base-d4.js";a()', 'import "./base-d4.js"', 'await import("./b.js")']
)
def test_a_script_that_needs_another_is_refused(static: Path, script: str):
    (static / "assets" / "replay-a1.js").write_text(script)

    with pytest.raises(PageUnusable, match="other scripts"):
        html_of(b"{}", static)


def test_a_client_without_the_page_or_its_parts_is_refused(static: Path):
    (static / "assets" / "replay-b2.css").unlink()
    with pytest.raises(PageUnusable, match=r"no replay-b2\.css"):
        html_of(b"{}", static)

    (static / "replay-file.html").unlink()
    with pytest.raises(PageUnusable, match=r"no replay-file\.html"):
        html_of(b"{}", static)
