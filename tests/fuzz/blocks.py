"""Random statements with blocks: conditions, loops with a bound, matches, errors, closures.

A `LOOP WHILE`, and a loop over a collection its body may lengthen, counts its rounds.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.fuzz.statements import CAUGHT, Statements
from tests.fuzz.types import SCALARS, arguments, list_of, map_of, option_of, result_of


class Blocks(Statements):
    """Statements that hold others."""

    def deep(self) -> list[Callable[[], None]]:
        return [
            self.if_,
            self.loop,
            self.match,
            self.try_,
            self.narrow,
            self.try_expression,
            self.closure,
            self.loop,
            self.match,
            self.nullable,
        ]

    def if_(self) -> None:
        self.block(f"IF {self.make('bool')}:")
        if self.choose.chance(30):
            self.block(f"ELSE IF {self.make('bool')}:")
        if self.choose.chance(50):
            self.block("ELSE:")

    # ---- what a name holds ------------------------------------------------------------------------------------------

    def nullable(self) -> None:
        """A name that starts as NONE, and is tested before its use."""
        name, type_ = self.fresh("N"), self.choose.of((*SCALARS, *self.world.named(), list_of("int")))
        self.line(f"LET {name} SET NONE")
        self.line(f"IF {self.make('bool')}: {name} SET {self.simple(type_)}")
        self.note(name)
        if self.choose.chance(50):
            self.block(f"IF NOT ({name} IS NONE):", (name, type_))
        else:
            self.block(f"IF {name} IS NONE OR {self.make('bool', 1)}:", count=1)
            self.block("ELSE:", (name, type_))
        self.line(f"{name} SET {self.choose.of(('NONE', self.simple(type_)))}")
        self.note(f'"" ADD {name}')
        used = self.fresh("V")
        self.line(f"LET {used}: {type_} SET {name}")  # raises where it is none
        self.declare(used, type_)

    def narrow(self) -> None:
        """A test of what an `any`, an option, a result or a union holds."""
        choose, name = self.choose, self.fresh("N")
        kind = choose.below(3)
        if kind == 0:
            type_ = choose.of((*SCALARS, *self.world.named()))
            self.line(f"LET {name}: any SET {self.make('any', 2)}")
            self.block(f"IF {name} IS {type_}:", (name, type_))
            other = self.fresh("V")
            self.line(f"LET {other}: {type_} SET {name}")
            self.declare(other, type_)
        elif kind == 1:
            payload = self.member()
            self.line(f"LET {name}: {option_of(payload)} SET {self.make(option_of(payload), 2)}")
            self.block(f"IF NOT ({name} IS NONE) AND {self.make('bool', 1)}:", mark=True)
            self.note(f"UNWRAP({name})")
        else:
            type_ = choose.of([result_of(self.member()), *self.world.named("union"), "TREE0"])
            text, _bound = self.pattern(type_, 1)
            self.line(f"LET {name}: {type_} SET {self.make(type_, 2)}")
            variant = text.split("(")[0]
            if variant[0] not in "_P":
                self.block(f"IF {name} IS {variant}:", count=1)
            self.declare(name, type_)

    # ---- loops ------------------------------------------------------------------------------------------------------

    def loop(self) -> None:
        if self.loops >= 2 or self.straight:
            self.if_()
            return
        self.choose.of((self._counted_loop, self._loop_over, self._loop_over, self._pairs, self._while))()

    def _counted_loop(self) -> None:
        choose, counter = self.choose, self.fresh("I")
        low, high = choose.between(0, 3), choose.between(2, 6)
        bounds = choose.of(
            (
                f"FROM {low} TO {high}",
                f"FROM {low} TO {high} STEP 2",
                f"FROM {high} TO {low} STEP (SUB 1)",
                f"IN RANGE({low}, {high})",
            )
        )
        self._rounds(f"LOOP {counter} {bounds}:", [(counter, "int")], guarded=False)

    def _loop_over(self) -> None:
        """Over a list, the letters of a string, the keys of a map."""
        choose, counter = self.choose, self.fresh("I")
        kind = choose.below(4)
        if kind < 2:
            element = self.member()
            source = list_of(element)
        elif kind == 2:
            element = source = "string"
        else:
            element = self.key()
            source = map_of(element, self.member())
        word = choose.of(("LOOP", "LOOP", "FOR"))
        self._rounds(f"{word} {counter} IN {self.make(source, 2)}:", [(counter, element)], guarded=True)

    def _pairs(self) -> None:
        key, value, counter, other = self.key(), self.member(), self.fresh("I"), self.fresh("I")
        header = f"LOOP {counter}, {other} IN {self.make(map_of(key, value), 2)}:"
        self._rounds(header, [(counter, key), (other, value)], guarded=False)

    def _while(self) -> None:
        header = self.choose.of((f"LOOP WHILE {self.make('bool', 2)}:", "LOOP:", f"WHILE {self.make('bool', 2)}:"))
        self._rounds(header, [], guarded=True)

    def _rounds(self, header: str, names: list[tuple[str, str]], guarded: bool) -> None:
        steps = self.fresh("G")
        if guarded:
            self.line(f"LET {steps} SET 0")
        self.line(header)
        self.scopes.append([])
        self.indent += 1
        self.loops += 1
        if guarded:
            self.line(f"{steps} SETADD 1")
            self.line(f"IF {steps} GT 5: BREAK")
        for name, type_ in names:
            self.declare(name, type_, frozen=True)
            self.note(name)
        self.choose.repeat(1, 4, self.statement)
        self.loops -= 1
        self.indent -= 1
        self.scopes.pop()

    # ---- MATCH ------------------------------------------------------------------------------------------------------

    def match(self) -> None:
        if self.choose.chance(50):
            self._match_all()
        else:
            self._match_some()

    def _match_some(self) -> None:
        """Any patterns, with OTHERWISE for the rest, or without where that is allowed."""
        choose = self.choose
        type_ = choose.of(("int", "string", "any", self.any_type(), self.any_type(), list_of(self.member())))
        if self.world.kind(type_) in ("function", "BOX", "MAP"):
            type_ = list_of("int")
        self.line(f"MATCH {self._subject(type_)}:")
        self.indent += 1
        choose.repeat(1, 3, lambda: self._case(*self.pattern(type_)))
        must = self.world.kind(type_) not in ("int", "string", "LIST", "float", "struct", "record")
        if must or choose.chance(70):
            self.block("OTHERWISE:")
        self.indent -= 1

    def _subject(self, type_: str) -> str:
        """What to match. A literal such as `OK(1)` leaves a type open that the patterns' names need: it gets a name."""
        if "<" not in type_:
            return self.make(type_, 2)
        name = self.fresh("V")
        self.line(f"LET {name}: {self.written(type_)} SET {self.make(type_, 2)}")
        self.declare(name, type_)
        return name

    def _case(self, text: str, bound: list[tuple[str, str]]) -> None:
        guard = self._guard(bound) if self.choose.chance(30) else ""
        self.block(f"CASE {text}{guard}:", *bound)

    def _match_all(self) -> None:
        """Every variant, each whole or with a guard before it."""
        choose = self.choose
        type_ = choose.of(
            (
                option_of(self.member()),
                result_of(self.member()),
                *self.world.named("union"),
                *self.world.named("enum"),
                "bool",
                "TREE0",
                f"EITHER0<{self.scalar()}, {self.member()}>",
            )
        )
        self.line(f"MATCH {self._subject(type_)}:")
        self.indent += 1
        for variant, payload in choose.shuffled(self._cases_of(type_)):
            names = [(self.fresh("P"), kind) for kind in payload]
            if names and choose.chance(40):
                self._case(*self.applied(variant, payload, 1))
            text = f"{variant}({', '.join(name for name, _ in names)})" if names else variant
            self.block(f"CASE {text}:", *names)
        self.indent -= 1

    def _cases_of(self, type_: str) -> list[tuple[str, list[str]]]:
        kind = self.world.kind(type_)
        if kind == "OPTION":
            return [("NONE", []), ("SOME", arguments(type_))]
        if kind == "RESULT":
            return [("ERR", ["string"]), ("OK", arguments(type_)[:1])]
        if kind == "bool":
            return [("true", []), ("false", [])]
        if kind == "enum":
            return [(name, []) for name in self.world.enums[type_]]
        return list(self.world.variants(type_).items())

    def _guard(self, bound: list[tuple[str, str]]) -> str:
        self.scopes.append([])
        for name, kind in bound:
            self.declare(name, kind, frozen=True)
        guard = f" WHEN {self.make('bool', 2)}"
        self.scopes.pop()
        return guard

    # ---- errors -----------------------------------------------------------------------------------------------------

    def try_(self) -> None:
        choose = self.choose
        self.line("TRY:")
        self.scopes.append([])
        self.indent += 1
        choose.repeat(1, 4, self.statement)
        self.indent -= 1
        self.scopes.pop()
        finally_ = choose.chance(50)
        kinds = choose.below(4) if finally_ else choose.below(3)
        if kinds in (1, 2):
            self.block(f"CATCH {choose.of(CAUGHT)}:")
        if kinds in (0, 1):
            name = f"X{self.fresh('E')}"
            self.block(f"CATCH {name}:", (name, "string"))
        if finally_:
            self.repeatable(lambda: self.block("FINALLY:", count=choose.between(0, 2)))

    def try_expression(self) -> None:
        """A value, or in its place that of a block, or a jump."""
        type_ = self.any_type()
        name, error = self.fresh("V"), self.fresh("XE")
        self.line(f"LET {name}: {self.written(type_)} SET TRY {self.make(type_)} CATCH {error}:")
        self.indent += 1
        self.note(error)
        exits = ["", "", 'THROW "again"']
        if self.loops:
            exits += ["BREAK", "CONTINUE"]
        if self.result is not None:
            exits.append(f"RETURN {'TRACE' if self.silent else self.make(self.result, 1)}")
        self.line(self.choose.of(exits) or self.plain(type_, 1))
        self.indent -= 1
        self.declare(name, type_)

    # ---- closures ---------------------------------------------------------------------------------------------------

    def closure(self) -> None:
        """A closure that captures, called now and after a change of what it captured."""
        choose = self.choose
        type_ = choose.of((*SCALARS, *self.world.named("struct")))
        name, parameter = self.fresh("L"), self.fresh("X")
        if choose.chance(50):
            self.line(f"LET {name} SET {self.lambda_of(('X', 'int'), result=type_)}")
        else:
            self._block_lambda(name, parameter, type_)
        self.note(f"{name}({self.make('int', 1)})")
        self.change()
        self.note(f"{name}({self.make('int', 1)})")
        self.declare(name, f"fn(int): {type_}", frozen=True)

    def _block_lambda(self, name: str, parameter: str, type_: str) -> None:
        def write() -> None:
            for variable in self.everything():
                variable.captured = True
            self.block(f"LET {name} SET fn({parameter}: int):", (parameter, "int"), count=2, mark=False)
            self.indent += 1
            self.line(f"RETURN {self.make(type_, 1)}")
            self.indent -= 1

        self.repeatable(write)
