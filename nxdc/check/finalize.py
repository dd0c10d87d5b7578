"""The end of a check: the core without variables.

Input:  finally checked functions, whose nodes still hold solved variables and `Pending` conversions.
Output: the same nodes with plain types; conversions decided; variables that lambdas share and someone sets marked as
cells. Nothing is inferred here: what is still undecided becomes `any`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from nxdc.check.coerce import Pending, coerce
from nxdc.check.declarations.typeexprs import check_key
from nxdc.check.expressions.boxes import box_struct
from nxdc.check.expressions.exprs import report_mismatch
from nxdc.check.function import Fn
from nxdc.check.literals import WrittenList, WrittenMap
from nxdc.core import tree as core
from nxdc.diagnostics import codes
from nxdc.source.record import MutableRecord, Record
from nxdc.types import model
from nxdc.types.model import ANY, BOOL, NONE, Type
from nxdc.types.show import show
from nxdc.types.unify import children, rebuild, zonk

if TYPE_CHECKING:
    from nxdc.check.checker import Checker

_PARTS = ("Expr", "Stmt", "Pattern", "Case", "Catch", "ExprCatch", "SelectCase")


def _node_classes() -> dict[type, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], bool]]:
    """For each core class: its fields with nodes, with locals, with further types, and whether it has a `type`."""
    table: dict[type, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], bool]] = {}
    for cls in [*vars(core).values(), Pending, WrittenList, WrittenMap]:
        if not (isinstance(cls, type) and issubclass(cls, MutableRecord)):
            continue
        annotations: dict[str, str] = {}
        for base in reversed(cls.__mro__):
            annotations.update(getattr(base, "__annotations__", {}))
        nodes, locals_, types = [], [], []
        for name in cls._fields:
            text = str(annotations.get(name, ""))
            words = set(text.replace("[", " ").replace("]", " ").replace(",", " ").replace("|", " ").split())
            if name == "loop" or name == "type":
                continue
            if words & set(_PARTS):
                nodes.append(name)
            elif "Local" in words:
                locals_.append(name)
            elif "Type" in words:
                types.append(name)
        table[cls] = (tuple(nodes), tuple(locals_), tuple(types), "type" in cls._fields)
    return table


_CLASSES = _node_classes()


def node_classes() -> dict[type, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], bool]]:
    """For each core class: its fields with nodes, with locals, with further types, and whether it has a `type`."""
    return _CLASSES


def finalize_all(checker: Checker) -> None:
    """Finalizes every finished function and its lambdas; conversions that turn out impossible are reported."""
    for fn in checker.finished:
        _mark_cells(fn)
    for fn in checker.finished:
        _Finalizer(fn).run()
        if fn.instance is not None and fn.instance.is_open:
            fn.instance.rename()
    for variable in checker.globals:
        variable.type = canonical(checker, variable.type)
    for scope in checker.scopes.values():
        for symbol in scope.own_types.values():
            if symbol.decl is not None:
                _finalize_decl(checker, symbol.decl)
    done = 0
    while done < len(checker.box_decls):  # the methods of a box may give other boxes
        _finalize_decl(checker, list(checker.box_decls.values())[done])
        done += 1


def _finalize_decl(checker: Checker, decl: model.NominalDecl) -> None:
    decl.fields = [(name, canonical(checker, t)) for name, t in decl.fields]
    decl.variants = [(name, tuple(canonical(checker, t) for t in payload)) for name, payload in decl.variants]


def _mark_cells(fn: Fn) -> None:
    for var in fn.vars:
        root = var
        while root.outer is not None:
            root = root.outer
        var.local.cell = root.captured and root.assigned
    for inner in fn.lambdas:
        _mark_cells(inner)


def canonical(checker: Checker, type_: Type) -> Type:
    """`type_` without variables, its record types in the order in which they were first written."""
    type_ = zonk(type_)
    if isinstance(type_, model.PrimType):
        return type_
    return _with_records(checker, type_)


def _with_records(checker: Checker, type_: Type) -> Type:
    if isinstance(type_, model.BoxType) and not type_.args:
        return box_struct(checker, type_)
    parts = children(type_)
    if not parts:
        return type_
    new = tuple([_with_records(checker, part) for part in parts])
    if isinstance(type_, model.BoxType):
        return box_struct(checker, model.BoxType(type_.trait, new))
    if any(a is not b for a, b in zip(new, parts, strict=False)):
        type_ = rebuild(type_, new)
    return checker.record(type_.fields) if isinstance(type_, model.RecordType) else type_


class _Finalizer:
    """Walks one function."""

    def __init__(self, fn: Fn) -> None:
        self.fn = fn
        self.checker = fn.checker

    def run(self) -> None:
        function = self.fn.function
        for local in function.params:
            self.local(local)
        function.result = self.type(function.result)
        for i, stmt in enumerate(function.body):
            function.body[i] = self.node(stmt)
        done = 0
        while done < len(self.fn.lambdas):  # conversions may still add some
            _Finalizer(self.fn.lambdas[done]).run()
            done += 1

    def type(self, type_: Type) -> Type:
        if type(type_) is model.PrimType:
            return type_
        # By identity: types are immutable and shared a lot. The entry keeps its key's object alive.
        known = self.checker.canonical_types.get(id(type_))
        if known is None:
            known = self.checker.canonical_types[id(type_)] = (type_, canonical(self.checker, type_))
        return known[1]

    def local(self, local: core.Local) -> None:
        local.type = self.type(local.type)

    def node(self, node: Any) -> Any:
        """Finalizes a node and its parts; gives the node that stands in its place."""
        cls = type(node)
        nodes, locals_, types, typed = _CLASSES[cls]
        old_type = node.type if typed else None
        if cls is core.GetField or cls is core.SetField:
            node.index = self._field_number(node.object, node.index)
        for name in nodes:
            value = getattr(node, name)
            if value is None:
                continue
            if type(value) is list:
                self._list(value)
            else:
                setattr(node, name, self.node(value))
        for name in locals_:
            value = getattr(node, name)
            if type(value) is list:
                for local in value:
                    self.local(local)
            elif value is not None:
                self.local(value)
        for name in types:
            value = getattr(node, name)
            if type(value) is list:
                setattr(node, name, [self.type(t) for t in value])
            elif value is not None:
                setattr(node, name, self.type(value))
        if typed:
            node.type = self.type(old_type)  # type: ignore[arg-type]  # typed nodes have one
        fix = _FIXES.get(cls)
        return fix(self, node, old_type) if fix is not None else node

    def _list(self, items: list[Any]) -> None:
        for i, item in enumerate(items):
            if type(item) is tuple:
                items[i] = tuple(self.node(part) if not isinstance(part, (int, str)) else part for part in item)
            else:
                items[i] = self.node(item)

    def _field_number(self, obj: core.Expr, index: int) -> int:
        """A record's fields may stand in another order in the canonical type."""
        before = zonk(obj.type)
        if not isinstance(before, model.RecordType):
            return index
        after = self.type(before)
        assert isinstance(after, model.RecordType)
        return [name for name, _ in after.fields].index(before.fields[index][0])


