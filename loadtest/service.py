"""The HTTP side of the service under test: its catalogue, guests, figures and replays.

Owns what is asked before and after a run. Raises Unreachable when it cannot be asked.
"""

from __future__ import annotations

import time
from typing import Any
from urllib.parse import urlsplit

import httpx

SCHEMES = ("http", "https")
ASK_S = 10.0
GUESTS_S = 60.0
BEGAN = "sanctum_commits_created"
FIGURES = (
    "sanctum_cpu_seconds_total", "sanctum_choices_total", "sanctum_deliveries_total", "sanctum_commits_total", BEGAN
)  # fmt: skip
"""``BEGAN``: when the counting began, by which one process is told from another."""


class Unreachable(Exception):
    """The service does not answer as it should; the text says how."""


class Target:
    """One service, by the address of each of its nodes, or of one: http://host:port.

    Sockets are spread over ``socket_urls``; what is true of the whole service is asked of the first node.
    """

    def __init__(self, *urls: str) -> None:
        self.urls = tuple(map(_address, urls))
        self.socket_urls = tuple(f"ws{url.removeprefix('http')}/v1/ws" for url in self.urls)
        self._nodes = [httpx.Client(base_url=url, timeout=ASK_S) for url in self.urls]
        self._http = self._nodes[0]

    def game(self, name: str) -> dict[str, Any]:
        """Give a game's entry in the catalogue."""
        listed = self._asked("GET", "/v1/games").json()["games"]
        found = next((game for game in listed if game["name"] == name), None)
        if found is None:
            known = ", ".join(game["name"] for game in listed)
            raise Unreachable(f"{self.urls[0]} has no game {name!r}; it has: {known}")
        return dict(found)

    def tokens(self, seats: int, slots: int) -> list[list[str]]:
        """Give an account to each seat of each slot. Where guests are limited, slots share them, seats never do."""
        columns: list[list[str]] = [[] for _ in range(seats)]
        until = time.monotonic() + GUESTS_S
        while len(columns[-1]) < slots:
            shortest = min(columns, key=len)
            answer = self._http.post("/v1/guests", json={"name": f"Load {len(shortest)}"})
            if answer.status_code == 201:
                shortest.append(str(answer.json()["token"]))
            elif answer.status_code != 429 or time.monotonic() > until:
                raise Unreachable(f"{self.urls[0]} gives no guests' tokens: {_detail(answer)}")
            elif all(columns):
                break
            else:
                time.sleep(1)
        return [[column[slot % len(column)] for column in columns] for slot in range(slots)]

    def figures(self) -> dict[str, float] | None:
        """Give the nodes' own figures, summed over nodes and labels; None if one keeps them to itself."""
        sums = dict.fromkeys(FIGURES, 0.0)
        for node in self._nodes:
            try:
                answer = node.get("/metrics")
            except httpx.HTTPError:
                return None
            if answer.status_code != 200 or (found := parse(answer.text)) is None:
                return None
            sums = {name: value + found.get(name, 0.0) for name, value in sums.items()}
        return sums

    def replay(self, room: str) -> bytes | None:
        """Give a finished room's replay, None if there is none."""
        try:
            answer = self._http.get(f"/v1/replays/{room}")
        except httpx.HTTPError:
            return None
        return answer.content if answer.status_code == 200 else None

    def close(self) -> None:
        for node in self._nodes:
            node.close()

    def _asked(self, method: str, path: str) -> httpx.Response:
        try:
            answer = self._http.request(method, path)
        except httpx.HTTPError as error:
            raise Unreachable(f"{self.urls[0]} cannot be reached ({error}); is the server running?") from error
        if answer.is_error:
            raise Unreachable(f"{self.urls[0]}{path} answered {answer.status_code}: {_detail(answer)}")
        return answer


def cpu_s(before: dict[str, float] | None, after: dict[str, float] | None) -> float | None:
    """Give the processor time between two looks; None where another process has answered, as behind a balancer."""
    if before is None or after is None or before[BEGAN] != after[BEGAN]:
        return None
    return after[FIGURES[0]] - before[FIGURES[0]]


def parse(text: str) -> dict[str, float] | None:
    """Read the figures that matter here from Prometheus' text form; None if processor time is not among them."""
    found: dict[str, float] = {}
    for line in text.splitlines():
        name, _, value = line.rpartition(" ")
        bare = name.partition("{")[0]
        if bare in FIGURES:
            found[bare] = found.get(bare, 0.0) + float(value)
    return found if FIGURES[0] in found else None


def _address(url: str) -> str:
    parts = urlsplit(url if "://" in url else f"http://{url}")
    if parts.scheme not in SCHEMES or not parts.netloc:
        raise Unreachable(f"{url} is no address of a service; it looks like http://host:8080")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


def _detail(answer: httpx.Response) -> str:
    try:
        problem = answer.json()
        return str(problem.get("detail") or problem.get("title"))
    except ValueError:
        return answer.text[:200]
