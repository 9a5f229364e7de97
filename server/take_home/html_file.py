"""A game as one file that any browser opens, without a server and without a network."""

import base64
import gzip
import hashlib
import re
from collections.abc import Callable
from pathlib import Path

PAGE = "replay-file.html"
"""The built page, with one script and any number of style sheets of its own."""

_SCRIPT = re.compile(r"<script\b[^>]*\bsrc=\"([^\"]+)\"[^>]*>\s*</script>")
_STYLE = re.compile(r"<link\b[^>]*\brel=\"stylesheet\"[^>]*>")
_HREF = re.compile(r"\bhref=\"([^\"]+)\"")
_PRELOAD = re.compile(r"<link\b[^>]*\brel=\"modulepreload\"[^>]*>\s*")
_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:"


class PageUnusable(Exception):  # noqa: N818  # reads as what is the case
    """The built client has no page that can be made into one file; the text says why."""


def html_of(document: bytes, static: Path) -> str:
    """The page of the built client in `static` with its scripts, its styles and `document` inside.

    The document stands in the element `#replay`, packed by gzip and written in base64. The policy
    of the file lets nothing run but what was put into it, and nothing load from anywhere.

    Raises:
        PageUnusable: there is no such page, or it needs more than one script.
    """
    page = _read(static / PAGE)
    scripts: list[str] = []
    styles: list[str] = []
    page = _PRELOAD.sub("", page)
    page = _SCRIPT.sub(_inlined(static, scripts, _script, _escaped), page)
    page = _STYLE.sub(_inlined(static, styles, _style, str), page)
    if len(scripts) != 1 or re.search(r"\bimport\s*[\"'{(]", scripts[0]):
        raise PageUnusable(f"{PAGE} needs other scripts than one of its own.")
    policy = f"{_POLICY}; script-src {_hashes(scripts)}; style-src {_hashes(styles)}"
    packed = base64.b64encode(gzip.compress(document, 9, mtime=0)).decode()
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    data = f'<script type="application/octet-stream" id="replay">{packed}</script>'
    return page.replace("<head>", f"<head>{meta}", 1).replace("</head>", f"{data}</head>", 1)


def _inlined(
    static: Path, found: list[str], wrap: Callable[[str], str], clean: Callable[[str], str]
) -> Callable[[re.Match[str]], str]:
    """What stands in the page in the place of a reference; what it led to is in `found` then."""

    def inline(match: re.Match[str]) -> str:
        path = match[1] if match.re is _SCRIPT else (_HREF.search(match[0]) or [""] * 2)[1]
        found.append(clean(_read(static / path.removeprefix("/"))))
        return wrap(found[-1])

    return inline


def _script(text: str) -> str:
    return f'<script type="module">{text}</script>'


def _style(text: str) -> str:
    return f"<style>{text}</style>"


def _escaped(script: str) -> str:
    """`script`, in whose strings nothing ends it too early; they mean the same."""
    return script.replace("</script", r"<\/script").replace("<!--", r"\x3C!--")


def _hashes(texts: list[str]) -> str:
    digests = (hashlib.sha256(text.encode()).digest() for text in texts)
    return " ".join(f"'sha256-{base64.b64encode(one).decode()}'" for one in digests) or "'none'"


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise PageUnusable(f"The client has no {file.name}: build it anew.") from error
