"""Whole random programs: well typed, quick to end, printing what they compute.

`programs()` is a strategy of hypothesis, `program(seed)` one example of it: the seed decides everything.
`python -m tests.fuzz.programs SEED` prints one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from tests.fuzz import library
from tests.fuzz.choices import Choices
from tests.fuzz.modules import Part, together
from tests.fuzz.names import Function
from tests.fuzz.processes import Processes


class ProgramWriter(Processes):
    """Puts functions together."""

    def __init__(self, choose: Choices) -> None:
        super().__init__(choose)
        self.layout = choose.of(("one", "one", "sections", "files"))
        self.parts: list[Part] = []

    def write(self) -> str:
        self._part("lib.base", lambda: self.text(library.BASE))
        self._part("lib.types", self._types, set(self.world.names()))
        self._part("lib.state", self._state)
        self._part("lib.work", self._work)
        self._part("app.main", self._main)
        return together(self.parts, self.layout, self.choose)

    def _part(self, name: str, work: Callable[[], None], names: set[str] | None = None) -> None:
        self.lines = []
        work()
        self.parts.append(Part(name, self.lines, names or set()))

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

    # ---- types ------------------------------------------------------------------------------------------------------

    def _types(self) -> None:
        structs = {name for name in self.world.named("struct") if self.layout == "one" and self.choose.chance(50)}
        self.text("\n".join(self.world.lines(structs)))
        self.text(library.TRAITS)
        self.text(library.tree(self.world.declared["TREE0"].variants["NODE0"][1]))
        if "LINK0" in self.world.declared:
            self.text(library.LINK)
        self.text(library.GENERIC)
        self._overloads()
        for name, made in self.world.declared.items():
            for trait in made.traits:
                self._methods(name, trait, in_header=name in structs)
        self._library_functions()

    def _library_functions(self) -> None:
        """What the fixed parts offer to expressions."""
        payload = self.world.declared["TREE0"].variants["NODE0"][1]
        self.functions.append(Function("FRUIT_TREE0", ("TREE0", payload), payload))
        for type_ in ("int", "string", "float"):
            self.functions.append(Function("LEAST", (f"LIST<{type_}>", type_), type_))
        for trait, method in (("SIZED", "SIZE"), ("RANKED", "RANK")):
            self.functions += [Function(method, (name,), "int") for name in self.world.with_trait(trait)]

    def _methods(self, name: str, trait: str, in_header: bool) -> None:
        """The method of a trait for a type; it calls nothing, so that it may be called from everywhere."""
        self.lambdas += 1
        if not in_header:
            self._begin(f"IMPL {trait} FOR {name}:")
        me = (f"SELF_{name}", name)
        if trait == "DESCRIBED":
            self._begin(f"FUNC DESCRIBE({me[0]}: {name}, N: int): string:", me, ("N", "int"))
            self.line(f"RETURN {self.make('string')}")
        else:
            self._begin(f"FUNC {'SIZE' if trait == 'SIZED' else 'RANK'}({me[0]}: {name}): int:", me)
            self.line(f"RETURN {self.make('int')}")
        self._end()
        if not in_header:
            self._end()
        self.lambdas -= 1

    def _overloads(self) -> None:
        """Functions that differ by their parameter types, called with values of `any` as well."""
        choose = self.choose
        kinds = choose.shuffled(["int", "string", "float", "bool", "LIST<int>", *self.world.named()])
        for type_ in [*kinds[: choose.between(1, 4)], "any"]:
            self.line(f'FUNC WHAT(X: {type_}): string: RETURN SHORT("{type_} " ADD X)')
        pairs = [("any", "any"), ("int", "any"), ("any", "string"), ("int", "string"), ("string", "string")]
        for number, (one, two) in enumerate(pairs[: choose.between(1, len(pairs))]):
            self.line(f"FUNC ORDER(X: {one}, Y: {two}): int: RETURN {number}")

    # ---- module variables -------------------------------------------------------------------------------------------

    def _state(self) -> None:
        self.text(library.STATE)
        self.lambdas += 1
        for _ in range(self.choose.between(0, 3)):
            name, type_ = self.fresh("GLOBAL"), self.any_type()
            if "fn(" in type_:
                type_ = "int"
            self.line(f"LET {name}: {self.written(type_)} SET {self.plain(type_, 1)}")
            self.declare(name, type_, frozen=self.choose.chance(70))
            self.scopes[-1][-1].captured = True  # a module variable cannot be moved
        self.lambdas -= 1

    # ---- functions --------------------------------------------------------------------------------------------------

    def _work(self) -> None:
        globals_, self.scopes = self.scopes, [[]]
        self.choose.repeat(1, 2, self._recursive_function)
        self.choose.repeat(1, 2, self._generic_function)
        noisy = len(self.functions)
        self.choose.repeat(1, 3, lambda: self._plain_function(noisy))
        hidden, self.functions = self.functions[noisy:], self.functions[:noisy]
        self.choose.repeat(1, 2, self._task_function)
        self._async_function()
        self.functions += hidden
        self.scopes = globals_

    def _recursive_function(self) -> None:
        """Recursion that ends: the first parameter falls."""
        name, type_, other = self.fresh("REC"), self.any_type(), self.any_type()
        self._begin(f"FUNC {name}(N: int, X: {other}, Y: {type_}): {type_}:", ("N", "int"), ("X", other), ("Y", type_))
        self.line(f"IF N LTE 0 OR N GT 5: RETURN {self.make(type_, 1)}")
        for _ in range(2):
            self.let()
        self.line(f"LET LESS: {type_} SET {name}(N SUB 1, {self.make(other, 1)}, {self.make(type_, 1)})")
        self.declare("LESS", type_)
        self.line(f"RETURN {self.make(type_)}")
        self._end()
        self.functions.append(Function(name, ("int", other, type_), type_))

    def _generic_function(self) -> None:
        """A function with type parameters, whose body only passes on and rearranges."""
        name, type_, other = self.fresh("GEN"), self.member(), self.scalar()
        header, body, parameters, result = self.choose.of(library.generic_functions(type_, other))
        self.line(f"FUNC {name}{header}:")
        self.indent += 1
        self.text(body)
        self.indent -= 1
        self.functions.append(Function(name, tuple(parameters), result))

    def _plain_function(self, noisy: int) -> None:
        """A function with statements and no loop, so that it may be called from loops."""
        name, type_ = self.fresh("FUN"), self.any_type()
        kinds = [self.any_type() for _ in range(self.choose.between(0, 3))]
        parameters = [(self.fresh("A"), kind) for kind in kinds]
        written = ", ".join(f"{key}: {self.written(kind)}" for key, kind in parameters)
        self._begin(f"FUNC {name}({written}): {type_}:", *parameters)
        self.silent, self.result, self.budget = False, type_, 4
        others, self.functions = self.functions[noisy:], self.functions[:noisy]
        self.straight = True
        self.line(f'PRINTLN("in {name}")')
        self.choose.repeat(1, 4, self.statement)
        self.straight = False
        self.line(f"RETURN {self.make(type_)}")
        self.functions += others
        self._end()
        self.functions.append(Function(name, tuple(kinds), type_))

    def _task_function(self) -> None:
        name = self.fresh("WORK")
        self._begin(f"FUNC {name}(N: int, S: string): string:", ("N", "int"), ("S", "string"))
        self.line('LET TRACE SET ""')
        self.silent, self.result, self.budget = True, "string", 8
        self.choose.repeat(3, 6, self.statement)
        self.line("RETURN TRACE")
        self.silent = False
        self._end()
        self.tasks.append(name)

    def _async_function(self) -> None:
        if self.choose.chance(50):
            name, type_ = self.fresh("LATER"), self.choose.of((self.scalar(), "LIST<int>"))
            self._begin(f"ASYNC FUNC {name}(N: int): {type_}:", ("N", "int"))
            self.line(f"RETURN {self.make(type_)}")
            self._end()
            self.async_tasks.append(name)

    # ---- MAIN -------------------------------------------------------------------------------------------------------

    def _main(self) -> None:
        """Sections, each with its own CATCH; most errors are caught there, one in many programs is not."""
        sections: list[str] = []
        self.choose.repeat(2, 5, lambda: sections.append(self._section(len(sections))))
        self._begin("FUNC MAIN():")
        for name in sections:
            self.text(f"TRY:\n    {name}()\nCATCH E:\n    PRINTLN(E)")
        for variable in self.everything():
            self.note(variable.name)
        if self.choose.chance(20):
            self.line(f"{self.choose.of(sections)}()")
        self._end()

    def _section(self, number: int) -> str:
        self._begin(f"FUNC SECTION{number}():")
        self.budget = 10
        self.choose.repeat(1, 4, self.let)
        self.choose.repeat(2, 7, self.statement)
        for variable in self.scopes[-1]:
            self.note(variable.name)
        type_ = self.any_type()
        self.note(f"PICK({self.make('bool', 1)}, {self.simple(type_)}, {self.simple(type_)})")
        self._end()
        return f"SECTION{number}"


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Random programs."""
    return ProgramWriter(Choices(draw)).write()


def examples(number: int, use: Callable[[str], None], phases: tuple[Phase, ...] = (Phase.generate,)) -> None:
    """Call a function with the simplest program and the one of a seed; with the phase `shrink` also, when the
    function raises, with simpler and simpler ones."""
    run = given(programs())(use)
    run = settings(
        max_examples=2,
        phases=phases,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
        print_blob=False,
    )(run)
    seed(number)(run)()


def program(number: int) -> str:
    """The program of a seed."""
    made: list[str] = []

    def keep(text: str) -> None:
        made.append(text)

    examples(number, keep)
    return made[-1]


if __name__ == "__main__":
    print(program(int(sys.argv[1])), end="")
