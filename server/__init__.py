"""Rooms, sockets and storage: everything of Prikup that has a clock, a disk or a network."""


def version() -> str:
    """The version of the installed distribution."""
    from importlib import metadata  # noqa: PLC0415  # slow to load, seldom asked for

    return metadata.version("prikup")
