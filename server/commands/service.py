"""A running service as a command meets it: its addresses, its catalogue, a guest's token, a replay.

Knows the HTTP side and how its failures are told. Knows no game.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import httpx

from server.commands.ends import UNAVAILABLE, USAGE, stop

SCHEMES = {"http": "ws", "https": "wss"}
ASK_S = 10.0


class Service:
    """One service, by the address that people know: http://host:port."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        if parts.scheme not in SCHEMES or not parts.netloc:
            stop(USAGE, f"{url} is no address of a service; it looks like http://host:8080")
        self.url = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"
        self.socket_url = f"{SCHEMES[parts.scheme]}://{parts.netloc}{parts.path.rstrip('/')}/v1/ws"

    def require(self) -> None:
        """End the command unless something answers there."""
        self._asked("GET", "/healthz")

    def game(self, name: str) -> dict[str, Any]:
        """Give a game's entry in the catalogue."""
        listed = self._asked("GET", "/v1/games").json()["games"]
        found = next((game for game in listed if game["name"] == name), None)
        if found is None:
            stop(USAGE, f"{self.url} has no game {name!r}; it has: {', '.join(game['name'] for game in listed)}")
        return dict(found)

    def guest(self, name: str) -> str:
        """Give the token of a new guest."""
        return str(self._asked("POST", "/v1/guests", json={"name": name}).json()["token"])

    def replay(self, room: str) -> bytes:
        """Give the replay of a finished room, as it comes."""
        return self._asked("GET", f"/v1/replays/{room}").content

    def _asked(self, method: str, path: str, **more: Any) -> httpx.Response:
        try:
            answer = httpx.request(method, self.url + path, timeout=ASK_S, **more)
        except httpx.HTTPError as error:
            stop(UNAVAILABLE, f"{self.url} cannot be reached ({error}); is the server running? See: sanctum serve")
        if answer.is_error:
            stop(UNAVAILABLE, f"{self.url}{path} answered {answer.status_code}: {_detail(answer)}")
        return answer


def _detail(answer: httpx.Response) -> str:
    try:
        problem = answer.json()
        return str(problem.get("detail") or problem.get("title"))
    except ValueError:
        return answer.text[:200]
