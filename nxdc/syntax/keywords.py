"""The words of the language by the role they can play. Data only; `words` decides which role a word plays where.

Operator words are not here: they are rows of `tables.operators`.
"""

from __future__ import annotations

from nxdc.tables.operators import CANONICAL, PREFIX_BY_WORD

RESERVED = frozenset(
    (
        "LET", "CONST", "FUNC", "RETURN", "IF", "ELSE", "OTHERWISE", "LOOP", "BREAK", "CONTINUE", "CASE", "TRY",
        "CATCH", "FINALLY", "IMPORT", "EXPORT", "AND", "OR", "NOT",
    )
)  # fmt: skip

TYPE_WORDS = frozenset(("int", "float", "bool", "string", "any"))
VALUE_WORDS = {"true": "TRUE", "false": "FALSE", "none": "NONEW"}
LOWER_WORDS = frozenset((*TYPE_WORDS, *VALUE_WORDS, "fn"))

# Words that go on with a statement or expression after a complete operand.
CONTINUATION = {
    "SET": "SET", "SETADD": "SETADD", "TO": "TO", "FROM": "FROM", "STEP": "STEP", "WHERE": "WHERE", "WHEN": "WHEN",
    "THEN": "THEN", "ELSE": "ELSE", "CATCH": "CATCH",
}  # fmt: skip
AFTER_OPERAND = frozenset((*CONTINUATION, *CANONICAL))

# Words that start a statement when an operand follows.
COMMANDS = frozenset(("PUSH", "REMOVE", "THROW", "RAISE", "SEND", "CLOSE", "ESC", "TIMEOUT"))
DECLARERS = frozenset(("MODULE", "TYPE", "TRAIT", "IMPL"))
VISIBILITIES = frozenset(("PUBLIC", "PRIVATE", "INTERNAL"))
PREFIXES = frozenset(word for word in PREFIX_BY_WORD if word != "NOT")

# Planned constructs: recognised so that they can be rejected by name.
PLANNED = {
    "PLUGIN": "`PLUGIN`", "REVOKE": "`REVOKE`", "EXTERN": "`EXTERN`", "MACRO": "`MACRO`", "COMPILE": "`COMPILE`",
    "INLINE": "`INLINE`", "UNSAFE": "`UNSAFE`", "NEW": "`NEW`", "FREE": "`FREE`", "SYNC": "`SYNC`",
    "CAPABILITY": "`CAPABILITY`",
}  # fmt: skip

# What follows a header line is a block; the value is the kind of block.
HEADERS = {
    "FUNC": "stmts", "IF": "stmts", "ELSE": "stmts", "LOOP": "stmts", "CASE": "stmts", "TRY": "stmts",
    "CATCH": "stmts", "FINALLY": "stmts", "CASE_ELSE": "stmts", "INIT": "stmts", "SPAWNB": "stmts",
    "MATCH": "cases", "SELECT": "select", "TRAIT": "methods", "IMPL": "methods", "TYPE": "fields",
    "ENUM": "members", "UNION": "variants",
}  # fmt: skip

# The same in capitals, where a statement starts: only before a word that could not follow a name (`VAR X SET 1`).
FOREIGN_CAPITALS = {
    "DEF": "FUNC", "FUNCTION": "FUNC", "FUN": "FUNC", "FN": "FUNC", "VAR": "LET", "VAL": "LET", "MUT": "LET",
    "CLASS": "TYPE", "STRUCT": "TYPE", "RECORD": "TYPE", "INTERFACE": "TRAIT", "SWITCH": "MATCH", "FOREACH": "FOR",
    "GO": "SPAWN", "EXCEPT": "CATCH", "DEFAULT": "OTHERWISE", "DO": "LOOP", "THREAD": "SPAWN", "USE": "IMPORT",
    "INCLUDE": "IMPORT",
}  # fmt: skip
FOREIGN_CALLS = frozenset(("DEFER", "MAKE"))  # names but in `DEFER F()` and `MAKE(CHAN int)`
FOREIGN_HEADERS = frozenset(("EXCEPT", "DEFAULT", "DO"))  # those that a colon may follow

# Words that can play any role but that of a plain name; all others take the short way through the classifier.
SPECIAL = frozenset(
    (
        *RESERVED, *AFTER_OPERAND, *COMMANDS, *DECLARERS, *VISIBILITIES, *PREFIXES, *PLANNED,
        "MATCH", "SELECT", "INIT", "FOR", "WHILE", "ASYNC", "STRUCT", "ENUM", "UNION", "IMPLEMENTS", "ALL", "CAPACITY",
        "ELIF", "ELSEIF", *FOREIGN_CAPITALS,
    )
)  # fmt: skip

