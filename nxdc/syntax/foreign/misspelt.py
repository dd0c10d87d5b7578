"""Misspelt keywords, which show only where the grammar stops: `RETRUN X`, `X SRT 2`, `ELES:`.

Input:  the tokens, the index of the one that does not fit, and what the parser could read there. Output: the word that
is misspelt, with the keyword that was meant. Two words are looked at: the first of the statement, and the one that does
not fit. Names that are declared in the file and functions of the prelude are never taken for misspelt keywords.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from nxdc.diagnostics.model import LIKELY, Edit, Fix
from nxdc.diagnostics.near import Scored, ranked, spelling_fix
from nxdc.source.record import Record
from nxdc.source.span import Span
from nxdc.source.text import SourceFile
from nxdc.syntax.foreign.habits import STARTS, first_of
from nxdc.syntax.keywords import COMMANDS, CONTINUATION, DECLARERS, RESERVED, VISIBILITIES
from nxdc.syntax.tokens import Tokens
from nxdc.tables.operators import CANONICAL
from nxdc.tables.prelude import BY_NAME

_LEAST_FIRST = 3  # letters of a first word; behind an operand, where no name can stand, two are enough
_LEAST_SECOND = 2

_ALONE = frozenset(("ELSE", "OTHERWISE", "SELECT", "TRY", "FINALLY", "LOOP", "SPAWN", "INIT"))  # and a colon behind
_CASES = {"CASE": "CASE", "OTHERWISE": "CASE_ELSE", "FUNC": "FUNC"}  # lists that nothing else can be an element of
_STATEMENTS = (RESERVED - {"AND", "OR", "NOT"}) | COMMANDS | DECLARERS | VISIBILITIES | {
    "MATCH", "SELECT", "FOR", "WHILE", "ASYNC", "SPAWN", "AWAIT",
}  # fmt: skip
_BLOCKS = frozenset(("IF", "ELSE", "LOOP", "WHILE", "FUNC", "MATCH", "CATCH", "CASE", "TRY", "FINALLY", "OTHERWISE"))
_NEEDS = {
    **dict.fromkeys(_BLOCKS, "HCOLON"), "LET": "SET", "CONST": "SET", "SEND": "TO", "PUSH": "COMMA", "FOR": "IN",
}  # fmt: skip
_INFIX = {**CONTINUATION, **CANONICAL, "AND": "AND", "OR": "OR"}
_UPDATES = {"SETSUB": "SUB", "SETMUL": "MUL", "SETDIV": "DIV", "SETMOD": "MOD"}

_LITERALS = frozenset(("INT", "FLOAT", "STRING"))
_TYPES_FOLLOW = frozenset(("AS", "IS"))
_JOINS = frozenset(("AND", "OR"))
_COMPARES = frozenset(("EQ", "NEQ", "GT", "LT", "GTE", "LTE", "IN", "HAS", "CONTAINS", "IS", "MATCHES"))
_ENDS = frozenset(
    ("NEWLINE", "END", "HCOLON", "COLON", "COMMA", "RPAREN", "RBRACKET", "RBRACE", "INDENT", "DEDENT", "DOT", "SET")
)
_BEFORE_NAME = frozenset(("LET", "CONST", "FUNC", "TYPE", "TRAIT", "LOOP", "FOR", "CATCH", "MODULE", "FN", "CASE"))
_BEHIND_NAME = frozenset(("SET", "COLON", "ARROW", "IN"))
_OTHER_WORDS = frozenset(("END", "DONE", "PASS"))  # words of other languages that are near to a keyword by chance


class Misspelt(Record):
    """A misspelt word: the index of its token, the keyword meant ("" when that is not clear), what to say, and the fix
    when there is a clear one."""

    index: int
    meant: str
    help: str
    fixes: tuple[Fix, ...]


def declared_names(tokens: Tokens) -> frozenset[str]:
    """The names that the file declares (or may declare) somewhere."""
    types, values = tokens.types, tokens.values
    names = set()
    head = before = ""
    for i, kind in enumerate(types):
        head = kind if before in STARTS or not before else head
        if kind == "NAME" and (
            types[i + 1] in _BEHIND_NAME
            or before in _BEFORE_NAME
            or head == "IMPORT"
            or (head == "CASE" and before in ("LPAREN", "COMMA"))
        ):
            names.add(str(values[i]))
        before = kind
    return frozenset(names)


def header_before(tokens: Tokens, first: int) -> int:
    """The first token of the header whose block ends right before the statement at `first`; -1 when none does."""
    types = tokens.types
    at = first - 1
    while at > 0 and types[at] == "NEWLINE":
        at -= 1
    depth = 0
    while at > 0:
        depth += (types[at] == "DEDENT") - (types[at] == "INDENT")
        if depth == 0:
            return first_of(tokens, at - 1) if types[at] == "INDENT" else -1
        at -= 1
    return -1


def find_misspelt(
    tokens: Tokens, index: int, file: SourceFile, accepts: Callable[[str], bool], declared: frozenset[str]
) -> Misspelt | None:
    """The misspelt keyword that explains why the token at `index` does not fit; None when there is none."""
    first = first_of(tokens, index)
    if first == index:
        words = (word for word, kind in _CASES.items() if accepts(kind))
        return _guess(tokens, index, file, words, _LEAST_FIRST, declared)
    if index == first + 1 or tokens.types[index] == "HCOLON":
        found = _guess(tokens, first, file, _first_words(tokens, first, index), _LEAST_FIRST, declared)
        if found is not None:
            return found
    return _second_word(tokens, first, index, file, accepts, declared)


def _first_words(tokens: Tokens, first: int, index: int) -> Iterable[str]:
    """The keywords that the statement may start with, from what stands behind its first word."""
    types = tokens.types
    if types[index] == "HCOLON" and index == first + 1:
        return _ALONE
    end = first
    while types[end] not in ("NEWLINE", "END", "INDENT"):
        end += 1
    behind = set(types[index:end])
    return [word for word in _STATEMENTS if word not in _NEEDS or _NEEDS[word] in behind]


def _second_word(
    tokens: Tokens, first: int, index: int, file: SourceFile, accepts: Callable[[str], bool], declared: frozenset[str]
) -> Misspelt | None:
    """A misspelt word behind an operand, where a name never fits."""
    types, following = tokens.types, tokens.types[index + 1 : index + 2]
    if types[index] != "NAME" or not following or following[0] in _ENDS:
        return None
    name = str(tokens.values[index])
    if name in _UPDATES and accepts("SET"):
        return _update(tokens, first, index, file, _UPDATES[name])
    numbers = types[index - 1] in _LITERALS and following[0] in _LITERALS
    no_joins = numbers and not any(kind in _COMPARES for kind in types[first:index])
    words = (
        word
        for word, kind in _INFIX.items()
        if accepts(kind)
        and not (word in _TYPES_FOLLOW and following[0] in _LITERALS)
        and not (word in _JOINS and no_joins)
    )
    return _guess(tokens, index, file, words, _LEAST_SECOND, declared)


def _update(tokens: Tokens, first: int, index: int, file: SourceFile, word: str) -> Misspelt:
    """`X SETSUB 1`, made after SETADD: there is no such word."""
    place = file.text[tokens.starts[first] : tokens.ends[index - 1]]
    want = f"SET {place} {word}"
    is_plain = tokens.types[index + 2] in ("NEWLINE", "END")  # one operand: it needs no brackets
    edit = Edit(Span(file, tokens.starts[index], tokens.ends[index]), want)
    fixes = (Fix(f"write `{want}`", (edit,), LIKELY),) if is_plain else ()
    return Misspelt(index, "", f"write `{place} {want} ...`: only `SETADD` adds and sets in one", fixes)


def _guess(
    tokens: Tokens, at: int, file: SourceFile, words: Iterable[str], least: int, declared: frozenset[str]
) -> Misspelt | None:
    """The keyword among `words` that the name at `at` is a misspelling of."""
    name = str(tokens.values[at])
    if tokens.types[at] != "NAME" or len(name) < least or name in declared or name in BY_NAME or name in _OTHER_WORDS:
        return None
    scored = ranked(name, words)
    nearest = [entry for entry in scored if entry[0] == scored[0][0]]
    if not nearest:
        return None
    span = Span(file, tokens.starts[at], tokens.ends[at])
    swapped = [entry for entry in nearest if sorted(entry[1]) == sorted(name.upper())]
    if len(nearest) > 1 and len(swapped) == 1:  # `ADN`: swapped letters are likelier than a wrong one
        return _meant(at, name, swapped, span, sure=False)
    return _meant(at, name, scored, span, sure=True) if len(nearest) <= 3 else None


def _meant(at: int, name: str, scored: list[Scored], span: Span, *, sure: bool) -> Misspelt:
    fix = spelling_fix(name, scored, span)
    if fix is None:  # several are equally near
        near = [word for score, word in scored if score == scored[0][0]]
        quoted = [f"`{word}`" for word in near]
        return Misspelt(at, "", f"did you mean {', '.join(quoted[:-1])} or {quoted[-1]}?", ())
    return Misspelt(at, scored[0][1], f"did you mean `{scored[0][1]}`?", (fix if sure else fix.replace(grade=LIKELY),))
