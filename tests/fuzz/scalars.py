"""Random expressions of the types int, float, bool and string.

Every part is bracketed, so the text says which tree is meant. An expression may raise (overflow, a missing key, an
empty list): that is behaviour too, and must be the same in every build. Strings are cut wherever they are joined, so
that a loop cannot make them grow for ever.
"""

from __future__ import annotations

from tests.fuzz.names import Names
from tests.fuzz.types import ORDERED, SCALARS, list_of, map_of, option_of, result_of

INTS = (0, 1, 2, 3, 5, 7, 10, 63, 100, 255, 4096, 2**31, 2**53 + 1, 2**62, 2**63 - 1)
FLOATS = ("0.0", "0.5", "1.0", "1.5", "3.25", "100.0", "0.1", "1e10", "1e300", "1e-7", "123456789.125", "1e16")
TEXTS = (
    '"a"',
    '""',
    '"b c"',
    '"xyz"',
    '"é"',
    '"日本"',
    '"12"',
    '"a,b,c"',
    '" \\tpad "',
    '"\\n\\"q\\""',
    '"A long text, longer than most"',
    '"ÀÉß straße"',
    '"\\u{1F600}x\\u{1F600}"',
    '"e\\u{301}ΣΑΣ"',
    '"line one\\nline two\\r\\nthree"',
    '"-3.5e2"',
)
MOMENTS = (0, 951827696789, 1709164800000, 1764633600123, 4102444799999)  # some of them in leap years
CLASSES = ("DIGIT", "ALPHA", "SPACE", "UPPER", "LOWER", "NON_DIGIT", "NON_ALPHA", "NON_SPACE")


