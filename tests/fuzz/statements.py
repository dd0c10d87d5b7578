"""Random statements: blocks, loops with a bound, matches, errors, processes.

Nothing here runs for long: loops count to a few steps (a `LOOP WHILE`, or one over a collection its body may lengthen,
carries a counter), and only functions without loops are called from loops.
"""

from __future__ import annotations

from random import Random

from tests.fuzz.expressions import Expressions, Variable
from tests.fuzz.types import (
    KEYS,
    SCALARS,
    World,
    any_type,
    arguments,
    list_of,
    map_of,
    member_type,
    option_of,
    result_of,
)

CODES = ("E4001", "E6001", "E7001", "E7002", "E2001")
CAUGHT = (*CODES, "E1002", "E1003", "E1004", "E1005", "E5002")


class Statements(Expressions):
    """Writes lines. `silent` functions are for tasks: they note what they see in TRACE instead of printing it."""

    def __init__(self, random: Random, world: World) -> None:
        super().__init__(random, world)
        self.lines: list[str] = []
        self.indent = 0
        self.loops = 0
        self.straight = False  # no loops for now: the code runs where it may be repeated
        self.silent = False
        self.budget = 0
        self.result: str | None = None
        self.tasks: list[str] = []  # silent functions: (int, string) -> string

    # ---- layout -----------------------------------------------------------------------------------------------------

    def line(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)

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
        for _ in range(self.random.randint(0, 3) if count is None else count):
            self.statement()
        self.indent -= 1
        self.scopes.pop()

    # ---- choice -----------------------------------------------------------------------------------------------------

    def statement(self) -> None:
        """One statement; when the budget is used up, a simple one."""
        self.budget -= 1
        simple = [
            self.let,
            self.let,
            self.set,
            self.set,
            self.change,
            self.change,
            self.show,
            self.show,
            self.move,
            self.leave,
        ]
        deep = [self.if_, self.loop, self.loop, self.match, self.try_, self.try_expression, self.lambda_, self.narrow]
        if not self.silent and not self.loops and not self.straight and self.indent < 3:
            deep += [self.task, self.channel]
        if self.budget > 0 and self.indent < 6:
            self.random.choice(simple + deep)()
        else:
            self.random.choice(simple)()

    def target(self, prefix: str = "") -> Variable | None:
        names = [v for v in self.everything() if not v.frozen and v.type.startswith(prefix)]
        return self.random.choice(names) if names else None

    # ---- simple statements ------------------------------------------------------------------------------------------

    def let(self) -> None:
        type_ = any_type(self.random, self.world)
        value, name = self.make(type_), self.fresh("V")
        self.line(
            f"LET {name}: {type_} SET {value}"
            if self.random.random() < 0.7 or type_ == "any"
            else f"LET {name} SET {value}"
        )
        self.declare(name, type_)

    def set(self) -> None:
        variable = self.target()
        if variable is None:
            self.let()
        else:
            self.line(f"{variable.name} SET {self.make(variable.type)}")

    def show(self) -> None:
        names = self.everything()
        self.note(
            self.random.choice(names).name
            if names and self.random.random() < 0.6
            else self.make(any_type(self.random, self.world))
        )

    def change(self) -> None:
        """A change inside a value."""
        variable = self.random.choice(self.everything() or [Variable("", "int", True)])
        kind = self.world.kind(variable.type)
        if kind == "LIST":
            self._change_list(variable)
        elif kind == "MAP":
            key, value = arguments(variable.type)
            place = f"{variable.name}[{self.make(key, 0)}]"
            self.line(f"REMOVE {place}" if self.random.random() < 0.25 else f"{place} SET {self.make(value, 2)}")
        elif kind == "struct":
            field, type_ = self.random.choice(list(self.world.structs[variable.type].items()))
            self.line(f"{variable.name}.{field} SET {self.make(type_, 2)}")
        elif variable.type == "int" and not variable.frozen:
            self.line(f"{variable.name} SETADD {self.make('int', 2)}")
        else:
            self.set()

    def _change_list(self, variable: Variable) -> None:
        name, element = variable.name, arguments(variable.type)[0]
        choice = self.random.randrange(5)
        if choice < 2:
            self.line(f"PUSH {name}, {self.make(element, 2)}")
        elif choice == 2:
            self.line(f"{name}[{self.small()}] SET {self.make(element, 2)}")
        elif choice == 3 and element in SCALARS:
            self.line(f"REMOVE {name} WHERE VALUE EQ {self.make(element, 1)}")
        else:
            self.note(f"POP({name})")

    def move(self) -> None:
        """MOVE of a name of this block, BORROW or the statement form of CLONE."""
        own = [v for v in self.scopes[-1] if not v.frozen]
        name = self.fresh("V")
        if own and self.random.random() < 0.6:
            variable = self.random.choice(own)
            self.line(
                f"MOVE {variable.name} TO {name}"
                if self.random.random() < 0.5
                else f"LET {name} SET MOVE {variable.name}"
            )
            self.scopes[-1].remove(variable)
            self.declare(name, variable.type)
        elif own and self.random.random() < 0.3:
            variable = self.random.choice(own)
            self.line(f"LET {name} SET BORROW {variable.name}")
            self.note(name)
            self.note(variable.name)
        elif self.everything():
            variable = self.random.choice(self.everything())
            self.line(f"CLONE {variable.name} TO {name}")
            self.declare(name, variable.type)
        else:
            self.let()

    def leave(self) -> None:
        """BREAK, CONTINUE, THROW, RAISE or RETURN, under a condition."""
        choices = ['THROW "thrown"', f"THROW {self.make('int', 1)}", f"RAISE {self.random.choice(CODES)}"]
        choices.append(f"RAISE {self.random.choice(CODES)} {self.make('string', 1)}")
        if self.loops:
            choices += ["BREAK", "CONTINUE"] * 3
        if self.result is not None:
            choices.append(f"RETURN {'TRACE' if self.silent else self.make(self.result, 1)}")
        self.line(f"IF {self.make('bool', 2)}: {self.random.choice(choices)}")

    # ---- blocks -----------------------------------------------------------------------------------------------------

    def if_(self) -> None:
        self.block(f"IF {self.make('bool')}:")
        if self.random.random() < 0.3:
            self.block(f"ELSE IF {self.make('bool')}:")
        if self.random.random() < 0.5:
            self.block("ELSE:")

    def narrow(self) -> None:
        """A nullable name, tested before its use; or a test of what an `any` holds."""
        name = self.fresh("N")
        if self.random.random() < 0.5:
            type_ = self.random.choice((*SCALARS, *self.world.structs))
            self.line(f"LET {name} SET NONE")
            self.line(f"IF {self.make('bool')}: {name} SET {self.make(type_, 2)}")
            self.note(name)
            self.block(f"IF NOT ({name} IS NONE):", (name, type_))
        else:
            type_ = self.random.choice((*SCALARS, *self.world.structs))
            self.line(f"LET {name}: any SET {self.make('any', 2)}")
            self.block(f"IF {name} IS {type_}:", (name, type_))
            other = self.fresh("V")
            self.line(f"LET {other}: {type_} SET {name}")
            self.declare(other, type_)

    def loop(self) -> None:
        if self.loops >= 2 or self.straight:
            self.if_()
            return
        random, counter = self.random, self.fresh("I")
        choice = random.randrange(6)
        guard = None
        names: list[tuple[str, str]] = []
        if choice == 0:
            step = random.choice(("", "", " STEP 2", " STEP (SUB 1)"))
            bounds = (random.randint(0, 3), random.randint(2, 6))
            header, names = f"LOOP {counter} FROM {bounds['-' in step]} TO {bounds[1]}{step}:", [(counter, "int")]
            if "SUB" in step:
                header = f"LOOP {counter} FROM {bounds[1]} TO {bounds[0]}{step}:"
        elif choice == 1:
            header, names = (
                f"LOOP {counter} IN RANGE({random.randint(0, 2)}, {random.randint(2, 6)}):",
                [(counter, "int")],
            )
        elif choice == 2:
            element = member_type(random, self.world)
            header, names, guard = f"LOOP {counter} IN {self.make(list_of(element), 2)}:", [(counter, element)], "count"
        elif choice == 3:
            key, value = random.choice(KEYS), member_type(random, self.world)
            other = self.fresh("I")
            header = f"LOOP {counter}, {other} IN {self.make(map_of(key, value), 2)}:"
            names = [(counter, key), (other, value)]
        elif choice == 4:
            header, names, guard = f"LOOP {counter} IN {self.make('string', 2)}:", [(counter, "string")], "count"
        else:
            header, guard = f"LOOP WHILE {self.make('bool', 2)}:", "count"
        self._loop_block(header, names, guard)

    def _loop_block(self, header: str, names: list[tuple[str, str]], guard: str | None) -> None:
        steps = self.fresh("G")
        if guard:
            self.line(f"LET {steps} SET 0")
        self.line(header)
        self.scopes.append([])
        self.indent += 1
        self.loops += 1
        if guard:
            self.line(f"{steps} SETADD 1")
            self.line(f"IF {steps} GT 5: BREAK")
        for name, type_ in names:
            self.declare(name, type_, frozen=True)
            self.note(name)
        for _ in range(self.random.randint(1, 4)):
            self.statement()
        self.loops -= 1
        self.indent -= 1
        self.scopes.pop()

    def match(self) -> None:
        random = self.random
        kind = random.choice(("union", "enum", "option", "result", "int", "string", "list", "struct"))
        self.indent += 1
        at = len(self.lines)
        if kind == "union":
            type_ = random.choice(list(self.world.unions))
            for variant, payload in self.world.unions[type_].items():
                self._variant_cases(variant, payload)
        elif kind == "enum":
            type_ = random.choice(list(self.world.enums))
            members = self.world.enums[type_]
            self.block(f"CASE {', '.join(members[:-1])}:")
            self.block(random.choice((f"CASE {members[-1]}:", "OTHERWISE:")))
        elif kind == "option":
            inner = member_type(random, self.world)
            type_ = option_of(inner)
            self._variant_cases("SOME", [inner])
            self.block("CASE NONE:")
        elif kind == "result":
            inner = member_type(random, self.world)
            type_ = result_of(inner)
            self._variant_cases("ERR", ["string"])
            self._variant_cases("OK", [inner])
        elif kind == "list":
            element = random.choice(SCALARS)
            type_ = list_of(element)
            one, rest = self.fresh("P"), self.fresh("P")
            self.block("CASE []:")
            self.block(f"CASE [{one}]:", (one, element))
            self.block(f"CASE [{one}, {rest}...]:", (one, element), (rest, type_))
        elif kind == "struct":
            type_ = random.choice(list(self.world.structs))
            fields = {key: self.fresh("P") for key in self.world.structs[type_]}
            names = [(name, self.world.structs[type_][key]) for key, name in fields.items()]
            pattern = ", ".join(f"{key}: {name}" for key, name in fields.items())
            self.block(f"CASE {type_} {{ {pattern} }}{self._guard(names)}:", *names)
            self.block("OTHERWISE:")
        else:
            type_ = kind
            first, second = ("0, 1", "2 TO 9") if kind == "int" else ('"a", "b c"', '""')
            self.block(f"CASE {first}:")
            self.block(f"CASE {second}:")
            name = self.fresh("P")
            self.block(f"CASE {name}{self._guard([(name, kind)])}:", (name, kind))
            if random.random() < 0.7:
                self.block("OTHERWISE:")
        self.indent -= 1
        self.lines.insert(at, "    " * self.indent + f"MATCH {self.make(type_, 2)}:")

    def _variant_cases(self, variant: str, payload: list[str]) -> None:
        names = [(self.fresh("P"), kind) for kind in payload]
        pattern = f"{variant}({', '.join(name for name, _ in names)})" if names else variant
        if names and self.random.random() < 0.4:
            self.block(f"CASE {pattern}{self._guard(names)}:", *names)
        self.block(f"CASE {pattern}:", *names)

    def _guard(self, names: list[tuple[str, str]]) -> str:
        self.scopes.append([Variable(name, kind, True) for name, kind in names])
        guard = f" WHEN {self.make('bool', 2)}"
        self.scopes.pop()
        return guard

    def try_(self) -> None:
        self.block("TRY:", count=self.random.randint(1, 4))
        kind = self.random.random()
        if kind < 0.4:
            self.block(f"CATCH {self.random.choice(CAUGHT)}:")
        if kind > 0.2:
            name = self.fresh("E")
            self.block(f"CATCH X{name}:", (f"X{name}", "string"))
        if self.random.random() < 0.4:
            loops, self.loops = self.loops, 0  # no BREAK out of FINALLY
            result, self.result = self.result, None
            self.block("FINALLY:", count=self.random.randint(0, 1))
            self.loops, self.result = loops, result

    def try_expression(self) -> None:
        type_ = any_type(self.random, self.world)
        name, error = self.fresh("V"), self.fresh("XE")
        self.line(f"LET {name}: {type_} SET TRY {self.make(type_)} CATCH {error}:")
        self.indent += 1
        self.note(error)
        self.line(self.make(type_, 1))
        self.indent -= 1
        self.declare(name, type_)

    def lambda_(self) -> None:
        """A closure that captures, called now and after a change of what it captured."""
        type_ = self.random.choice((*SCALARS, *self.world.structs))
        name, parameter = self.fresh("L"), self.fresh("X")
        for variable in self.everything():
            variable.frozen = variable.frozen or self.random.random() < 0.3
        outer = [(v.name, v.frozen) for v in self.everything()]
        if self.random.random() < 0.5:
            self.line(f"LET {name} SET {self.lambda_body((parameter, 'int'), result=type_).replace(chr(10), ' ')}")
        else:
            loops, self.loops, straight, self.straight = self.loops, 0, self.straight, True
            result, self.result = self.result, None
            self.block(f"LET {name} SET fn({parameter}: int):", (parameter, "int"), count=2, mark=False)
            self.indent += 1
            self.line(f"RETURN {self.make(type_, 1)}")
            self.indent -= 1
            self.loops, self.result, self.straight = loops, result, straight
        captured = {old for old, _ in outer if any(old in line for line in self.lines[-12:])}
        for variable in self.everything():
            variable.frozen = variable.frozen or variable.name in captured
        self.note(f"{name}({self.make('int', 1)})")
        self.change()
        self.note(f"{name}({self.make('int', 1)})")

    # ---- processes --------------------------------------------------------------------------------------------------

    def task(self) -> None:
        if not self.tasks:
            self.let()
            return
        names = [self.fresh("T") for _ in range(self.random.randint(1, 3))]
        for name in names:
            call = f"{self.random.choice(self.tasks)}({self.make('int', 1)}, {self.make('string', 1)})"
            self.line(f"LET {name} SET {self.random.choice((f'SPAWN {call}', f'TASK(fn() => {call})'))}")
        for name in self.random.sample(names, len(names)):
            self.note(f"AWAIT {name}")

    def channel(self) -> None:
        """Values sent by a process, received in order."""
        type_ = member_type(self.random, self.world)
        name, got = self.fresh("C"), self.fresh("R")
        size = self.random.choice(
            (f"CHANNEL<{type_}>()", f"MAKE_CHANNEL<{type_}>(CAPACITY {self.random.randint(0, 2)})")
        )
        values = self.fresh("V")
        self.line(f"LET {values}: {list_of(type_)} SET CUT({self.make(list_of(type_), 2)})")
        self.declare(values, list_of(type_))
        self.line(f"LET {name} SET {size}")
        self.line("SPAWN fn():")
        self.line(f"    LOOP {got} IN {values}: SEND {got} TO {name}")
        self.line(f"    CLOSE {name}")
        self.change()
        if self.random.random() < 0.6:
            self.line(f"LOOP {self.fresh('R')} IN {name}:")
            self.line(f"    PRINTLN(R{self.counter})")
        else:
            other = self.fresh("R")
            self.line("TRY:")
            self.line(f"    LOOP I{other} FROM 1 TO 9:")
            self.line("        SELECT:")
            self.line(f"            CASE {other} FROM {name}: PRINTLN({other})")
            self.line('            CASE TIMEOUT 9: PRINTLN("late")')
            self.line("CATCH E3001:")
            self.line(f'    PRINTLN("closed {name}")')
