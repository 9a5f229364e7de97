"""The systemd unit fits the command line it starts."""

import configparser
import shlex
from pathlib import Path

from server.__main__ import parser

UNIT = Path(__file__).parents[2] / "deploy" / "prikup.service"


def test_the_unit_starts_the_server_with_options_it_knows():
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]  # systemd minds the case
    unit.read(UNIT)
    program, *options = shlex.split(unit["Service"]["ExecStart"])

    assert program == "/opt/prikup/bin/prikup"
    assert parser().parse_args(options).command == "serve"
