"""What the server takes from the machine it runs on."""

import resource
import subprocess
import sys

import pytest

from server.limits import Limits
from server.serve import OWN_FILES, limits_of

RAISED = """
import resource
from server.serve import _open_files
resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))
print(_open_files(), resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""


def test_there_are_as_many_places_as_the_files_of_the_process_allow():
    assert limits_of(256).all_connections == 256 - OWN_FILES
    assert limits_of(4096) == Limits()


def test_with_very_few_files_there_are_some_places_all_the_same():
    assert limits_of(20).all_connections == 8


@pytest.mark.parametrize(("soft", "hard", "open_files"), [(256, 600, 600), (300, 300, 300)])
def test_it_takes_as_many_files_as_the_system_gives_and_obeys_where_it_gives_few(
    soft: int, hard: int, open_files: int
):
    if resource.getrlimit(resource.RLIMIT_NOFILE)[1] < hard:
        pytest.skip("this system gives fewer files than that")
    script = RAISED.format(soft=soft, hard=hard)
    said = subprocess.check_output([sys.executable, "-c", script], text=True)

    assert said.split() == [str(open_files)] * 2