class Scalars(Names):
    """Numbers, truth and text."""

    # ---- int --------------------------------------------------------------------------------------------------------

    def plain_int(self, _type: str, _depth: int) -> str:
        value = self.choose.of(INTS if self.choose.chance(20) else INTS[:9])
        return f"(SUB {value})" if self.choose.chance(20) else str(value)

    def more_int(self, _type: str, depth: int) -> str:
        choose, make = self.choose, self.make
        if choose.chance(40):
            operator = choose.of(("ADD", "ADD", "SUB", "MUL", "DIV", "MOD"))
            return f"({make('int', depth)} {operator} {make('int', depth)})"
        return str(choose.of((self._int_of_numbers, self._int_of_text, self._int_of_lists, self._int_of_others))(depth))

    def _int_of_numbers(self, depth: int) -> str:
        choose, make = self.choose, self.make
        kind = choose.below(6)
        if kind < 2:
            name = choose.of(("MIN", "MAX", "BAND", "BOR", "BXOR"))
            return f"{name}({make('int', depth)}, {make('int', depth)})"
        if kind == 2:
            return f"{choose.of(('SHL', 'SHR'))}({make('int', depth)}, {choose.of((0, 1, 3, 62, 63))})"
        if kind == 3:
            return f"({make('int', depth)} POW {choose.of((0, 1, 2, 3, 7))})"
        if kind == 4:
            return f"{choose.of(('FLOOR', 'CEIL', 'ROUND', 'TO_INT'))}({make('float', depth)})"
        if choose.chance(40):
            return f"({make('float', depth)} AS int)"
        return choose.of((f"ABS({make('int', depth)})", f"(SUB {make('int', depth)})"))

    def _int_of_text(self, depth: int) -> str:
        choose, text = self.choose, self.make("string", depth)
        kind = choose.below(5)
        if kind == 0:
            return f"LEN({text})"
        if kind == 1:
            return f"INDEX_OF({text}, {self.make('string', 0)})"
        if kind == 2:
            return f"ORD({text})"
        if kind == 3:
            return f"UNWRAP_OR(PARSE_INT({text}), {self.make('int', 0)})"
        return f"({text} AS int)"

    def _int_of_lists(self, depth: int) -> str:
        choose, make = self.choose, self.make
        kind = choose.below(5)
        if kind == 0:
            return f"LEN({make(choose.of((list_of(self.scalar()), 'MAP<string, int>')), depth)})"
        if kind == 1:
            folded = self.lambda_of(("A", "int"), ("X", "int"), result="int")
            return f"REDUCE({make('LIST<int>', depth)}, {make('int', 0)}, {folded})"
        if kind == 2:
            return f"{choose.of(('SUM', 'SUM', 'MIN', 'MAX'))}({make('LIST<int>', depth)})"
        if kind == 3:
            element = self.scalar()
            return f"INDEX_OF({make(list_of(element), depth)}, {make(element, 0)})"
        return f"SUM(VALUES({make('MAP<string, int>', depth)}))"

    def _int_of_others(self, depth: int) -> str:
        choose = self.choose
        kind = choose.below(3)
        if kind == 0:
            part = choose.of(("YEAR", "MONTH", "DAY", "HOUR", "MIN", "SEC", "WEEKDAY"))
            return f"TIMEINFO({self._moment()}).{part}"
        if kind == 1:
            name = choose.of(self.world.recursive())
            return f"SIZE_{name}({self.make(name, depth)})"
        return f"ORDER({self.make('any', depth)}, {self.make('any', depth)})"

    def _moment(self) -> str:
        return f"({self.choose.of(MOMENTS)} ADD {self.choose.of((0, 1, 86399999, 86400000, 31536000000))})"

    # ---- float ------------------------------------------------------------------------------------------------------

    def plain_float(self, _type: str, _depth: int) -> str:
        text = self.choose.of(FLOATS)
        return f"(SUB {text})" if self.choose.chance(20) else text

    def more_float(self, _type: str, depth: int) -> str:
        choose, make = self.choose, self.make
        kind = choose.below(8)
        if kind < 3:
            operator = choose.of(("ADD", "SUB", "MUL", "DIV"))
            return f"({make('float', depth)} {operator} {make('float', depth)})"
        if kind == 3:
            return f"({make('int', depth)} AS float)"
        if kind == 4:
            return f"{choose.of(('SQRT', 'ABS'))}({make('float', depth)})"
        if kind == 5:
            return f"{choose.of(('MIN', 'MAX', 'POW'))}({make('float', depth)}, {make('float', depth)})"
        if kind == 6:
            return f"UNWRAP_OR(PARSE_FLOAT({make('string', depth)}), {make('float', 0)})"
        return f"SUM({make('LIST<float>', depth)})"

    # ---- bool -------------------------------------------------------------------------------------------------------

    def plain_bool(self, _type: str, _depth: int) -> str:
        return self.choose.of(("false", "true"))

    def more_bool(self, _type: str, depth: int) -> str:
        choose, make = self.choose, self.make
        kind = choose.below(10)
        if kind < 3:
            type_ = choose.of(ORDERED)
            operator = choose.of(("LT", "GT", "LTE", "GTE", "EQ", "NEQ"))
            return f"({make(type_, depth)} {operator} {make(type_, depth)})"
        if kind == 3:
            return f"({make('bool', depth)} {choose.of(('AND', 'OR'))} {make('bool', depth)})"
        if kind == 4:
            return choose.of((f"(NOT {make('bool', depth)})", f"(NOT {make('int', 0)} EQ {make('int', 0)})"))
        if kind == 5:
            return self._membership(depth)
        if kind == 6:
            return self._about_text(depth)
        if kind == 7:
            return self._about_what(depth)
        if kind == 8:
            element = self.scalar()
            test = self.lambda_of(("X", element), result="bool")
            return f"{choose.of(('ANY', 'ALL'))}({make(list_of(element), depth)}, {test})"
        type_ = choose.of([*self.world.named(), self.member()])
        return f"({self.simple(type_)} EQ {self.simple(type_)})"

    def _membership(self, depth: int) -> str:
        choose, make = self.choose, self.make
        if choose.chance(50):
            element = self.member()
            collection, one = make(list_of(element), depth), self.simple(element)
            return choose.of((f"({one} IN {collection})", f"({collection} CONTAINS {one})"))
        key = self.key()
        collection, one = make(map_of(key, "int"), depth), self.simple(key)
        return choose.of((f"({collection} HAS {one})", f"({one} IN {collection})"))

    def _about_text(self, depth: int) -> str:
        choose, text, part = self.choose, self.make("string", depth), self.make("string", 0)
        kind = choose.below(4)
        if kind == 0:
            return f"({text} CONTAINS {choose.of(CLASSES)})"
        if kind == 1:
            return f"({part} IN {text})"
        if kind == 2:
            return f"({text} {choose.of(('STARTSWITH', 'ENDSWITH'))} {part})"
        return f"{choose.of(('STARTS_WITH', 'ENDS_WITH', 'CONTAINS'))}({text}, {part})"

    def _about_what(self, depth: int) -> str:
        """IS and MATCHES."""
        choose = self.choose
        kind = choose.below(5)
        if kind == 0:
            return f"({self.make('any', depth)} IS {choose.of((*SCALARS, *self.world.named()))})"
        if kind == 1:
            type_ = option_of(self.scalar())
            return f"({self.simple(type_)} IS {choose.of(('NONE', 'SOME'))})"
        if kind == 2:
            return f"({self.simple(result_of(self.scalar()))} IS {choose.of(('OK', 'ERR'))})"
        if kind == 3:
            return f"({self.make(choose.of(('string', 'LIST<int>', 'MAP<string, int>')), depth)} IS EMPTY)"
        return self.matches(depth)

    def matches(self, depth: int) -> str:
        raise NotImplementedError

    def lambda_of(self, *parameters: tuple[str, str], result: str) -> str:
        raise NotImplementedError

    # ---- string -----------------------------------------------------------------------------------------------------

    def plain_string(self, _type: str, _depth: int) -> str:
        return self.choose.of(TEXTS)

    def more_string(self, _type: str, depth: int) -> str:
        choose, make = self.choose, self.make
        if choose.chance(35):
            other = make(choose.of(("string", "string", *SCALARS, "LIST<int>", "any")), depth)
            return f"SHORT({make('string', depth)} ADD {other})"
        return str(choose.of((self._text_of_text, self._text_of_text, self._text_of_others))(depth))

    def _text_of_text(self, depth: int) -> str:
        choose, make = self.choose, self.make
        text = make("string", depth)
        kind = choose.below(9)
        if kind < 2:
            return f"{choose.of(('UPPER', 'LOWER', 'TRIM', 'REVERSE'))}({text})"
        if kind == 2:
            return f"SUBSTR({text}, {self.small()}, {choose.between(1, 5)})"
        if kind == 3:
            return f"SHORT(REPLACE({text}, {make('string', 0)}, {make('string', 0)}))"
        if kind == 4:
            return f"{choose.of(('PAD_LEFT', 'PAD_RIGHT'))}({text}, {choose.of((0, 4, 9))}, {choose.of(TEXTS[:6])})"
        if kind == 5:
            return f"SHORT(REPEAT({text}, {choose.between(0, 3)}))"
        if kind == 6:
            return choose.of((f"CHAR_AT({text}, {self.small()})", f"{text}[{self.small()}]"))
        if kind == 7:
            return f"CHR({choose.of((65, 233, 0x65E5, 0x1F600))})"
        parts = choose.of((f"SPLIT({text}, {choose.of(TEXTS[2:6])})", f"SPLIT({text})", f"LINES({text})"))
        return f"SHORT(JOIN({parts}, {make('string', 0)}))"

    def _text_of_others(self, depth: int) -> str:
        choose, make = self.choose, self.make
        kind = choose.below(7)
        if kind == 0:
            return f"SHORT(JOIN({make('LIST<string>', depth)}, {make('string', 0)}))"
        if kind == 1:
            return f"DATE_STRING({self._moment()})"
        if kind == 2:
            return f"({make(choose.of(('int', 'float', 'bool', *self.world.enums)), depth)} AS string)"
        if kind == 3:
            return f"TO_STRING({self.simple(self.member())})"
        if kind == 4:
            return f"WHAT({make('any', depth)})" if choose.chance(60) else f"WHAT({self.simple(self.member())})"
        if kind == 5:
            return self.method(depth)
        return f'SHORT("" ADD {self.simple(choose.of([*SCALARS, *self.world.named()]))})'

    def method(self, depth: int) -> str:
        raise NotImplementedError
