"""Reads rule code as a tree: what it may not use, and generators that are called but not run.

A call of a generator function does nothing by itself; ``yield from`` left out skips a step in silence. Knows
functions and methods that yield or are annotated ``-> Flow``, what other modules of the package import of them,
and variables and tables annotated with a type that names ``Flow``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

BANNED_MODULES = {
    "asyncio", "concurrent", "datetime", "io", "logging", "multiprocessing", "os", "secrets", "select", "signal",
    "socket", "subprocess", "sys", "tempfile", "threading", "time", "uuid",
}  # fmt: skip
BANNED_CALLS = {"breakpoint", "eval", "exec", "hash", "id", "input", "open", "print"}
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass
class Module:
    """One parsed module. ``imported``: local name → (module, name there), within the package."""

    name: str
    tree: ast.Module
    flows: set[str] = field(default_factory=set)
    types: set[str] = field(default_factory=lambda: {"Flow"})
    imported: dict[str, tuple[str, str]] = field(default_factory=dict)


def read_package(folder: Path, package: str) -> dict[str, str]:
    """Give the sources of a package by dotted name of the module."""
    sources = {}
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder).with_suffix("").parts
        sources[".".join([package, *(part for part in parts if part != "__init__")])] = path.read_text()
    return sources


def impurities(source: str, *, may_draw: bool = False) -> list[str]:
    """Name what rule code may not use. ``may_draw``: a bot or a test suite, which makes its own ``Random``."""
    found = []
    for node in ast.walk(ast.parse(source)):
        found += [f"line {node.lineno}: {why}" for why in _impure(node, may_draw)]  # type: ignore[attr-defined]
    return found


def _impure(node: ast.AST, may_draw: bool) -> Iterator[str]:
    if isinstance(node, ast.Import):
        modules = {alias.name.partition(".")[0] for alias in node.names}
        yield from (f"imports {name}" for name in sorted(modules & (BANNED_MODULES | {"random"})))
    elif isinstance(node, ast.ImportFrom):
        module = (node.module or "").partition(".")[0]
        names = {alias.name for alias in node.names}
        if module in BANNED_MODULES or (module == "random" and names != {"Random"}):
            yield f"imports {', '.join(sorted(names))} from {module}"
    elif isinstance(node, (ast.AsyncFunctionDef, ast.Await, ast.AsyncFor, ast.AsyncWith)):
        yield "is asynchronous"
    elif isinstance(node, (ast.Global, ast.Nonlocal)):
        yield "binds names outside its function"
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        banned = BANNED_CALLS if may_draw else BANNED_CALLS | {"Random"}
        yield from (f"calls {name}" for name in banned & {node.func.id})


def forgotten_flows(sources: Mapping[str, str]) -> list[str]:
    """Name every call of a generator function that is neither delegated, returned, nor passed on."""
    modules = {name: _module(name, ast.parse(source), sources) for name, source in sources.items()}
    return [found for module in modules.values() for found in _forgotten(module, modules)]


def _module(name: str, tree: ast.Module, sources: Mapping[str, str]) -> Module:
    module = Module(name, tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                there = (whole, "") if whole in sources else (node.module, alias.name)
                module.imported[alias.asname or alias.name] = there
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and _is_flow(node):
            module.flows.add(node.name)
    for node in tree.body:
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and _names_type(node.value, module):
            module.types |= set(_targets(node))
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign) and _names_type(node.annotation, module):
            module.flows |= set(_targets(node))
        elif isinstance(node, ast.arg) and node.annotation is not None and _calls_flow(node.annotation, module):
            module.flows.add(node.arg)
    return module


def _is_flow(function: Function) -> bool:
    """Say whether a function yields itself, functions inside it apart, or says that it gives a Flow."""
    if function.returns is not None and ast.unparse(function.returns).startswith("Flow"):
        return True
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            return not _is_iterator(function)
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            waiting += ast.iter_child_nodes(node)
    return False


def _is_iterator(function: Function) -> bool:
    """Plain iterators are for loops and lists; nothing is skipped where one is used."""
    return function.returns is not None and ast.unparse(function.returns).startswith(("Iterator", "Iterable"))


def _names_type(node: ast.AST | None, module: Module) -> bool:
    return node is not None and any(isinstance(n, ast.Name) and n.id in module.types for n in ast.walk(node))


def _calls_flow(annotation: ast.AST, module: Module) -> bool:
    """A parameter that is a function giving a Flow; one that is a Flow already is not called."""
    direct = isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value) == "Flow"
    return _names_type(annotation, module) and not direct


def _targets(node: ast.Assign | ast.AnnAssign) -> list[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _forgotten(module: Module, modules: Mapping[str, Module]) -> Iterator[str]:
    parents = {child: node for node in ast.walk(module.tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and _gives_flow(node.func, module, modules) and not _is_run(node, parents):
            yield f"{module.name}, line {node.lineno}: {ast.unparse(node.func)}(...) is called and not run"


def _gives_flow(function: ast.expr, module: Module, modules: Mapping[str, Module]) -> bool:
    if isinstance(function, ast.Subscript):
        return _gives_flow(function.value, module, modules)
    if isinstance(function, ast.Name):
        there = module.imported.get(function.id)
        return function.id in module.flows if there is None else _exports(modules, *there)
    if not isinstance(function, ast.Attribute):
        return False
    if isinstance(function.value, ast.Name) and function.value.id in module.imported:
        return _exports(modules, module.imported[function.value.id][0], function.attr)
    return isinstance(function.value, ast.Name) and function.value.id == "self" and function.attr in module.flows


def _exports(modules: Mapping[str, Module], name: str, attribute: str) -> bool:
    """Say whether a module has a flow of that name, its own or imported."""
    module = modules.get(name)
    if module is None:
        return False
    there = module.imported.get(attribute)
    return attribute in module.flows if there is None else _exports(modules, *there)


def _is_run(call: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> bool:
    parent = parents[call]
    if isinstance(parent, ast.IfExp) and call is not parent.test:
        return _is_run(parent, parents)
    if isinstance(parent, ast.Call):
        return call in parent.args
    return isinstance(parent, (ast.YieldFrom, ast.Return, ast.Lambda, ast.keyword))