# Words of other languages, with what NXD says instead. Used where a statement starts or an operator is expected.
FOREIGN_KEYWORDS = {
    "def": "FUNC", "function": "FUNC", "func": "FUNC", "fun": "FUNC", "let": "LET", "var": "LET", "const": "CONST",
    "if": "IF", "else": "ELSE", "elif": "ELSE IF", "elsif": "ELSE IF", "while": "WHILE", "for": "FOR", "loop": "LOOP",
    "return": "RETURN", "break": "BREAK", "continue": "CONTINUE", "match": "MATCH", "switch": "MATCH", "case": "CASE",
    "try": "TRY", "catch": "CATCH", "except": "CATCH", "finally": "FINALLY", "throw": "THROW", "raise": "THROW",
    "import": "IMPORT", "use": "IMPORT", "export": "EXPORT", "module": "MODULE", "type": "TYPE", "trait": "TRAIT",
    "impl": "IMPL", "spawn": "SPAWN", "send": "SEND", "close": "CLOSE", "push": "PUSH", "select": "SELECT",
    "async": "ASYNC", "await": "AWAIT", "recv": "RECV", "not": "NOT", "and": "AND", "or": "OR", "is": "IS", "in": "IN",
    "as": "AS", "set": "SET", "to": "TO", "from": "FROM", "then": "THEN", "eq": "EQ", "add": "ADD", "sub": "SUB",
    "mul": "MUL", "div": "DIV", "mod": "MOD", "has": "HAS", "contains": "CONTAINS", "default": "OTHERWISE",
    "otherwise": "OTHERWISE", "class": "TYPE", "struct": "TYPE", "record": "TYPE", "interface": "TRAIT",
    "go": "SPAWN", "foreach": "FOR",
}  # fmt: skip
FOREIGN_STATEMENT_NAMES = {"print": "PRINTLN", "println": "PRINTLN", "echo": "PRINTLN", "printf": "PRINTLN"}
FOREIGN_NONE = frozenset(("null", "nil", "None", "undefined", "Null", "Nil"))
FOREIGN_VALUES = {
    "True": "true", "False": "false", "lambda": "fn", "Int": "int", "integer": "int",
    "Float": "float", "double": "float", "Bool": "bool", "boolean": "bool", "String": "string", "str": "string",
    "Any": "any", "void": "none", "i32": "int", "i64": "int", "u32": "int", "u64": "int", "int32": "int",
    "int64": "int", "usize": "int", "f32": "float", "f64": "float", "float32": "float", "float64": "float",
}  # fmt: skip
FOREIGN_CONVERSIONS = {
    "func": "fn", "function": "fn",
    "str": "TO_STRING", "String": "TO_STRING", "Int": "TO_INT", "Float": "TO_FLOAT",
}  # fmt: skip
# Those that may well name something of the user's, unless type arguments follow.
FOREIGN_GENERICS = {
    "Vec": "LIST", "Array": "LIST", "array": "LIST", "vector": "LIST", "Dict": "MAP", "dict": "MAP", "HashMap": "MAP",
    "Option": "OPTION", "Optional": "OPTION", "Result": "RESULT", "chan": "CHANNEL", "Channel": "CHANNEL",
    "Task": "TASK", "Box": "BOX",
}  # fmt: skip
FOREIGN_SYMBOLS = {"&&": "AND", "||": "OR", "!": "NOT"}
_CHANGES = "`X ADD 1`, `X SETADD 1` and `X SET X SUB 1` change a number"
TWICE = frozenset(("**", "<<", ">>"))  # an operator that stands twice is another one elsewhere
FOREIGN_SYMBOL_HELPS = {
    "++": _CHANGES, "--": _CHANGES, "-=": _CHANGES, "*=": _CHANGES, "/=": _CHANGES, "%=": _CHANGES,
    "`": "a text stands in double quotes, with `\\n` for the end of a line",
    "<<": "`SHL(A, N)` shifts the bits of A", ">>": "`SHR(A, N)` shifts the bits of A",
    "**": "`POW(A, B)` is A to the power B", "^": "`POW(A, B)` is A to the power B, `BXOR(A, B)` combines bits",
    "&": "`A AND B` joins conditions, `BAND(A, B)` combines bits",
    "|": "`A OR B` joins conditions, `BOR(A, B)` combines bits",
    "?": "a choice between two values is written `IF C THEN A ELSE B`; a value that may be absent is an "
    "`OPTION<T>`; `UNWRAP` takes the value out of an OPTION or RESULT",
}  # fmt: skip
