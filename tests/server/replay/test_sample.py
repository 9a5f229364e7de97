"""The client's tests read what the server says today."""

import gzip

from tests.replay_sample import SAMPLE, sample


def test_the_client_is_tested_with_a_replay_of_today():
    assert gzip.decompress(SAMPLE.read_bytes()) == sample(), "run: python -m tests.replay_sample"
