"""A clock that is wound by hand."""


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def wind(self, seconds: float) -> None:
        self.now += seconds

    async def sleep(self, seconds: float) -> None:
        """The time passes at once, and is remembered."""
        self.slept.append(seconds)
        self.wind(seconds)
