"""Codes of meaning, `S3xxx`."""

from __future__ import annotations

from nxdc.diagnostics.codes.registry import code
from nxdc.diagnostics.model import ERROR

S3001 = code(
    "S3001",
    "undefined-symbol",
    ERROR,
    name="`{name}` is not defined",
    untested="`{name}` has no value here",
    type="there is no type `{name}`",
    function="there is no function `{name}`",
    trait="there is no trait `{name}`",
    module="there is no module `{name}`",
    member="the module `{module}` has no `{name}`",
    method="`{type}` has no field and no function `{name}`",
    variant="`{type}` has no variant `{name}`",
    type_param="the type parameter `{name}` is not declared",
    code="there is no error code `{name}`",
    imported="the module `{module}` shows no `{name}` to import",
    exported="this module has no {kind}`{name}` to export",
)
S3002 = code(
    "S3002",
    "type-mismatch",
    ERROR,
    assign="expected `{want}`, found `{got}`",
    binary="`{op}` is not defined for `{left}` and `{right}`",
    unary="`{op}` is not defined for `{type}`",
    equality="`{left}` and `{right}` can never be equal: their types differ",
    condition="a condition is a `bool`, but this is `{got}`",
    argument="argument {index} of `{name}` is `{got}`, but the parameter is `{want}`",
    no_overload="no function `{name}` takes {args}",
    returned="this function gives `{want}`, but `{got}` is returned here",
    returned_nothing="this function gives `{want}`, but nothing is returned here",
    branches="the branches give different types: `{left}` and `{right}`",
    elements="the elements have different types: `{left}` and `{right}`",
    not_callable="`{type}` is not a function",
    not_indexable="`{type}` has no elements to index",
    not_iterable="`{type}` cannot be looped over",
    not_iterable_pairs="`{type}` has no keys: only one name can be given",
    not_a_value="`{name}` is a {kind}, not a value",
    index="a `{type}` is indexed by `{want}`, not by `{got}`",
    option="this is an `{type}`: take the value out before its field `{name}` is used",
    option_value="this is an `{type}`, not the `{want}` in it",
    some_missing="`NONE` and `{got}` are both returned: return `SOME({text})` for the value",
    nothing="this gives no value",
    pattern="the pattern is for `{want}`, but the value is `{got}`",
    pipe_target="`{op}` goes on with a call, which this is not",
    bound="`{name}` is `{got}` here, but `{want}` in the first pattern of this CASE",
    payload="`{variant}` holds {want}, but the pattern names {got}",
    send="the channel carries `{want}`, but `{got}` is sent",
    no_list="`{type}` is no list type: it cannot stand before `[...]`",
    type_args="`{name}` takes {want}, not {got}",
    map_key="`{type}` cannot be the key of a map",
    recursive="the type of `{name}` would contain itself",
    endless="no value of `{name}` can ever be made: it needs {chain}",
    growing="`{name}` would need ever larger types: it uses itself as `{type}`",
    boxed="`{name}` cannot be called on a `{type}`",
    range="the bounds of a range are `int`, not `{got}`",
)
S3003 = code(
    "S3003",
    "trait-not-implemented",
    ERROR,
    bound="`{type}` does not implement `{trait}`",
    method="`{type}` says that it implements `{trait}`, but there is no `{name}`",
    signature="`{name}` of `{type}` does not have the signature that `{trait}` asks for",
    extra="`{trait}` has no function `{name}`",
    builtin="`{trait}` is built in: which types have it is decided by the language",
)
S3004 = code(
    "S3004",
    "invalid-cast",
    ERROR,
    cast="`{got}` cannot be made `{want}` with `AS`",
)
S3005 = code(
    "S3005",
    "concurrency-misuse",
    ERROR,
    ("send", "recv", "close", "await_", "spawn", "task", "ping", "esc", "timeout", "select"),
    send="`SEND` needs a channel, but this is `{got}`",
    recv="`RECV` needs a channel, but this is `{got}`",
    close="`CLOSE` needs a channel, but this is `{got}`",
    await_="`AWAIT` needs a task, a process or a list of tasks, but this is `{got}`",
    spawn="`SPAWN` takes a call, a lambda or a block",
    task="`TASK` takes a function, but this is `{got}`",
    ping="`PING` needs a task or a process, but this is `{got}`",
    esc="`ESC` needs a task or a process, but this is `{got}`",
    timeout="`TIMEOUT` needs a task or a process, but this is `{got}`",
    select="a `CASE` of `SELECT` needs a channel, but this is `{got}`",
)
S3006 = code(
    "S3006",
    "argument-count",
    ERROR,
    call="`{name}` takes {want}, but {got} given",
    variant="`{name}` holds {want}, but {got} given",
    value="this function takes {want}, but {got} given",
    main="`MAIN` has parameters, but nothing gives them arguments when the program starts",
)
S3007 = code(
    "S3007",
    "field-list",
    ERROR,
    missing="the field `{name}` of `{type}` is missing",
    missing_many="the fields {names} of `{type}` are missing",
    unknown="`{type}` has no field `{name}`",
    repeated="the field `{name}` is given twice",
)
S3008 = code(
    "S3008",
    "match-not-exhaustive",
    ERROR,
    missing="this `MATCH` does not handle {cases}",
)
S3009 = code(
    "S3009",
    "use-after-move",
    ERROR,
    use="`{name}` is used after it was moved",
    loop="`{name}` is moved again in the next round of the loop",
    maybe="`{name}` may have been moved before it is used here",
    shared="`{name}` uses `{moved}`, which was moved",
    captured="`{name}` belongs to the function around this one, which may use it later: it cannot be moved here",
    not_movable="only a local variable or a parameter can be moved",
)
S3010 = code(
    "S3010",
    "change-through-borrow",
    ERROR,
    write="`{name}` is a borrowed view and cannot be changed",
    passed="`{name}` is a borrowed view, but `{function}` changes its parameter",
    kept="`{name}` is a borrowed view and cannot be stored or given back",
)
S3011 = code(
    "S3011",
    "constant-set",
    ERROR,
    const="`{name}` is a constant and cannot be set",
    function="`{name}` is a function and cannot be set",
    loop="`{name}` is the variable of a loop and cannot be set",
    imported="`{name}` belongs to the module `{module}`: set it as `{module}.{name}`",
)
S3012 = code(
    "S3012",
    "not-visible",
    ERROR,
    private="`{name}` is not visible outside the module `{module}`",
    hidden="`{name}` of `{module}` is hidden because the module is imported under a name",
)
S3013 = code(
    "S3013",
    "ambiguous-call",
    ERROR,
    call="`{name}` could mean several functions",
    name="`{name}` could mean several things",
    entry="there are several functions `MAIN`",
)
S3014 = code(
    "S3014",
    "missing-import",
    ERROR,
    name="`{name}` is defined in the module `{module}`, which is not imported",
    selected="`{name}` is not among the names imported from the module `{module}`",
    module="there is no module `{module}`",
    not_imported="the module `{module}` is not imported",
)
S3015 = code(
    "S3015",
    "duplicate-declaration",
    ERROR,
    name="`{name}` is declared twice",
    function="`{name}` is declared twice with the same parameter types",
    module="the module `{module}` is given twice",
    field="the field `{name}` is declared twice",
    variant="`{name}` is declared twice in one type",
    param="the parameter `{name}` is declared twice",
    pattern="`{name}` is bound twice in one pattern",
    alias="`{name}` stands for two modules here",
)
S3016 = code(
    "S3016",
    "cyclic-initialisation",
    ERROR,
    cycle="the start-up of these modules depends on itself: {cycle}",
    early="`{name}` is used at start-up before it is set",
)
S3017 = code(
    "S3017",
    "value-and-nothing-returned",
    ERROR,
    mixed="`{name}` gives a value on some paths and nothing on others",
    falls_off="`{name}` gives `{want}`, but its end can be reached without a value",
)
S3018 = code(
    "S3018",
    "outside-loop",
    ERROR,
    word="`{word}` stands outside a loop",
    returned="`RETURN` stands outside a function",
)
S3019 = code(
    "S3019",
    "not-supported-yet",
    ERROR,
    feature="{feature} is not supported yet",
)
S3020 = code(
    "S3020",
    "type-not-inferred",
    ERROR,
    function="`{name}` works on values of many types, and nothing here says which are meant",
    recursive="the result type of `{name}` cannot be inferred: it calls itself before it returns anything",
    instances="`{name}` calls itself with ever new types",
)
S3021 = code(
    "S3021",
    "name-not-in-all-patterns",
    ERROR,
    name="this pattern does not bind `{name}`, which another pattern of the CASE binds",
)
