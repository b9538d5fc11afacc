"""What can be told of the place where rooms are kept: each server, the Cluster, what is published, the nodes.

Reads only: of a place that is new nothing is made. Knows no room.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import AsyncIterator
from typing import Any

import msgspec
from redis.exceptions import RedisError, ResponseError

from server.doctor.finding import Finding, fail, ok, warn
from server.store import keys
from server.store.address import Address, ask_once, read_address
from server.store.errors import Unavailable, Unfit
from server.store.fitness import REPLICAS, Durability, check_fit, read_info
from server.store.fleet import Fleet
from server.store.scripts import Part, command
from server.store.tellings import Tellings
from server.store.topology import SLOTS, Layout, topology_of

ASK_S = 2.0
SKEW_MS = 1_000
REACH = "is it running, and may this host reach it? Is the password right?"


async def checkup(url: str, durability: Durability) -> AsyncIterator[Finding]:
    """Look at all of it, from the address on; what cannot be reached ends it."""
    try:
        address = read_address(url)
        layout = await topology_of(address).find()
    except (Unfit, Unavailable) as error:
        yield fail("redis", str(error), REACH)
        return
    for place in layout.places():
        async for finding in _server(address, place, durability):
            yield finding
    if address.kind == "cluster":
        async for finding in _cluster(address, layout):
            yield finding
    async for finding in _played_on(address, durability):
        yield finding


async def _ask(address: Address, place: str, *words: Part) -> Any:
    return await ask_once(address.connect(place), command(*words), ASK_S)


# ---- one server


async def _server(address: Address, place: str, durability: Durability) -> AsyncIterator[Finding]:
    name = f"redis {place}".strip()
    try:
        info = read_info(await _ask(address, place, "INFO"))
        skew = await _skew_ms(address, place)
    except (RedisError, OSError, TimeoutError) as error:
        yield fail(name, f"does not answer ({error})", REACH)
        return
    kind = "Valkey " + info["valkey_version"] if "valkey_version" in info else "Redis " + info.get("redis_version", "?")
    yield ok(name, f"{kind}, {info.get('used_memory_human', '?')} used, {info.get('connected_clients', '?')} clients")
    try:
        check_fit(info, address.kind)
        yield ok(name, "fit: its version, and noeviction")
    except Unfit as error:
        yield fail(name, str(error), "no server starts on it as it is")
    yield _memory(name, info)
    yield _replicas(name, info, durability)
    yield await _persistence(address, place, name, info, durability)
    yield _clock(name, skew)


async def _skew_ms(address: Address, place: str) -> float:
    """Give how far a server's clock is ahead of this host's, the way there and back halved."""
    began = time.time()
    seconds, micro = await _ask(address, place, "TIME")
    return (int(seconds) + int(micro) / 1e6 - (began + time.time()) / 2) * 1_000


def _memory(name: str, info: dict[str, str]) -> Finding:
    most, used = int(info.get("maxmemory", 0)), int(info.get("used_memory", 0))
    if most and used > 0.8 * most:
        return warn(
            name, f"{100 * used // most} % of maxmemory are used", "raise maxmemory: a full one takes no commit"
        )
    return ok(name, f"{100 * used // most} % of maxmemory are used" if most else "no maxmemory")


def _replicas(name: str, info: dict[str, str], durability: Durability) -> Finding:
    count, wanted = int(info.get("connected_slaves", 0)), REPLICAS[durability]
    if info.get("role") != "master":
        return fail(
            name, "it is a replica and takes no commit", "give the address of the primary, sentinel:// or cluster://"
        )
    if count < wanted:
        return fail(name, "no replica: durability `replicated` needs one", "start one, or ask for less durability")
    return ok(name, f"primary with {count} replicas")


async def _persistence(
    address: Address, place: str, name: str, info: dict[str, str], durability: Durability
) -> Finding:
    wanted, worse = ("always", fail) if durability == "always" else ("everysec", warn)
    if info.get("aof_enabled") != "1":
        return worse(
            name, "no append-only file: what it holds ends with it", "CONFIG SET appendonly yes, and in its file"
        )
    if info.get("aof_last_write_status", "ok") != "ok":
        return fail(name, "the append-only file cannot be written", "look at its log and its disk")
    try:
        fsync = (await _ask(address, place, "CONFIG", "GET", "appendfsync"))[1].decode()
    except (ResponseError, IndexError):
        return warn(name, "append-only file; how often it is synced may not be asked", "see to appendfsync yourself")
    if fsync not in (wanted, "always"):
        return worse(name, f"append-only file, appendfsync {fsync}", f"CONFIG SET appendfsync {wanted}")
    return ok(name, f"append-only file, appendfsync {fsync}")


def _clock(name: str, skew_ms: float) -> Finding:
    text = f"its clock is {skew_ms:+.0f} ms from this host's"
    if abs(skew_ms) > SKEW_MS:
        return warn(name, text, "run ntpd or chronyd on both: players' clocks go by its time, tokens by this host's")
    return ok(name, text)


# ---- all of them


async def _cluster(address: Address, layout: Layout) -> AsyncIterator[Finding]:
    place = next(iter(layout.places()))
    try:
        told = read_info(await _ask(address, place, "CLUSTER", "INFO"))
    except (RedisError, OSError, TimeoutError) as error:
        yield fail("cluster", f"{place} does not tell how it is ({error})", REACH)
        return
    held = sum(last + 1 - first for first, last, _ in layout.ranges)
    if told.get("cluster_state") != "ok" or held < SLOTS:
        advice = f"valkey-cli --cluster check {place}, then --cluster fix"
        yield fail("cluster", f"state {told.get('cluster_state')}, {held} of {SLOTS} slots have a primary", advice)
    else:
        yield ok("cluster", f"state ok, {len(layout.places())} primaries have all slots")
    failing = int(told.get("cluster_slots_fail", 0)) + int(told.get("cluster_slots_pfail", 0))
    if failing:
        yield warn("cluster", f"{failing} slots are failing", "see CLUSTER NODES for who is not reached")


async def _played_on(address: Address, durability: Durability) -> AsyncIterator[Finding]:
    """Do what a node does: connect to all primaries, hear what is published there, and see who else lives."""
    store = Tellings(Fleet(address, durability))
    try:
        await store.fleet.start()
        if await store.fleet.hears():
            yield ok("published", "what is published at every primary arrives")
        else:
            yield fail(
                "published",
                "what is published at some primary does not arrive",
                "see its log; SSUBSCRIBE needs Redis 7",
            )
        yield await _setup(store)
        for finding in _nodes(await store.beats()):
            yield finding
    except (Unfit, Unavailable) as error:
        yield fail("published", str(error), "see the lines above")
    finally:
        await store.fleet.close()


async def _setup(store: Tellings) -> Finding:
    """Compare what the first start wrote with what this release works with."""
    ask = store.fleet.ask(keys.slot_of(keys.META), command("HMGET", keys.META, "partitions", "format"))
    partitions, form = await ask
    if partitions is None:
        return ok("rooms", "none yet: no server has been started on this place")
    if int(partitions) != keys.PARTITIONS:
        advice = "give another database, or the release that it was set up with"
        return fail("rooms", f"set up with {int(partitions)} partitions, here are {keys.PARTITIONS}", advice)
    return ok("rooms", f"format {int(form)}")


def _nodes(beats: dict[str, bytes]) -> list[Finding]:
    """Tell which nodes live and where their releases differ."""
    if not beats:
        return [ok("nodes", "none beats: no server runs on this place")]
    told: dict[str, set[str]] = defaultdict(set)
    for says in beats.values():
        for name, value in _flat("", msgspec.msgpack.decode(says)):
            told[name].add(value)
    mixed = [f"{name}: {' and '.join(sorted(values))}" for name, values in sorted(told.items()) if len(values) > 1]
    findings = [ok("nodes", f"{len(beats)} beat")]
    if mixed:
        advice = "fine while releases are being changed; else bring all nodes to one release"
        findings.append(warn("nodes", f"they differ: {'; '.join(mixed)}", advice))
    return findings


def _flat(path: str, value: Any) -> list[tuple[str, str]]:
    if not isinstance(value, dict):
        return [(path, str(value))]
    return [pair for name, part in value.items() for pair in _flat(f"{path} {name}".strip(), part)]
