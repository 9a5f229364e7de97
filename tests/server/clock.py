"""A clock that is wound by hand."""


class Clock:
    def __init__(self) -> None:
        self.now, self._woke = 1000.0, 0.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    @property
    def woke(self) -> float:
        """When it stood still last, and went on."""
        return self._woke

    def stand_still(self) -> None:
        """The server slept until now, however long."""
        self._woke = self.now

    def wind(self, seconds: float) -> None:
        self.now += seconds

    async def sleep(self, seconds: float) -> None:
        """The time passes at once, and is remembered."""
        self.slept.append(seconds)
        self.wind(seconds)