# ---- nodes that variables have kept waiting
# ----------------------------------------------------------------------------------

_Fix = Callable[[_Finalizer, Any, Any], Any]
_FIXES: dict[type, _Fix] = {}


def _fixes(kind: type) -> Callable[[_Fix], _Fix]:
    def register(fix: _Fix) -> _Fix:
        _FIXES[kind] = fix
        return fix

    return register


@_fixes(Pending)
def _pending(run: _Finalizer, node: Pending, old: Type) -> core.Expr:
    value = node.value
    made = coerce(run.fn, value, node.type)
    if made is None:
        report_mismatch(run.fn, value, node.type, node.span, "assign")
        return value
    return run.node(made) if made is not value and not isinstance(made, core.NoneLit) else made


@_fixes(core.MakeMap)
def _make_map(run: _Finalizer, node: core.MakeMap, old: Type) -> core.Expr:
    """The keys of an empty literal may have got their type by a call only now."""
    # Not a map only where an error made it so: `[1, 2]` where a map was set before, of a variable that is unknown.
    if isinstance(node.type, model.MapType) and not node.entries:
        check_key(run.checker, node.type.key, node.span, run.fn.error)
    return node


@_fixes(WrittenList)
def _written_list(run: _Finalizer, node: WrittenList, old: Type) -> core.Expr:
    return core.MakeList(node.type, node.span, node.elements)


@_fixes(WrittenMap)
def _written_map(run: _Finalizer, node: WrittenMap, old: Type) -> core.Expr:
    return core.MakeMap(node.type, node.span, node.entries)


@_fixes(core.NoneLit)
def _none(run: _Finalizer, node: core.NoneLit, old: Type) -> core.Expr:
    type_ = node.type
    if isinstance(type_, model.UnionType) and type_.decl is model.OPTION_DECL:
        return core.MakeUnion(type_, node.span, 1, [])
    return node


@_fixes(core.Return)
def _return(run: _Finalizer, node: core.Return, old: Type) -> core.Stmt:
    if isinstance(node.value, core.NoneLit) and node.value.type is NONE:
        node.value = None
    return node


