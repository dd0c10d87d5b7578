"""What is in scope while a program is written, and the choice of an expression by its type.

The kinds of expressions are in the modules built on this one: `plain_KIND` makes a literal or a construction of a type,
`more_KIND` (where there is one) something with operators and calls.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.fuzz.choices import Choices
from tests.fuzz.types import TypeChoices, list_of, map_of


@dataclass
class Variable:
    """A name in scope. A frozen one (a constant, a loop variable, a name of a pattern) is neither set nor moved, a
    captured one is not moved."""

    name: str
    type: str
    frozen: bool = False
    captured: bool = False


@dataclass(frozen=True)
class Function:
    """What can be called: parameter types and result."""

    name: str
    parameters: tuple[str, ...]
    result: str


class Names(TypeChoices):
    """Scopes, and expressions by type."""

    def __init__(self, choose: Choices) -> None:
        super().__init__(choose)
        self.scopes: list[list[Variable]] = [[]]
        self.functions: list[Function] = []
        self.counter = 0
        self.lambdas = 0  # within a lambda: no calls of functions, so that nothing multiplies
        self.pruned = False  # within the construction of a recursive value, which is cut as a whole

    # ---- names ------------------------------------------------------------------------------------------------------

    def fresh(self, prefix: str) -> str:
        self.counter += 1
        return f"{prefix}{self.counter}"

    def everything(self) -> list[Variable]:
        return [variable for scope in self.scopes for variable in scope]

    def visible(self, type_: str) -> list[Variable]:
        return [variable for variable in self.everything() if variable.type == type_]

    def use(self, variables: list[Variable]) -> str:
        variable = self.choose.of(variables)
        variable.captured = variable.captured or self.lambdas > 0
        return variable.name

    def declare(self, name: str, type_: str, frozen: bool = False) -> None:
        self.scopes[-1].append(Variable(name, type_, frozen))

    def written(self, type_: str) -> str:
        """A type as it is spelled in a declaration."""
        alias = self.world.aliases.get(type_)
        return alias if alias and self.choose.chance(40) else type_

    # ---- by type ----------------------------------------------------------------------------------------------------

    def make(self, type_: str, depth: int = 3) -> str:
        """An expression of the type."""
        names = self.visible(type_)
        if names and self.choose.chance(45 if depth > 0 else 70):
            return self.use(names)
        if not self.world.is_recursive(type_) or self.pruned:
            return self._make(type_, depth)
        self.pruned = True
        made = self._make(type_, depth)
        self.pruned = False
        return f"PRUNE_{type_}({made}, 3)"

    def _make(self, type_: str, depth: int) -> str:
        if depth <= 0:
            return self.plain(type_, depth)
        options: list[Callable[[str, int], str]] = [self.plain, self.plain]
        special = getattr(self, f"more_{self.world.kind(type_)}", None)
        if special is not None:
            options += [special] * 5
        options += [self.conditional, self.element, self.field, self.call, self.call_value]
        return self.choose.of(options)(type_, depth - 1)

    def plain(self, type_: str, depth: int) -> str:
        """A literal or a construction."""
        made: str = getattr(self, f"plain_{self.world.kind(type_)}")(type_, depth)
        return made

    def simple(self, type_: str) -> str:
        """A name or a literal: these have the type even where none is expected."""
        names = self.visible(type_)
        return self.use(names) if names and self.choose.chance(60) else self.plain(type_, 1)

    def conditional(self, type_: str, depth: int) -> str:
        condition = self.make("bool", depth)
        return f"(IF {condition} THEN {self.make(type_, depth)} ELSE {self.make(type_, depth)})"

    def element(self, type_: str, depth: int) -> str:
        """Something out of a list, a map, an option or a result that is in scope."""
        choose = self.choose
        lists = self.visible(list_of(type_))
        if lists and choose.chance(60):
            name = self.use(lists)
            return choose.of((f"{name}[{self.small()}]", f"HEAD({name})", f"{name}[LEN({name}) SUB 1]"))
        for key in choose.shuffled(("int", "string", *self.world.enums)):
            maps = self.visible(map_of(key, type_))
            if maps:
                return f"{self.use(maps)}[{self.make(key, 0)}]"
        for wrapper in (f"OPTION<{type_}>", f"RESULT<{type_}, string>"):
            names = self.visible(wrapper)
            if names:
                name = self.use(names)
                return choose.of((f"UNWRAP_OR({name}, {self.make(type_, depth)})", f"UNWRAP({name})"))
        return self.plain(type_, depth)

    def field(self, type_: str, depth: int) -> str:
        found = [
            (variable, name)
            for variable in self.everything()
            for name, kind in self.world.fields(variable.type).items()
            if kind == type_
        ]
        if not found:
            return self.plain(type_, depth)
        variable, name = self.choose.of(found)
        return f"{self.use([variable])}.{name}"

    def call(self, type_: str, depth: int) -> str:
        fitting = [function for function in self.functions if function.result == type_]
        if not fitting or self.lambdas:
            return self.plain(type_, depth)
        function = self.choose.of(fitting)
        values = [self.make(kind, min(depth, 1)) for kind in function.parameters]
        if values and self.choose.chance(15):
            first = f"({values[0]})" if values[0].startswith("fn(") else values[0]  # a lambda goes on as far as it can
            return f"({first} PIPE {function.name}({', '.join(values[1:])}))"
        return f"{function.name}({', '.join(values)})"

    def call_value(self, type_: str, depth: int) -> str:
        """A call of a function value in scope."""
        names = self.visible(f"fn(int): {type_}")
        if not names or self.lambdas:
            return self.plain(type_, depth)
        return f"{self.use(names)}({self.make('int', min(depth, 1))})"

    def small(self) -> str:
        """An index: mostly within what lists have."""
        return str(self.choose.of((0, 0, 0, 0, 0, 1, 1, 2, 3)))
