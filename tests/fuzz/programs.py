"""Whole random programs: well typed, quick to end, printing what they compute. The seed decides everything.

`python -m tests.fuzz.programs SEED` prints one.
"""

from __future__ import annotations

import sys
from random import Random

from tests.fuzz.expressions import Function
from tests.fuzz.statements import Statements
from tests.fuzz.types import any_type, make_world

HELPERS = """\
FUNC SHORT(S: string): string:
    RETURN IF LEN(S) GT 24 THEN SUBSTR(S, 0, 24) ELSE S
FUNC CUT<T>(L: LIST<T>): LIST<T>:
    LET R SET LIST<T> []
    LOOP X IN L:
        IF LEN(R) LT 6: PUSH R, X
    RETURN R
FUNC BOXED(X: any): any:
    RETURN X
FUNC PICK(C, A, B):
    IF C:
        RETURN A
    RETURN B
TRAIT DESCRIBED { FUNC DESCRIBE(X, N: int): string }"""


class ProgramWriter(Statements):
    """Puts functions together."""

    def write(self) -> str:
        self.lines += [*self.world.lines(), *HELPERS.split("\n")]
        for name in self.world.structs:
            self._trait_method(name)
        for _ in range(self.random.randint(1, 2)):
            self._recursive_function()
        for _ in range(self.random.randint(1, 3)):
            self._plain_function()
        for _ in range(self.random.randint(1, 2)):
            self._task_function()
        self._globals()
        self._main()
        return "\n".join(self.lines) + "\n"

    def _begin(self, header: str, *names: tuple[str, str]) -> None:
        self.line(header)
        self.scopes.append([])
        for name, type_ in names:
            self.declare(name, type_)
        self.indent += 1

    def _end(self) -> None:
        self.indent -= 1
        self.scopes.pop()
        self.result = None

    def _trait_method(self, name: str) -> None:
        self._begin(f"IMPL DESCRIBED FOR {name}:")
        self._begin(f"FUNC DESCRIBE(SELF_{name}: {name}, N: int): string:", (f"SELF_{name}", name), ("N", "int"))
        self.line(f"RETURN {self.make('string')}")
        self._end()
        self._end()

    def _recursive_function(self) -> None:
        """Recursion that ends: the first parameter falls."""
        name, type_ = self.fresh("REC"), any_type(self.random, self.world)
        other = any_type(self.random, self.world)
        self._begin(f"FUNC {name}(N: int, X: {other}, Y: {type_}): {type_}:", ("N", "int"), ("X", other), ("Y", type_))
        self.line(f"IF N LTE 0 OR N GT 5: RETURN {self.make(type_, 1)}")
        for _ in range(2):
            self.let()
        self.line(f"LET LESS SET {name}(N SUB 1, {self.make(other, 1)}, {self.make(type_, 1)})")
        self.declare("LESS", type_)
        self.line(f"RETURN {self.make(type_)}")
        self._end()
        self.functions.append(Function(name, ("int", other, type_), type_))

    def _plain_function(self) -> None:
        """A function with statements and no loop, so that it may be called from loops."""
        name, type_ = self.fresh("FUN"), any_type(self.random, self.world)
        kinds = [any_type(self.random, self.world) for _ in range(self.random.randint(0, 3))]
        parameters = [(self.fresh("A"), kind) for kind in kinds]
        written = ", ".join(f"{key}: {kind}" for key, kind in parameters)
        self._begin(f"FUNC {name}({written}): {type_}:", *parameters)
        self.silent, self.result, self.budget = False, type_, 4
        functions, self.functions = self.functions, []
        self.line(f'PRINTLN("in {name}")')
        for _ in range(self.random.randint(1, 4)):
            self.random.choice((self.let, self.set, self.change, self.try_expression, self.show))()
        self.line(f"RETURN {self.make(type_)}")
        self.functions = functions
        self._end()
        self.noisy.append(Function(name, tuple(kinds), type_))

    @property
    def noisy(self) -> list[Function]:
        """Functions that print: for MAIN only."""
        if not hasattr(self, "_noisy"):
            self._noisy: list[Function] = []
        return self._noisy

    def _task_function(self) -> None:
        name = self.fresh("WORK")
        self._begin(f"FUNC {name}(N: int, S: string): string:", ("N", "int"), ("S", "string"))
        self.line('LET TRACE SET ""')
        self.silent, self.result, self.budget = True, "string", 8
        for _ in range(self.random.randint(3, 6)):
            self.statement()
        self.line("RETURN TRACE")
        self.silent = False
        self._end()
        self.tasks.append(name)

    def _globals(self) -> None:
        self.functions += self.noisy
        for _ in range(self.random.randint(0, 3)):
            name, type_ = self.fresh("GLOBAL"), any_type(self.random, self.world)
            functions, self.functions = self.functions, []
            self.raised += 1
            self.line(f"LET {name}: {type_} SET {self.plain(type_, 1)}")
            self.raised -= 1
            self.functions = functions
            self.declare(name, type_, frozen=self.random.random() < 0.7)

    def _main(self) -> None:
        """Sections, each with its own CATCH; most errors are caught there, one in many programs is not."""
        sections = self.random.randint(3, 6)
        for number in range(sections):
            self._begin(f"FUNC SECTION{number}():")
            self.budget = 14
            for _ in range(self.random.randint(3, 7)):
                self.statement()
            for variable in self.scopes[-1]:
                self.note(variable.name)
            for variable in self.scopes[-1]:
                if variable.type in self.world.structs:
                    self.note(f"{variable.name}.DESCRIBE({self.make('int', 0)})")
                    break
            type_ = any_type(self.random, self.world)
            self.note(f"PICK({self.make('bool', 1)}, {self._typed(type_)}, {self._typed(type_)})")
            self._end()
        self._begin("FUNC MAIN():")
        for number in range(sections):
            self.line("TRY:")
            self.line(f"    SECTION{number}()")
            self.line("CATCH E:")
            self.line("    PRINTLN(E)")
        for variable in self.everything():
            self.note(variable.name)
        if self.random.random() < 0.2:
            self.line(f"SECTION{self.random.randrange(sections)}()")
        self._end()

    def _typed(self, type_: str) -> str:
        """An expression that has the type by itself."""
        return self.plain(type_, 1)


def program(seed: int) -> str:
    """The program of a seed."""
    random = Random(seed)
    return ProgramWriter(random, make_world(random)).write()


if __name__ == "__main__":
    print(program(int(sys.argv[1])), end="")
