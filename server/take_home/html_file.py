"""A game as one file that any browser opens, without a server and without a network."""

import base64
import gzip
import hashlib
import re
from collections.abc import Callable
from pathlib import Path

PAGE = "replay-file.html"
"""The built page, with one script and any number of style sheets of its own, and a script inside
it that makes an element of every `data-becomes`."""

_SCRIPT = re.compile(r"<script\b[^>]*\bsrc=\"([^\"]+)\"[^>]*>\s*</script>")
_STYLE = re.compile(r"<link\b[^>]*\brel=\"stylesheet\"[^>]*>")
_HREF = re.compile(r"\bhref=\"([^\"]+)\"")
_PRELOAD = re.compile(r"<link\b[^>]*\brel=\"modulepreload\"[^>]*>\s*")
_INSIDE = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:"


class PageUnusable(Exception):  # noqa: N818  # reads as what is the case
    """The built client has no page that can be made into one file; the text says why."""


def html_of(document: bytes, static: Path) -> str:
    """The page of the built client in `static` with its scripts, its styles and `document` inside.

    The document stands in the element `#replay`, and so do script and styles in elements that say
    what they become: packed by gzip and written in base64. The policy of the file lets nothing run
    but what was put into it, and nothing load from anywhere.

    Raises:
        PageUnusable: there is no such page, or it needs more than one script.
    """
    page = _PRELOAD.sub("", _read(static / PAGE))
    unpackers = _INSIDE.findall(page)
    scripts: list[str] = []
    styles: list[str] = []
    page = _SCRIPT.sub(_inlined(static, scripts, "script"), page)
    page = _STYLE.sub(_inlined(static, styles, "style"), page)
    if len(scripts) != 1 or re.search(r"\bimport\s*[\"'{(]", scripts[0]):
        raise PageUnusable(f"{PAGE} needs other scripts than one of its own.")
    allowed = f"script-src {_hashes([*unpackers, *scripts])}; style-src {_hashes(styles)}"
    meta = f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}; {allowed}">'
    data = _packed('id="replay"', document)
    return page.replace("<head>", f"<head>{meta}", 1).replace("</head>", f"{data}</head>", 1)


def _inlined(static: Path, found: list[str], kind: str) -> Callable[[re.Match[str]], str]:
    """What stands in the page in the place of a reference; what it led to is in `found` then."""

    def inline(match: re.Match[str]) -> str:
        path = match[1] if match.re is _SCRIPT else (_HREF.search(match[0]) or [""] * 2)[1]
        found.append(_read(static / path.removeprefix("/")))
        return _packed(f'data-becomes="{kind}"', found[-1].encode())

    return inline


def _packed(attribute: str, content: bytes) -> str:
    packed = base64.b64encode(gzip.compress(content, 9, mtime=0)).decode()
    return f'<script type="application/octet-stream" {attribute}>{packed}</script>'


def _hashes(texts: list[str]) -> str:
    digests = (hashlib.sha256(text.encode()).digest() for text in texts)
    return " ".join(f"'sha256-{base64.b64encode(one).decode()}'" for one in digests) or "'none'"


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise PageUnusable(f"The client has no {file.name}: build it anew.") from error
