"""The state of the check of one function (or lambda, or module start-up): scopes, facts, result, loops.

`check_body` runs the check of a body until nothing blocks it any more; see the package's docstring for what blocking
is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

from nxdc.check.declarations.symbols import ModuleScope, VarSymbol
from nxdc.check.expressions.decided import carry_places
from nxdc.core import tree as core
from nxdc.diagnostics.model import Code
from nxdc.diagnostics.sink import Sink
from nxdc.source.record import Record
from nxdc.source.span import Span
from nxdc.syntax import ast
from nxdc.types import model
from nxdc.types.model import Type, TypeVar
from nxdc.types.unify import has_vars, prune

if TYPE_CHECKING:
    from nxdc.check.checker import Checker
    from nxdc.check.instances import Instance

MAX_ROUNDS = 6  # of one function in one mode; each must find out something new
# Modes of a round: a guess may be made (`X ADD 1`: X is an int), undecided types become their default.
LEARNING, GUESSING, LAST = range(3)


class VariantFact(Record):
    """What flow knows about a variable of a union type: it holds this variant."""

    index: int


class BoundFact(Record):
    """What flow knows about a name of MATCHES: the test holds here, so it has a value."""


BOUND = BoundFact()
_PLACES = "places"  # marks the hints that are kept for the places in them


class Var:
    """A local name: its core variable and what the checker remembers of it."""

    __slots__ = ("assigned", "captured", "const", "hides", "kind", "local", "outer", "span", "tested")

    def __init__(self, local: core.Local, kind: str, *, const: bool = False, outer: Var | None = None) -> None:
        self.local = local
        self.kind = kind  # "let", "param", "loop", "pattern", "catch"
        self.const = const
        self.span = local.span
        self.assigned = False
        self.captured = False
        self.outer = outer  # the variable of the enclosing function this one shares its cell with
        self.tested = False  # bound by MATCHES: a name only where a fact says that the test holds
        self.hides: Var | None = None  # what the name stands for in this block where the test does not hold

    def mark_assigned(self) -> None:
        """Remembers that the variable is set after its LET, here or by a lambda that shares it."""
        var: Var | None = self
        while var is not None:
            var.assigned = True
            var = var.outer


Fact = Union[Type, VariantFact, BoundFact]
Facts = dict[Union[core.Local, Var], Fact]


class LoopState:
    """A loop around the current statement."""

    __slots__ = ("has_break", "stmt")

    def __init__(self, stmt: core.Stmt) -> None:
        self.stmt = stmt
        self.has_break = False


class Fn:
    """One function while it is checked."""

    def __init__(
        self, checker: Checker, scope: ModuleScope, env: dict[str, Type], function: core.CoreFunction, *,
        parent: Fn | None = None, instance: Instance | None = None,
    ) -> None:  # fmt: skip
        self.checker = checker
        self.unifier = checker.unifier
        self.scope = scope
        self.env = env
        self.function = function
        self.parent = parent
        self.instance: Instance | None = instance if instance is not None or parent is None else parent.instance
        self.snapshot = False  # a lambda of SPAWN or TASK: captures are copies
        self.scopes: list[dict[str, Var]] = [{}]
        self.facts: Facts = {}
        self.loops: list[LoopState] = []
        self.captures: list[tuple[Var, core.Local]] = []
        self.vars: list[Var] = []
        self.hints: dict[Any, Type] = parent.hints if parent is not None else {}
        self.root: Fn = parent.root if parent is not None else self
        # Result: the declared type, or a variable that the first RETURN of a value solves.
        self.result: Type = model.NONE
        self.result_declared = True
        self.returned_value: Span | None = None  # first RETURN with a value
        self.only_literals = True  # every value returned so far is an int literal
        self.returned_error = False  # a value without a type: wrong, or not known in this round
        self.returned_none: list[Span] = []
        self.none_returns: list[Any] = []  # the Pending values of `RETURN NONE`
        self.allows_return = True
        self.is_start = False  # module start-up: LET makes module variables
        self.start_vars: dict[str, Any] = {}  # VarSymbols whose LET has been passed
        self.initializing: VarSymbol | None = None  # the VarSymbol whose initialiser this is
        self.broken = ""  # the text of statements that could not be read: names may be missing
        self.unchecked = ""  # the text of what is dead in this instance of a template: its uses of names count
        self.lambda_count = 0
        self.lambdas: list[Fn] = []
        if parent is None:
            self.blocked_on: list[tuple[TypeVar, Span]] = []
            self.own_vars: list[TypeVar] = []
            self.hint_vars: dict[Any, Type] = {}
            self.matches: list[tuple[core.Match, Fn]] = []  # for the exhaustiveness check
        else:
            self.blocked_on = parent.blocked_on
            self.own_vars = parent.own_vars
            self.hint_vars = parent.hint_vars

    # ---- diagnostics

    def error(self, code: Code, wording: str, span: Span, label: str = "", **kwargs: Any) -> None:
        """Reports an error in this function; in a template instance with the call that led here."""
        instance = self.instance
        if instance is not None and instance.called_from is not None and instance.is_derived:
            kwargs["also"] = [*kwargs.get("also", ()), (instance.called_from, instance.call_label())]
        self.checker.sink.report(code, wording, span, label, **kwargs)

    # ---- variables of inference

    def fresh(self, *, from_none: bool = False, origin: Span | None = None) -> TypeVar:
        """A new inference variable that belongs to this function."""
        var = self.unifier.fresh(from_none=from_none, origin=origin)
        self.own_vars.append(var)
        return var

    def block(self, type_: Type, span: Span) -> bool:
        """Called where an undecided type must be known. True: stop here silently, the function will be checked again.

        When nothing more can be found out, the type becomes `any` and the answer is False.
        """
        var = prune(type_)
        if not isinstance(var, TypeVar):
            return False
        if self.root.last_round:
            self.unifier.bind(var, var.default)
            return False
        self.blocked_on.append((var, span))
        return True

    def decided(self, type_: Type, span: Span) -> Type:
        """What a type is that must be known: a variable only where the function will be checked again."""
        found = prune(type_)
        if isinstance(found, TypeVar) and not self.block(found, span):
            found = prune(found)
        return found

    def wait(self, type_: Type, span: Span) -> bool:
        """Called where a guess could be made about an undecided type. True: stop here silently, a later line may
        decide it. Guesses are made when nothing else is found out any more, before undecided types become `any`.
        """
        root = self.root
        if root.guesses or root.last_round or self.is_open:
            return False
        root.waited = True
        return self.block(type_, span)

    def begin_round(self, hints: dict[Any, Type], mode: int) -> None:
        """Sets up a round of the check; see `check_body`."""
        self.hints = hints
        self.guesses = mode == GUESSING
        self.last_round = mode == LAST

    last_round = False
    guesses = False
    waited = False
    attempts = 0  # of the parts around the current one: see `Attempt`

    @property
    def is_open(self) -> bool:
        """Whether this is an instance for undecided types: made anew when its caller is checked again."""
        return self.instance is not None and self.instance.is_open

    @property
    def drops_dead_code(self) -> bool:
        """Whether what narrowing makes dead is not checked: in instances of templates and generic functions."""
        return self.instance is not None and self.instance.is_derived

    def leave_out(self, *nodes: ast.Node) -> None:
        """Remembers what is not checked because it is dead in this instance."""
        self.root.unchecked += "".join(f" {node.span.text}" for node in nodes)

    def hinted(self, key: Any, type_: Type) -> Type:
        """`type_` for a declaration, or what an earlier round found out for it. Remembered for the next round."""
        hint = self.hints.get(key)
        if hint is not None:
            self.unifier.unify(type_, hint)
            carry_places(self.hints[_PLACES, key], type_)
        self.hint_vars[key] = type_
        return type_

    # ---- scopes

    def push(self) -> None:
        """Opens a block."""
        self.scopes.append({})

    def pop(self) -> None:
        """Closes a block."""
        self.scopes.pop()

    def declare(self, name: ast.Name, type_: Type, kind: str, *, const: bool = False) -> core.Local:
        """A new local variable in the innermost block."""
        local = core.Local(name.text, type_, name.span)
        var = Var(local, kind, const=const)
        self.vars.append(var)
        self.scopes[-1][name.text] = var
        return local

    def declare_tested(self, name: ast.Name, type_: Type) -> Var:
        """A name of MATCHES: it is seen where `facts` say that the test holds, and hides nothing elsewhere."""
        earlier = self.scopes[-1].get(name.text)
        self.declare(name, type_, "pattern")
        var = self.scopes[-1][name.text]
        var.tested, var.hides = True, earlier
        return var

    def in_scope(self, scope: dict[str, Var], name: str) -> Var | None:
        """What a name stands for in a block, here."""
        var = scope.get(name)
        while var is not None and var.tested and var not in self.facts:
            var = var.hides
        return var

    def temp(self, type_: Type, span: Span) -> core.Local:
        """A variable without a name."""
        return core.Local("$t", type_, span)

    def lookup(self, name: str) -> Var | None:
        """The local variable of that name, captured from an enclosing function if it must be."""
        for scope in reversed(self.scopes):
            var = self.in_scope(scope, name)
            if var is not None:
                return var
        if self.parent is None:
            return None
        outer = self.parent.lookup(name)
        return self._capture(outer) if outer is not None else None

    def _capture(self, outer: Var) -> Var:
        local = core.Local(outer.local.name, outer.local.type, outer.local.span, borrowed=outer.local.borrowed)
        var = Var(local, outer.kind, const=outer.const, outer=None if self.snapshot else outer)
        if not self.snapshot:
            outer.captured = True
            var.captured = True
        assert self.parent is not None
        fact = self.parent.facts.get(outer.local)
        if fact is not None:
            self.facts[local] = fact
        self.vars.append(var)
        self.scopes[0][local.name] = var
        self.captures.append((outer, local))
        return var

    def tested_elsewhere(self, name: str) -> Var | None:
        """A name of MATCHES whose test may have failed here."""
        fn: Fn | None = self
        while fn is not None:
            for scope in reversed(fn.scopes):
                if name in scope and fn.in_scope(scope, name) is None:
                    return scope[name]
            fn = fn.parent
        return None

    def names_in_scope(self) -> list[str]:
        """All local names, innermost first."""
        found: list[str] = []
        fn: Fn | None = self
        while fn is not None:
            for scope in reversed(fn.scopes):
                found += [name for name in scope if fn.in_scope(scope, name) is not None]
            fn = fn.parent
        return found


class Attempt:
    """The check of a part of a function that may have to be taken back: what it reports and decides is kept by `keep`
    and forgotten by `undo`.
    """

    def __init__(self, f: Fn) -> None:
        self._f = f
        f.root.attempts += 1
        self._mark = f.unifier.begin()
        self._outer = f.checker.sink
        self._counts = (len(f.lambdas), len(f.root.matches), len(f.blocked_on), f.root.lambda_count)
        self._facts = dict(f.facts)
        f.checker.sink = self.sink = Sink()

    @property
    def failed(self) -> bool:
        """Whether the part has errors that no other round of the check will take away."""
        return self.sink.has_errors and len(self._f.blocked_on) == self._counts[2]

    def keep(self) -> None:
        """Ends the attempt with what it found."""
        self._f.root.attempts -= 1
        self._f.unifier.commit(self._mark)
        self._f.checker.sink = self._outer
        self._outer.extend(self.sink.found())

    def undo(self) -> None:
        """Ends the attempt as if it had not been."""
        f = self._f
        f.root.attempts -= 1
        f.unifier.rollback(self._mark)
        f.checker.sink = self._outer
        lambdas, matches, blocked, count = self._counts
        del f.lambdas[lambdas:], f.root.matches[matches:], f.blocked_on[blocked:]
        f.root.lambda_count = count
        f.facts = self._facts


def check_body(fn_factory: Any, checker: Checker, *, hints: dict[Any, Type], postpone: bool) -> Fn | None:
    """Runs the check of a function until it is not blocked any more.

    `fn_factory(hints, mode)` makes a fresh `Fn`, checks the whole body with it, and returns it. None: the
    function waits for a type that is not its own (a module variable, the result of a function that is being checked)
    and `postpone` allows it to wait.
    """
    outer_sink = checker.sink
    mode = LEARNING
    rounds = 0
    done = len(checker.finished)
    while True:
        checker.sink = sink = Sink()
        try:
            fn: Fn = fn_factory(hints, mode)
        finally:
            checker.sink = outer_sink
        if not fn.blocked_on or mode == LAST:
            # What is kept even if the function around it is checked again reports to the program at once.
            (outer_sink if fn.is_open else checker.final_sink).extend(sink.found())
            return fn
        checker.finished[done:] = [inner for inner in checker.finished[done:] if not inner.is_open]
        rounds += 1
        learned = _learn(fn, hints)
        if not learned or rounds >= MAX_ROUNDS:
            own = set(map(id, fn.own_vars))
            others = [b for b in fn.blocked_on if id(prune(b[0])) not in own and isinstance(prune(b[0]), TypeVar)]
            if postpone and others:
                checker.waits_for = others[0]
                return None
            mode = GUESSING if fn.waited else LAST
            rounds = 0


def _learn(fn: Fn, hints: dict[Any, Type]) -> bool:
    """Keeps what this round found out about declarations; whether anything is new."""
    learned = False
    for key, type_ in fn.hint_vars.items():
        found = _open(fn, type_)
        if isinstance(found, TypeVar):
            continue
        hints[_PLACES, key] = type_
        known = hints.get(key)
        if known is None or (has_vars(known) and _fewer_vars(found, known)):
            hints[key] = found
            learned = True
    return learned


def _fewer_vars(found: Type, known: Type) -> bool:
    return _count_vars(found) < _count_vars(known) or _size(found) > _size(known)


def _count_vars(type_: Type) -> int:
    from nxdc.types.unify import children

    type_ = prune(type_)
    return 1 if isinstance(type_, TypeVar) else sum(_count_vars(part) for part in children(type_))


def _size(type_: Type) -> int:
    from nxdc.types.unify import children

    return 1 + sum(_size(part) for part in children(prune(type_)))


def _open(fn: Fn, type_: Type) -> Type:
    """The hint without variables of the thrown-away round: they are made anew. So is what has no type because the
    round stopped there.
    """
    from nxdc.types.unify import map_type

    own = set(map(id, fn.own_vars))

    def is_new(part: Type) -> bool:
        return isinstance(part, model.ErrorType) or (isinstance(part, TypeVar) and id(part) in own)

    return map_type(type_, lambda t: fn.unifier.fresh() if is_new(t) else None)
