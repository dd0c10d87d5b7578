"""Syntax codes, `P1xxx`."""

from __future__ import annotations

from nxdc.diagnostics.codes.registry import code
from nxdc.diagnostics.model import ERROR

P1001 = code(
    "P1001",
    "source-encoding",
    ERROR,
    encoding="the file is written in {encoding}, not in UTF-8",
    bytes="the byte {byte} is not UTF-8 text",
    nul="the file has a NUL character in it",
    fence="the block from line {line} is never closed",
    program="the document `{path}` has no block marked `nxd`",
)
P1002 = code(
    "P1002",
    "unexpected-token",
    ERROR,
    found="{found} does not fit here",
    end="the line ends too early",
)
P1003 = code(
    "P1003",
    "unknown-character",
    ERROR,
    character="`{char}` has no meaning in NXD",
    name="names are made of A to Z, 0 to 9 and `_`: `{char}` cannot be part of one",
    underscore="a name starts with a letter, not with `_`",
    blank="the character {char} is neither a blank nor a line end",
)
P1004 = code(
    "P1004",
    "number-literal",
    ERROR,
    int="the number {text} is too large for an int",
    float="the number {text} is too large for a float",
    underscore="a number has no `_` in it",
    suffix="a number has no suffix: `{suffix}`",
    digits="{text} has no digits after its prefix",
    digit="`{digit}` is no digit of {base} numbers",
    point="a number has digits on both sides of its point",
)
P1005 = code(
    "P1005",
    "string-escape",
    ERROR,
    unknown="`\\{char}` is no escape",
    unicode="`{text}` is no escape of a Unicode character",
    quotes="a string stands between double quotes",
)
P1006 = code(
    "P1006",
    "foreign-syntax",
    ERROR,
    assign="a value is set with `SET`, not with `{found}`",
    equal="two values are compared with `EQ`, not with `{found}`",
    word="`{found}` is written `{want}` in NXD",
    semicolon="a statement ends with its line, not with `;`",
    none="there is no `{found}` in NXD: the absent value is `NONE`",
    braces="a block is indented, not put in braces",
    keyword="the word `{found}` is written in capitals",
    prefix="a string has no prefix such as `{found}`",
    bang="a call has no `!` before its brackets",
    counted_loop="a counted loop is not written with `;` in NXD",
    chained_set="a statement sets one variable: `{found}` does not stand in it twice",
    range_loop="a loop over values is written `LOOP {name} IN ...`, without `range`",
    slice="a part of a list or a string is not written with `{found}`",
    named="arguments have no names: they stand in the order of the parameters",
    several="`{word}` makes one name",
    method="a type holds fields, no functions",
    type_equal="the declaration of a type has no `{found}`",
    one_line_else="`ELSE` does not stand on the line of the statement before it",
    choice="the condition of a choice stands before its values",
    default="a parameter has no default value",
    mut="every variable can be set: there is no `{found}`",
    is_parts="`IS` takes the name of a variant without brackets",
    field_default="a field has no default value",
    member_value="a member of an ENUM has no value of its own",
    variants="the variants of a {word} stand in braces, divided by commas",
    bar="no `|` stands before the first variant",
    payload="the values that a variant holds have no names",
    type_params="a type parameter is a name, `T`, or a name with the trait it needs, `T : TRAIT`",
    from_import="names are imported with `IMPORT m NAME, NAME`",
    no_params="a function has brackets, even without parameters",
    format="texts are not formatted with `%`",
    lambda_fn="a function without a name is written `fn(X) => VALUE`",
    lambda_braces="the value of a function stands behind `=>`, not in braces",
    send="a value is sent with `SEND VALUE TO {target}`, not with `<-`",
    receive="a value is received with `RECV CHANNEL`, not with `<-`",
    case_receive="a case of a SELECT receives by `CASE V FROM CHANNEL:`",
    defer="there is no `{found}` in NXD",
    then="`THEN` belongs to the choice between two values, not to the statement",
)
P1007 = code(
    "P1007",
    "too-deeply-nested",
    ERROR,
    brackets="brackets are nested more than {limit} deep here",
    blocks="blocks are nested more than {limit} deep here",
    chain="this expression has more than {limit} operators in a row",
)
P1008 = code(
    "P1008",
    "cannot-be-set",
    ERROR,
    target="only a variable, a field or an element can be set",
    remove="`REMOVE` takes an element, as in `REMOVE M[K]`",
    bind="a new name is expected here",
)
P1009 = code(
    "P1009",
    "chained-comparison",
    ERROR,
    chain="comparisons cannot be chained",
)
P1010 = code(
    "P1010",
    "misplaced-part",
    ERROR,
    clause="`{word}` does not belong to anything here",
    module_item="`{word}` stands at the level of the module, not inside a block",
    match_value="`MATCH` is a statement: it gives no value",
    lambda_block="a lambda with a block cannot stand inside brackets",
    visibility="`{word}` stands before a declaration",
    try_alone="this `TRY` has neither `CATCH` nor `FINALLY`",
    order="`{first}` comes before `{second}`",
    twice="this `{word}` has its `{what}` already",
)
P1011 = code(
    "P1011",
    "lower-case-name",
    ERROR,
    name="names are written in capitals: `{name}`",
)
P1012 = code(
    "P1012",
    "negative-literal",
    ERROR,
    literal="a negative number is written `SUB {text}`",
    operand="the opposite of a number is written `SUB {text}`",
)
P1013 = code(
    "P1013",
    "layout-missing",
    ERROR,
    file="the layout of this file is missing: no line is indented",
)
P1014 = code(
    "P1014",
    "bad-indentation",
    ERROR,
    unexpected="this line is indented, but the line before it starts no block",
    unexpected_first="the first line of the program is indented",
    missing="an indented block is expected after this line",
    dedent="this line returns to no enclosing indentation",
    cases="the cases of a `{word}` are indented under it",
    mixed="tabs and spaces are mixed in the indentation of one block",
)
P1015 = code(
    "P1015",
    "unclosed-bracket",
    ERROR,
    bracket="`{open}` is never closed",
)
P1016 = code(
    "P1016",
    "unclosed-string",
    ERROR,
    string="this string has no closing quote on its line",
)
P1017 = code(
    "P1017",
    "reserved-word",
    ERROR,
    name="`{word}` is a reserved word and cannot be used as a name",
)
P1018 = code(
    "P1018",
    "mismatched-bracket",
    ERROR,
    mismatch="`{close}` does not close `{open}`",
    unopened="`{close}` closes nothing",
)
P1019 = code(
    "P1019",
    "missing-colon",
    ERROR,
    header="a colon is missing at the end of this header",
)
