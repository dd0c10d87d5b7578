"""Random expressions of a wanted type.

Every part is bracketed, so the text says which tree is meant. An expression may raise (overflow, a missing key, an
empty list): that is behaviour too, and must be the same in every build. Strings and lists are cut to a few elements
wherever they are joined, so a loop cannot make them grow for ever.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from tests.fuzz.types import SCALARS, World, arguments, list_of, map_of

INTS = (0, 1, 2, 3, 5, 7, 10, 63, 100, 255, 4096, 2**31, 2**53 + 1, 2**62, 2**63 - 1)
FLOATS = ("0.0", "0.5", "1.0", "1.5", "3.25", "100.0", "1e10", "1e300", "0.1")
TEXTS = (
    '""',
    '"a"',
    '"b c"',
    '"xyz"',
    '"é"',
    '"日本"',
    '"12"',
    '"a,b,c"',
    '"\\n\\"q\\""',
    '"A long text, longer than most"',
)
ORDERED = ("int", "float", "string")


@dataclass
class Variable:
    """A name in scope. A frozen one (a constant, a loop variable, a captured one) is neither set nor moved."""

    name: str
    type: str
    frozen: bool = False


@dataclass(frozen=True)
class Function:
    """What can be called: parameter types and result."""

    name: str
    parameters: tuple[str, ...]
    result: str


class Expressions:
    """Makes expressions from what is in scope."""

    def __init__(self, random: Random, world: World) -> None:
        self.random = random
        self.world = world
        self.scopes: list[list[Variable]] = [[]]
        self.functions: list[Function] = []
        self.counter = 0
        self.raised = 0  # within a lambda: no calls of functions, so that nothing multiplies

    # ---- names ------------------------------------------------------------------------------------------------------

    def fresh(self, prefix: str) -> str:
        self.counter += 1
        return f"{prefix}{self.counter}"

    def visible(self, type_: str) -> list[Variable]:
        return [variable for scope in self.scopes for variable in scope if variable.type == type_]

    def everything(self) -> list[Variable]:
        return [variable for scope in self.scopes for variable in scope]

    def declare(self, name: str, type_: str, frozen: bool = False) -> None:
        self.scopes[-1].append(Variable(name, type_, frozen))

    # ---- by type ----------------------------------------------------------------------------------------------------

    def make(self, type_: str, depth: int = 3) -> str:
        """An expression of the type."""
        names = self.visible(type_)
        if names and self.random.random() < (0.45 if depth > 0 else 0.7):
            return self.random.choice(names).name
        if depth <= 0:
            return self.plain(type_, depth)
        options: list[Callable[[str, int], str]] = [self.plain, self.plain, self.chosen]
        special = getattr(self, f"more_{self.world.kind(type_)}", None)
        if special is not None:
            options += [special] * 5
        options += [self.element, self.field, self.call]
        return self.random.choice(options)(type_, depth - 1)

    def plain(self, type_: str, depth: int) -> str:
        """A literal or a construction."""
        made: str = getattr(self, f"plain_{self.world.kind(type_)}")(type_, depth)
        return made

    def chosen(self, type_: str, depth: int) -> str:
        condition = self.make("bool", depth)
        return f"(IF {condition} THEN {self.make(type_, depth)} ELSE {self.make(type_, depth)})"

    def element(self, type_: str, depth: int) -> str:
        """Something out of a list, a map or an option that is in scope."""
        random = self.random
        lists = self.visible(list_of(type_))
        if lists and random.random() < 0.6:
            return f"{random.choice(lists).name}[{self.small()}]"
        for key in random.sample(("int", "string"), 2):
            maps = self.visible(map_of(key, type_))
            if maps:
                return f"{random.choice(maps).name}[{self.make(key, 0)}]"
        options = self.visible(f"OPTION<{type_}>")
        if options:
            return f"UNWRAP_OR({random.choice(options).name}, {self.make(type_, depth)})"
        return self.plain(type_, depth)

    def field(self, type_: str, depth: int) -> str:
        found = [
            f"{variable.name}.{name}"
            for variable in self.everything()
            for name, kind in self.world.structs.get(variable.type, {}).items()
            if kind == type_
        ]
        return self.random.choice(found) if found else self.plain(type_, depth)

    def call(self, type_: str, depth: int) -> str:
        fitting = [function for function in self.functions if function.result == type_]
        if not fitting or self.raised:
            return self.plain(type_, depth)
        function = self.random.choice(fitting)
        return f"{function.name}({', '.join(self.make(kind, min(depth, 1)) for kind in function.parameters)})"

    def small(self) -> str:
        """An index: mostly within what lists have."""
        return str(self.random.choice((0, 0, 0, 1, 1, 2, 3)))

    # ---- numbers and truth ------------------------------------------------------------------------------------------

    def plain_int(self, _type: str, _depth: int) -> str:
        value = self.random.choice(INTS[:9] if self.random.random() < 0.8 else INTS)
        return f"(SUB {value})" if self.random.random() < 0.2 else str(value)

    def more_int(self, _type: str, depth: int) -> str:
        random, make = self.random, self.make
        choice = random.randrange(12)
        if choice < 5:
            operator = random.choice(("ADD", "ADD", "SUB", "MUL", "DIV", "MOD"))
            return f"({make('int', depth)} {operator} {make('int', depth)})"
        if choice == 5:
            return f"LEN({make(random.choice(('string', 'LIST<int>', 'MAP<string, int>')), depth)})"
        if choice == 6:
            return f"{random.choice(('BAND', 'BOR', 'BXOR', 'MIN', 'MAX'))}({make('int', depth)}, {make('int', depth)})"
        if choice == 7:
            start, folded = make("int", 0), self.lambda_body(("A", "int"), ("X", "int"), result="int")
            return f"REDUCE({make('LIST<int>', depth)}, {start}, {folded})"
        if choice == 8:
            return f"({make(random.choice(('string', 'float')), depth)} AS int)"
        if choice == 9:
            return f"ABS({make('int', depth)})"
        if choice == 10:
            return f"INDEX_OF({make('string', depth)}, {make('string', depth)})"
        return f"SUM({make('LIST<int>', depth)})"

    def plain_float(self, _type: str, _depth: int) -> str:
        text = self.random.choice(FLOATS)
        return f"(SUB {text})" if self.random.random() < 0.2 else text

    def more_float(self, _type: str, depth: int) -> str:
        choice = self.random.randrange(5)
        if choice < 3:
            operator = self.random.choice(("ADD", "SUB", "MUL", "DIV"))
            return f"({self.make('float', depth)} {operator} {self.make('float', depth)})"
        if choice == 3:
            return f"({self.make('int', depth)} AS float)"
        return f"SQRT({self.make('float', depth)})"

    def plain_bool(self, _type: str, _depth: int) -> str:
        return self.random.choice(("true", "false"))

    def more_bool(self, _type: str, depth: int) -> str:
        random, make = self.random, self.make
        choice = random.randrange(9)
        if choice < 3:
            kind = random.choice(ORDERED)
            return f"({make(kind, depth)} {random.choice(('LT', 'GT', 'LTE', 'GTE', 'EQ', 'NEQ'))} {make(kind, depth)})"
        if choice == 3:
            return f"({make('bool', depth)} {random.choice(('AND', 'OR'))} {make('bool', depth)})"
        if choice == 4:
            return f"(NOT {make('bool', depth)})"
        if choice == 5:
            kind = random.choice(SCALARS)
            return f"({make(kind, depth)} IN {make(list_of(kind), depth)})"
        if choice == 6:
            return f"({make('MAP<string, int>', depth)} HAS {make('string', depth)})"
        if choice == 7:
            return f"({make('string', depth)} CONTAINS {random.choice(('DIGIT', 'ALPHA', 'SPACE', make('string', 0)))})"
        names = [v.name for v in self.everything() if v.type.startswith("OPTION<")]
        if names:
            return f"({random.choice(names)} IS NONE)"
        kind = random.choice([*self.world.structs, *self.world.unions, *self.world.enums])
        return f"({make(kind, depth)} EQ {make(kind, depth)})"

    # ---- text -------------------------------------------------------------------------------------------------------

    def plain_string(self, _type: str, _depth: int) -> str:
        return self.random.choice(TEXTS)

    def more_string(self, _type: str, depth: int) -> str:
        random, make = self.random, self.make
        choice = random.randrange(8)
        if choice < 3:
            other = make(random.choice(("string", "string", "int", "float", "bool", "LIST<int>", "any")), depth)
            return f"SHORT({make('string', depth)} ADD {other})"
        if choice == 3:
            return f"{random.choice(('UPPER', 'LOWER', 'TRIM'))}({make('string', depth)})"
        if choice == 4:
            return f"SUBSTR({make('string', depth)}, {self.small()}, {random.randint(3, 6)})"
        if choice == 5:
            return f"SHORT(JOIN({make('LIST<string>', depth)}, {make('string', 0)}))"
        if choice == 6:
            return f"SHORT(REPLACE({make('string', depth)}, {make('string', 0)}, {make('string', 0)}))"
        kind = random.choice([*SCALARS, *self.world.structs, *self.world.unions, *self.world.enums])
        return f'SHORT("" ADD {make(kind, depth)})'

    # ---- collections ------------------------------------------------------------------------------------------------

    def lambda_body(self, *parameters: tuple[str, str], result: str) -> str:
        """A lambda of one expression, which may capture what is in scope."""
        self.scopes.append([])
        names = []
        for prefix, type_ in parameters:
            name = self.fresh(prefix)
            names.append(f"{name}: {type_}")
            self.declare(name, type_, frozen=True)
        self.raised += 1
        body = self.make(result, 1)
        self.raised -= 1
        self.scopes.pop()
        return f"fn({', '.join(names)}) => {body}"

    def plain_LIST(self, type_: str, depth: int) -> str:
        element = arguments(type_)[0]
        if self.random.random() < 0.1:
            return f"{type_} []"
        items = [self.make(element, min(depth, 1)) for _ in range(self.random.randint(1, 4))]
        return f"{type_} [{', '.join(items)}]"

    def more_LIST(self, type_: str, depth: int) -> str:
        random, make = self.random, self.make
        element = arguments(type_)[0]
        choice = random.randrange(7)
        if choice == 0:
            return f"CUT(CONCAT({make(type_, depth)}, {make(type_, depth)}))"
        if choice == 1:
            return f"REVERSE({make(type_, depth)})"
        if choice == 2:
            return f"({make(type_, depth)} PIPE FILTER({self.lambda_body(('X', element), result='bool')}))"
        if choice == 3:
            source = random.choice(SCALARS)
            return f"MAP({make(list_of(source), depth)}, {self.lambda_body(('X', source), result=element)})"
        if choice == 4 and element in ORDERED:
            return f"SORT({make(type_, depth)})"
        if choice == 5 and element in ("int", "string"):
            return f"KEYS({make(map_of(element, 'int'), depth)})"
        return self.copied(type_, depth)

    def plain_MAP(self, type_: str, depth: int) -> str:
        key, value = arguments(type_)
        count = self.random.randint(0, 3)
        items = [f"{self.make(key, 0)}: {self.make(value, min(depth, 1))}" for _ in range(count)]
        return f"{type_} {{ {', '.join(items)} }}" if items else f"{type_} {{}}"

    def more_MAP(self, type_: str, depth: int) -> str:
        return self.copied(type_, depth)

    def copied(self, type_: str, depth: int) -> str:
        names = self.visible(type_)
        return f"(CLONE {self.random.choice(names).name if names else self.plain(type_, depth)})"

    def plain_OPTION(self, type_: str, depth: int) -> str:
        if self.random.random() < 0.35:
            return f"(NONE AS {type_})"
        return f"SOME({self.make(arguments(type_)[0], depth)})"

    def plain_RESULT(self, type_: str, depth: int) -> str:
        good, bad = arguments(type_)
        return f"ERR({self.make(bad, depth)})" if self.random.random() < 0.4 else f"OK({self.make(good, depth)})"

    def more_OPTION(self, type_: str, depth: int) -> str:
        return f"GET({self.make(map_of('string', arguments(type_)[0]), depth)}, {self.make('string', 0)})"

    # ---- declared types ---------------------------------------------------------------------------------------------

    def plain_struct(self, type_: str, depth: int) -> str:
        fields = [f"{name}: {self.make(kind, depth - 1)}" for name, kind in self.world.structs[type_].items()]
        return f"{type_} {{ {', '.join(fields)} }}"

    def more_struct(self, type_: str, depth: int) -> str:
        if self.random.random() < 0.5:
            return self.copied(type_, depth)
        return f"{type_}({', '.join(self.make(kind, depth - 1) for kind in self.world.structs[type_].values())})"

    def plain_union(self, type_: str, depth: int) -> str:
        name, payload = self.random.choice(list(self.world.unions[type_].items()))
        return f"{name}({', '.join(self.make(kind, depth - 1) for kind in payload)})" if payload else name

    def plain_enum(self, type_: str, _depth: int) -> str:
        name = self.random.choice(self.world.enums[type_])
        return f"{type_}.{name}" if self.random.random() < 0.5 else name

    def plain_any(self, _type: str, depth: int) -> str:
        kind = self.random.choice([*SCALARS, "LIST<int>", *self.world.structs, *self.world.unions])
        return f"BOXED({self.make(kind, min(depth, 1))})"