def _has_forms(type_: Type) -> bool:
    """Whether an any that passed the test for `type_` may hold it in another form: another instance, or plain none."""
    return isinstance(type_, model.UnionType) and type_.decl in (model.OPTION_DECL, model.RESULT_DECL)


@_fixes(core.Convert)
def _convert(run: _Finalizer, node: core.Convert, old: Type) -> core.Expr:
    value = node.value
    if node.kind == "view":
        return node
    if value.type == node.type:
        return value
    if node.kind == "narrowed" and isinstance(value, core.LocalRef) and value.local.cell:
        # Another holder of the cell may have set the variable since the test.
        node.kind = "not_none" if isinstance(value.type, model.NullableType) else "from_any"
    if node.kind == "narrowed" and value.type == model.ANY and _has_forms(node.type):
        node.kind = "from_any"
    if isinstance(value.type, model.NeverType):
        return value
    return node


@_fixes(core.Payload)
def _payload(run: _Finalizer, node: core.Payload, old: Type) -> core.Expr:
    if isinstance(node.object, core.LocalRef) and node.object.local.cell:
        run.fn.error(codes.S3002, "option_value", node.span, type=show(node.object.type), want=show(node.type),
                     helps=["a lambda may change the variable: take the value out with `UNWRAP(...)`"])  # fmt: skip
    return node


@_fixes(core.IsTest)
def _is_test(run: _Finalizer, node: core.IsTest, old: Type) -> core.Expr:
    if node.kind != "none":
        return node
    type_ = node.value.type
    if type_ is ANY or isinstance(type_, (model.NullableType, model.ErrorType)):
        return node
    if isinstance(type_, model.UnionType) and type_.decl is model.OPTION_DECL:
        return core.IsTest(BOOL, node.span, "variant", node.value, None, 1)
    return core.BoolLit(BOOL, node.span, type_ is NONE)


@_fixes(core.Intrinsic)
def _intrinsic(run: _Finalizer, node: core.Intrinsic, old: Type) -> core.Expr:
    if node.name not in ("eq_value", "neq_value"):
        return node
    from nxdc.check.expressions.operators import ROWS

    row = ROWS.get((node.op, node.args[0].type, node.args[1].type))
    if row is not None:
        name = row.inline or row.lower
        assert name is not None
        node.name = name
    elif node.args[0].type is ANY:
        return core.Convert(
            BOOL, node.span, "from_any", core.Intrinsic(ANY, node.span, "any_binary", node.op, node.args)
        )
    return node


@_fixes(core.MakeStruct)
def _make_struct(run: _Finalizer, node: core.MakeStruct, old: Type) -> core.Expr:
    if isinstance(node.type, model.RecordType):
        before = zonk(old)
        assert isinstance(before, model.RecordType)
        order = [name for name, _ in node.type.fields]
        node.slots = [order.index(before.fields[slot][0]) for slot in node.slots]
    return node


@_fixes(core.PStruct)
def _pattern_struct(run: _Finalizer, node: core.PStruct, old: Type) -> core.Pattern:
    if isinstance(node.type, model.RecordType):
        before = zonk(old)
        assert isinstance(before, model.RecordType)
        order = [name for name, _ in node.type.fields]
        node.fields = [(order.index(before.fields[i][0]), pattern) for i, pattern in node.fields]
    return node


# ---- what a function needs
# ---------------------------------------------------------------------------------------------------


class Needs(Record):
    """What a function needs: the functions that it calls or holds, the module variables it names, in order of
    appearance; and whether it starts processes."""

    functions: list[core.CoreFunction]
    variables: list[core.Global]
    spawns: bool


def needs(function: core.CoreFunction) -> Needs:
    """What a finalized function needs."""
    spawns = False
    functions: dict[core.CoreFunction, None] = {}
    variables: dict[core.Global, None] = {}
    work: list[Any] = list(reversed(function.body))
    while work:
        node = work.pop()
        cls = type(node)
        if cls is list or cls is tuple:
            work.extend(reversed(node))
            continue
        if cls not in _CLASSES:
            continue
        spawns = spawns or cls is core.Spawn
        if cls in _HOLDERS and node.function is not None:
            functions[node.function] = None
        elif cls is core.GlobalRef or cls is core.SetGlobal:
            variables[node.variable] = None
        for name in reversed(_CLASSES[cls][0]):
            value = getattr(node, name)
            if value is not None:
                work.append(value)
    return Needs(list(functions), list(variables), spawns)


_HOLDERS = frozenset({core.Call, core.FuncRef, core.Lambda, core.Spawn})
