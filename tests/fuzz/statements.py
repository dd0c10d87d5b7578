"""Random simple statements, and how lines are written.

Nothing here runs for long: only functions without loops are called from loops, and what is added to a collection is
small.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.fuzz.choices import Choices
from tests.fuzz.names import Variable
from tests.fuzz.patterns import Patterns
from tests.fuzz.types import SCALARS, arguments

CODES = ("E4001", "E6001", "E7001", "E7002", "E2001")
CAUGHT = (*CODES, "E1002", "E1003", "E1004", "E1005", "E5002")


class Statements(Patterns):
    """Writes lines. `silent` functions are for tasks: they note what they see in TRACE instead of printing it."""

    def __init__(self, choose: Choices) -> None:
        super().__init__(choose)
        self.lines: list[str] = []
        self.indent = 0
        self.loops = 0
        self.straight = False  # no loops for now: the code runs where it may be repeated
        self.silent = False
        self.budget = 0
        self.result: str | None = None

    # ---- layout -----------------------------------------------------------------------------------------------------

    def line(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)

    def text(self, lines: str) -> None:
        """Lines that belong together, written as they stand."""
        for line in lines.strip("\n").split("\n"):
            self.line(line)

    def note(self, text: str) -> None:
        """Make a value visible."""
        if self.silent:
            self.line(f'TRACE SETADD ("" ADD {text} ADD ";")')
        else:
            self.line(f"PRINTLN({text})")

    def block(self, header: str, *names: tuple[str, str], count: int | None = None, mark: bool = True) -> None:
        """A header and a random block in which the names are known."""
        self.line(header)
        self.scopes.append([])
        for name, type_ in names:
            self.declare(name, type_, frozen=True)
        self.indent += 1
        if mark:
            self.note(f'"at {self.fresh("B")}"')
        for name, _type in names:
            self.note(name)
        if count is None:
            self.choose.repeat(0, 3, self.statement)
        else:
            self.choose.repeat(count, count, self.statement)
        self.indent -= 1
        self.scopes.pop()

    def repeatable(self, work: Callable[[], None]) -> None:
        """Write code that is no part of the loop and the function around it: no BREAK, no RETURN, no loops."""
        before = self.loops, self.straight, self.result
        self.loops, self.straight, self.result = 0, True, None
        work()
        self.loops, self.straight, self.result = before

    # ---- choice -----------------------------------------------------------------------------------------------------

    def statement(self) -> None:
        """One statement; when the budget is used up, a simple one."""
        self.budget -= 1
        options = [self.show, self.let, self.set, self.change, self.let, self.set, self.change, self.move, self.leave]
        if self.budget > 0 and self.indent < 6:
            options += [*self.deep(), *self.deep()][: 2 * len(options)]
        self.choose.of(options)()

    def deep(self) -> list[Callable[[], None]]:
        """Statements with blocks, where they may stand now."""
        raise NotImplementedError

    def target(self) -> Variable | None:
        names = [v for v in self.everything() if not v.frozen]
        return self.choose.of(names) if names else None

    # ---- simple statements ------------------------------------------------------------------------------------------

    def show(self) -> None:
        names = self.everything()
        if names and self.choose.chance(60):
            self.note(self.choose.of(names).name)
        else:
            self.note(self.simple(self.any_type()))

    def let(self) -> None:
        type_ = self.any_type()
        value, name = self.make(type_), self.fresh("V")
        open_ = self.world.kind(type_) in ("any", "union", "struct", "RESULT", "record", "BOX") or "float" in type_
        if open_ or self.choose.chance(70):
            self.line(f"{self.choose.of(('LET', 'LET', 'LET', 'CONST'))} {name}: {self.written(type_)} SET {value}")
            frozen = self.lines[-1].lstrip().startswith("CONST")
        else:
            self.line(f"LET {name} SET {value}")
            frozen = False
        self.declare(name, type_, frozen)

    def set(self) -> None:
        variable = self.target()
        if variable is None:
            self.let()
        else:
            value = self.make(variable.type)
            if value == variable.name:
                value = self.plain(variable.type, 2)
            self.line(f"{variable.name} SET {value}")

    def change(self) -> None:
        """A change inside a value, or SETADD."""
        variable = self.choose.of(self.everything() or [Variable("", "int", True)])
        kind = self.world.kind(variable.type)
        if kind == "LIST":
            self._change_list(variable)
        elif kind == "MAP":
            self._change_map(variable)
        elif kind in ("struct", "record"):
            field, type_ = self.choose.of(list(self.world.fields(variable.type).items()))
            self._change_place(f"{variable.name}.{field}", type_)
        elif variable.type in ("int", "string", "float") and not variable.frozen:
            self._change_place(variable.name, variable.type)
        else:
            self.set()

    def _change_list(self, variable: Variable) -> None:
        name, element = variable.name, arguments(variable.type)[0]
        kind = self.choose.below(7)
        if kind < 2:
            self.line(f"PUSH {name}, {self.stored(element)}")
        elif kind == 2:
            self._change_place(f"{name}[{self.small()}]", element)
        elif kind == 3 and element in SCALARS:
            self.line(f"REMOVE {name} WHERE VALUE EQ {self.make(element, 1)}")
        elif kind == 4:
            self.line(f"INSERT({name}, {self.choose.of(('0', f'LEN({name})', '1'))}, {self.stored(element)})")
        elif kind == 5:
            self.line(f"REMOVE {name}[{self.small()}]")
        else:
            self.note(f"POP({name})")

    def _change_map(self, variable: Variable) -> None:
        key, value = arguments(variable.type)
        place = f"{variable.name}[{self.make(key, 0)}]"
        kind = self.choose.below(5)
        if kind == 0:
            self.line(f"REMOVE {place}")
        elif kind == 1:
            self.line(f"SET({variable.name}, {self.make(key, 0)}, {self.stored(value)})")
        else:
            self._change_place(place, value)

    def _change_place(self, place: str, type_: str, depth: int = 2) -> None:
        """SET or SETADD of a variable, a field, an element; or of a place within what is there."""
        fields = self.world.fields(type_)
        if fields and depth and self.choose.chance(40):
            field, inner = self.choose.of(list(fields.items()))
            self._change_place(f"{place}.{field}", inner, depth - 1)
        elif type_.startswith("LIST<") and depth and self.choose.chance(40):
            self._change_place(f"{place}[{self.small()}]", arguments(type_)[0], depth - 1)
        elif type_ in ("int", "float") and self.choose.chance(50):
            self.line(f"{place} SETADD {self.make(type_, 2)}")
        elif type_ == "string" and self.choose.chance(50):
            self.line(f"{place} SETADD SUBSTR({self.make('string', 1)}, 0, 1)")
        else:
            self.line(f"{place} SET {self.stored(type_)}")

    def stored(self, type_: str) -> str:
        """A value that goes into another one: of recursive types a fresh one, so that nothing comes to hold itself."""
        if not any(name in type_ for name in self.world.recursive()):
            return self.make(type_, 2)
        if self.world.is_recursive(type_):
            return f"PRUNE_{type_}({self.make(type_, 1)}, 2)"
        return f"(CLONE {self.plain(type_, 0)})"

    def move(self) -> None:
        """MOVE of a name of this block, BORROW or the statement form of CLONE."""
        own = [v for v in self.scopes[-1] if not v.frozen and not v.captured]
        name, choose = self.fresh("V"), self.choose
        kind = choose.below(5) if own else 4
        if kind == 3:
            variable = choose.of(own)
            self.note(f"MOVE {variable.name}")
            self.scopes[-1].remove(variable)
        elif kind < 2:
            variable = choose.of(own)
            self.line(choose.of((f"MOVE {variable.name} TO {name}", f"LET {name} SET MOVE {variable.name}")))
            self.scopes[-1].remove(variable)
            self.declare(name, variable.type)
        elif kind == 2:
            variable = choose.of(own)
            self.line(f"LET {name} SET BORROW {variable.name}")
            self.note(name)
            self.note(variable.name)
        elif self.everything():
            variable = choose.of(self.everything())
            self.line(f"CLONE {variable.name} TO {name}")
            self.declare(name, variable.type)
        else:
            self.let()

    def leave(self) -> None:
        """BREAK, CONTINUE, THROW, RAISE or RETURN, under a condition."""
        choose = self.choose
        choices = ['THROW "thrown"', f"THROW {self.make('int', 1)}", f"RAISE {choose.of(CODES)}"]
        choices.append(f"RAISE {choose.of(CODES)} {self.make('string', 1)}")
        if self.loops:
            choices += ["BREAK", "CONTINUE"] * 3
        if self.result is not None:
            choices.append(f"RETURN {'TRACE' if self.silent else self.make(self.result, 1)}")
        self.line(f"IF {self.make('bool', 2)}: {choose.of(choices)}")
