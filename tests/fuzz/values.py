"""Random expressions of the other types: collections, declared types, functions, boxes, any.

Lists are cut to a few elements wherever they are joined, and recursive values to a few levels.
"""

from __future__ import annotations

from tests.fuzz.scalars import TEXTS, Scalars
from tests.fuzz.types import ORDERED, SCALARS, arguments, list_of, map_of, option_of, result_of


class Values(Scalars):
    """Expressions of every type."""

    # ---- functions --------------------------------------------------------------------------------------------------

    def lambda_of(self, *parameters: tuple[str, str], result: str) -> str:
        """A lambda of one expression, which may capture what is in scope."""
        self.scopes.append([])
        names = []
        for prefix, type_ in parameters:
            name = self.fresh(prefix)
            names.append(f"{name}: {type_}")
            self.declare(name, type_, frozen=True)
        self.lambdas += 1
        body = self.make(result, 1)
        self.lambdas -= 1
        self.scopes.pop()
        return f"fn({', '.join(names)}) => {body}"

    def plain_function(self, type_: str, _depth: int) -> str:
        return self.lambda_of(("X", "int"), result=type_.split("): ", 1)[1])

    # ---- lists ------------------------------------------------------------------------------------------------------

    def plain_LIST(self, type_: str, depth: int) -> str:
        element = arguments(type_)[0]
        if self.choose.chance(10) or (depth < -1 and self.world.is_recursive(element)):
            return f"{type_} []"
        items = [self.make(element, min(depth - 1, 1)) for _ in range(self.choose.between(1, 4))]
        return f"{type_} [{', '.join(items)}]"

    def more_LIST(self, type_: str, depth: int) -> str:
        choose, make = self.choose, self.make
        element = arguments(type_)[0]
        kind = choose.below(10)
        if kind == 0:
            return f"CUT(CONCAT({make(type_, depth)}, {make(type_, depth)}))"
        if kind == 1:
            return f"REVERSE({make(type_, depth)})"
        if kind == 2:
            return self._filtered(type_, element, depth)
        if kind == 3:
            return self._mapped(element, depth)
        if kind == 4 and element in ORDERED:
            return choose.of((f"SORT({make(type_, depth)})", f"({make(type_, depth)} PIPE SORT PIPE REVERSE)"))
        if kind == 5 and element in ("int", "string"):
            return f"KEYS({make(map_of(element, 'int'), depth)})"
        if kind == 6:
            return choose.of((f"SLICE({make(type_, depth)}, 0, {choose.between(0, 2)})", f"TAIL({make(type_, depth)})"))
        if kind == 7:
            return f"VALUES({make(map_of('string', element), depth)})"
        if kind == 8:
            key = self.lambda_of(("X", element), result=choose.of(ORDERED))
            return f"SORT_BY({make(type_, depth)}, {key})"
        return self.copied(type_, depth)

    def _filtered(self, type_: str, element: str, depth: int) -> str:
        test = self.lambda_of(("X", element), result="bool")
        source = self.make(type_, depth)
        return self.choose.of(
            (f"FILTER({source}, {test})", f"({source} PIPE FILTER({test}))", f"({source} PIPEFILTER ({test}))")
        )

    def _mapped(self, element: str, depth: int) -> str:
        source = self.scalar()
        change = self.lambda_of(("X", source), result=element)
        values = self.make(list_of(source), depth)
        return self.choose.of((f"MAP({values}, {change})", f"({values} PIPEMAP ({change}))"))

    # ---- maps -------------------------------------------------------------------------------------------------------

    def plain_MAP(self, type_: str, depth: int) -> str:
        key, value = arguments(type_)
        items = [
            f"({self.make(key, 0)}): {self.make(value, min(depth - 1, 1))}" for _ in range(self.choose.between(0, 3))
        ]
        return f"{type_} {{ {', '.join(items)} }}" if items else f"{type_} {{}}"

    def more_MAP(self, type_: str, depth: int) -> str:
        return self.copied(type_, depth)

    def copied(self, type_: str, depth: int) -> str:
        names = self.visible(type_)
        return f"(CLONE {self.use(names) if names else self.plain(type_, depth)})"

    # ---- options and results ----------------------------------------------------------------------------------------

    def plain_OPTION(self, type_: str, depth: int) -> str:
        payload = arguments(type_)[0]
        if self.choose.chance(35) or (depth < -1 and self.world.is_recursive(payload)):
            return f"(NONE AS {type_})"
        return f"SOME({self.make(payload, depth - 1)})"

    def more_OPTION(self, type_: str, depth: int) -> str:
        key = self.choose.of(("string", "int"))
        return f"GET({self.make(map_of(key, arguments(type_)[0]), depth)}, {self.make(key, 0)})"

    def plain_RESULT(self, type_: str, depth: int) -> str:
        good, bad = arguments(type_)
        return f"ERR({self.make(bad, depth - 1)})" if self.choose.chance(40) else f"OK({self.make(good, depth - 1)})"

    def more_RESULT(self, type_: str, depth: int) -> str:
        choose, good = self.choose, arguments(type_)[0]
        kind = choose.below(3)
        if kind == 0:
            return f"OK_OR({self.make(option_of(good), depth)}, {self.make('string', 0)})"
        if kind == 1:
            source = self.scalar()
            change = self.lambda_of(("X", source), result=good)
            return f"MAP_OK({self.make(result_of(source), depth)}, {change})"
        return f"MAP_ERR({self.make(type_, depth)}, {self.lambda_of(('X', 'string'), result='string')})"

    # ---- declared types and records ---------------------------------------------------------------------------------

    def plain_struct(self, type_: str, depth: int) -> str:
        name = type_.split("<")[0]
        fields = [(key, self.make(kind, depth - 1)) for key, kind in self.world.fields(type_).items()]
        if self.choose.chance(20):
            fields = self.choose.shuffled(fields)
        return f"{name} {{ {', '.join(f'{key}: {value}' for key, value in fields)} }}"

    def more_struct(self, type_: str, depth: int) -> str:
        if self.choose.chance(50):
            return self.copied(type_, depth)
        values = [self.make(kind, depth - 1) for kind in self.world.fields(type_).values()]
        return f"{type_.split('<')[0]}({', '.join(values)})"

    def plain_union(self, type_: str, depth: int) -> str:
        variants = list(self.world.variants(type_).items())
        name, payload = variants[0] if depth < 0 and self.world.is_recursive(type_) else self.choose.of(variants)
        return f"{name}({', '.join(self.make(kind, depth - 1) for kind in payload)})" if payload else name

    def more_union(self, type_: str, depth: int) -> str:
        return self.copied(type_, depth)

    def plain_enum(self, type_: str, _depth: int) -> str:
        name = self.choose.of(self.world.enums[type_])
        return f"{type_}.{name}" if self.choose.chance(50) else name

    def plain_record(self, type_: str, depth: int) -> str:
        fields = self.world.fields(type_)
        return f"{{ {', '.join(f'{name}: {self.make(kind, depth - 1)}' for name, kind in fields.items())} }}"

    def more_record(self, type_: str, depth: int) -> str:
        """Something with more fields than the record has: a struct fits where a record is wanted."""
        wanted = self.world.fields(type_).items()
        names = [v for v in self.everything() if v.type != type_ and wanted <= self.world.fields(v.type).items()]
        return self.use(names) if names else self.copied(type_, depth)

    # ---- boxes and any ----------------------------------------------------------------------------------------------

    def plain_any(self, _type: str, depth: int) -> str:
        kind = self.choose.of([*SCALARS, "LIST<int>", "MAP<string, int>", *self.world.named()])
        return f"BOXED({self.make(kind, min(depth, 1))})"

    def more_any(self, type_: str, depth: int) -> str:
        """An operation on what an any holds; it raises where that cannot do it."""
        choose, value = self.choose, self.make(type_, depth)
        kind = choose.below(4)
        if kind == 0:
            other = self.make(choose.of(("any", "int", "string", "float")), depth)
            return f"BOXED({value} {choose.of(('ADD', 'SUB', 'MUL', 'LT', 'EQ'))} {other})"
        if kind == 1:
            return f"{value}[{choose.of((self.small(), TEXTS[0]))}]"
        if kind == 2:
            return f"BOXED({value}.F{choose.below(2)})"
        return f"BOXED({choose.of(('LEN', 'BOXED'))}({value}))"

    def plain_BOX(self, type_: str, depth: int) -> str:
        return f"{type_}({self.make(self.choose.of(self.world.with_trait(arguments(type_)[0])), depth - 1)})"

    def method(self, depth: int) -> str:
        """A method of a trait, on a value or on a box, written in one of its ways."""
        choose = self.choose
        holders = self.world.with_trait("DESCRIBED")
        if not holders or self.lambdas:
            return self.plain("string", depth)
        number = self.make("int", 0)
        boxes = self.visible("BOX<DESCRIBED>")
        if boxes and choose.chance(40):
            return f"{self.use(boxes)}.DESCRIBE({number})"
        value = self.make(choose.of(holders), min(depth, 1))
        return choose.of((f"DESCRIBE({value}, {number})", f"TELL({value}, {number})", f"TELL_ALL([{value}])"))
