"""Plays a whole match of any game by picking among the options it is offered (pip install websockets msgpack).

python client.py http://localhost:8080 GAME [room=ID] [seat=N] [bot=NAME] [code=CODE]
"""

import json
import os
import random
import sys
import time
from urllib.request import Request, urlopen

import msgpack
from websockets import WebSocketException
from websockets.sync.client import connect


def picks_for(prompt):
    least, most, options = prompt.get("least", 1), prompt.get("most", 1), prompt.get("options", [])
    if prompt.get("shape") == "number":
        return [random.randint(least, most)]  # else "pick" (at most one of each group) or "order" (all of them)
    found = {option.get("group") or option["id"]: option["id"] for option in random.sample(options, len(options))}
    return list(found.values())[: random.randint(least, max(least, min(most, len(found))))]


class Player:
    def __init__(self, game, room=None, seat=None, bot=None, code=None):
        self.room, self.seat, self.code, self.view, self.since = room, seat and int(seat), code, {}, None
        self.joined, self.chosen, self.failures, self.ended = False, 0, 0, None
        self.pending = {}  # commands without an answer: sent again, as they are, on the next connection
        self.deck = {"deck": game["packs"][0]["decks"][0]} if game["brings_decks"] else {}
        others = {"bot": bot, **self.deck} if bot else {}
        seats = [{} if place == (self.seat or 0) else others for place in range(game["seats"][0])]
        self.join(**self.deck) if room else self.command("create", game=game["name"], seats=seats)

    def command(self, kind, **fields):
        message = {"t": kind, "id": os.urandom(8).hex()} | {k: v for k, v in fields.items() if v is not None}
        if kind != "join" or not self.joined:  # a resume is made afresh, from where the view stands by then
            self.pending[message["id"]] = message
        return [message]

    def join(self, **deck):
        return self.command("join", room=self.room, seat=self.seat, code=self.code, since=self.since, **deck)

    def greeted(self):  # on every connection: resume from where the view stands, then send what has no answer
        again = list(self.pending.values())
        return (self.join() if self.joined else []) + again

    def take(self, message):
        kind, command = message["t"], self.pending.pop(message.get("id"), {"t": None})
        if kind == "ok" and command["t"] == "create":
            self.room, self.code = message["room"], message.get("code")
            return self.join(**self.deck)
        if kind == "ok" and command["t"] == "join" and not self.joined:
            self.joined, self.seat = True, message["seat"]
            return self.command("ready", room=self.room, entropy=os.urandom(16))
        if kind == "error" and message["code"] not in ("stale_prompt", "wrong_status"):
            sys.exit(f"{command['t']}: {message}")
        self.ended = message if kind == "ended" else self.ended
        return self.fold(message, message.get("prompt")) if kind == "frame" else []

    def fold(self, frame, prompt):
        at = self.since["v"] if self.since else -1
        if "why" not in frame and frame["v"] != at + 1:
            return [] if frame["v"] <= at else self.join()  # a double, or a gap: ask for what is missing
        self.view = frame["zones"] if "why" in frame else {**self.view, **frame["zones"]}
        self.since, self.failures = {"v": frame["v"], "tip": frame["tip"]}, 0
        self.chosen = 0 if frame.get("why") == "lost" else self.chosen  # an answer may be lost with its version
        if not prompt or prompt["id"] <= self.chosen:
            return []
        self.chosen = prompt["id"]
        return self.command("choose", room=self.room, prompt=prompt["id"], picks=picks_for(prompt))

    def talk(self, socket, token):
        commands = [hello := {"t": "hello", "id": os.urandom(8).hex(), "token": token, "client": "example.py"}]
        while not self.ended:
            for command in commands:
                socket.send(msgpack.packb(command))
            message = msgpack.unpackb(socket.recv())
            if message["t"] == "error" and message.get("retryable"):
                time.sleep(message.get("retry_after_ms", 500) / 1000)
                commands = [self.pending.get(message["id"], hello)]
            else:
                welcome = message["t"] == "ok" and message["id"] == hello["id"]
                commands = self.greeted() if welcome else self.take(message)


url, game, wanted = *sys.argv[1:3], dict(argument.split("=", 1) for argument in sys.argv[3:])
guest = json.load(urlopen(Request(f"{url}/v1/guests", b"{}", {"Content-Type": "application/json"})))  # noqa: S310
player = Player(json.load(urlopen(f"{url}/v1/games/{game}")), **wanted)  # noqa: S310
while not player.ended:
    try:
        with connect(url.replace("http", "ws", 1) + "/v1/ws", subprotocols=["sanctum.v1.msgpack"]) as socket:
            player.talk(socket, guest["token"])
    except (OSError, WebSocketException) as lost:
        closed, player.failures = getattr(lost, "rcvd", None), player.failures + 1
        if closed and 4400 <= closed.code < 4500:
            sys.exit(f"closed for good: {closed}")
        time.sleep(random.uniform(0.5, 1) * min(30, 0.25 * 2**player.failures))
print(json.dumps({key: player.ended.get(key) for key in ("room", "status", "reason", "winners")}))
