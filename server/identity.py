"""Keys and room codes: how the house recognises players and names rooms."""

import hashlib
import secrets

CODE_LETTERS = "ABCDEFGHKLMNPRTVWXYZ"
"""No letter that is read as another one, or as a digit, in a hurry: no I, J, O, Q, S, U."""

CODE_LENGTH = 4


def key_of(token: str) -> str:
    """What the log keeps of a token: enough to recognise it, not enough to be it."""
    return hashlib.blake2b(token.encode(), digest_size=16).hexdigest()


def new_code() -> str:
    """A room code by chance."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def read_code(text: str) -> str | None:
    """The code that somebody typed, in capitals; None: it cannot be one."""
    code = text.strip().upper()
    return code if len(code) == CODE_LENGTH and set(code) <= set(CODE_LETTERS) else None
