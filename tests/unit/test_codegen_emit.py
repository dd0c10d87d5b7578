"""Every MIR op has an emitter, and what it emits is accepted by LLVM at every level, plain, with debug information, and
for sanitizers."""

from __future__ import annotations

import inspect

import pytest

from nxdc.codegen import funcs, inline
from nxdc.codegen.entry import generate, llvm_text
from nxdc.codegen.registry import OP_EMITTERS, TERMINATOR_EMITTERS
from nxdc.codegen.target import ParsedModule
from nxdc.mir import ops
from nxdc.mir.types import CellType, EnvType
from nxdc.problem import CompilerBug
from nxdc.tables import operators
from nxdc.tables.prelude import ROWS
from nxdc.types import model
from tests.unit import mir_samples as samples
from tests.unit.mir_samples import Builder, at, const, program, text

INTS = model.ListType(model.INT)
STRINGS = model.ListType(model.STRING)
FLAGS = model.ListType(model.BOOL)
COUNTS = model.MapType(model.STRING, model.INT)
CALLBACK = model.FuncType((model.INT,), model.INT)


def _concrete(base: type) -> list[type]:
    """Op classes that are not bases of others."""
    classes = [c for _, c in inspect.getmembers(ops, inspect.isclass) if issubclass(c, base) and c is not base]
    return [c for c in classes if not any(issubclass(other, c) and other is not c for other in classes)]


def test_every_op_has_an_emitter() -> None:
    assert funcs.EMITTER_MODULES
    assert [c.__name__ for c in _concrete(ops.Op) if c not in OP_EMITTERS] == []
    assert [c.__name__ for c in _concrete(ops.Terminator) if c not in TERMINATOR_EMITTERS] == []


def test_every_inline_word_of_the_tables_is_known() -> None:
    words = {row.inline for op in (*operators.INFIX, *operators.PREFIX) for row in op.rows if row.inline}
    words |= {row.inline for row in ROWS if row.inline}
    assert sorted(words - set(inline.EMITTERS) - set(inline.CHECKED)) == []


def _accepted(made: ops.Program) -> str:
    """The IR at O2, after LLVM has verified it in all ways of building."""
    for level in (0, 2):
        for sanitize in (False, True):
            for debug in (False, True):
                parsed = ParsedModule(llvm_text(made, level=level, debug=debug, sanitize=sanitize), level)
                parsed.optimize()
    return str(generate(made, level=2, kind="llvm"))


def test_hello_and_fib() -> None:
    _accepted(samples.hello())
    out = _accepted(samples.fib())
    assert "llvm.sadd.with.overflow" in out
    data = generate(samples.fib())
    assert isinstance(data, bytes)
    assert data[:4] == b"\x7fELF" or len(data) > 100


def _main_with(build: object) -> ops.Program:
    main = Builder("MAIN")
    others = build(main)  # type: ignore[operator]
    return program(main.ret(), *(others or []))


@pytest.mark.parametrize("name", sorted(inline.CHECKED))
def test_checked(name: str) -> None:
    def build(main: Builder) -> None:
        arity = 1 if name in ("neg_checked", "unwrap_none") else 2
        type_ = model.ANY if name == "unwrap_none" else model.INT
        values: list[ops.Value] = [const(7), const(3)]
        source = [main.add(ops.Assign(at(), [value], dst=main.reg())) for value in values[:arity]]
        if type_ == model.ANY:
            source = [main.add(ops.Box(at(), [source[0]], dst=main.reg(model.ANY)))]
        dst = main.reg(type_)
        main.add(ops.Checked(at(), list(source), name=name, dst=dst, error=main.edge()))
        for constant in (const(1), const(0), const(-1)):
            if arity == 2:
                main.checked(name, source[0], constant)

    _accepted(_main_with(build))


_PRIM_OPERANDS = {
    "float": ("fadd", "fsub", "fmul", "fdiv", "fmod", "fneg", "float_abs", "float_sqrt"),
    "bool": ("and_bool", "or_bool", "neq_bool", "eq_bool", "not", "bool_to_int"),
}
_UNARY = {"fneg", "float_abs", "float_sqrt", "not", "bool_to_int", "int_to_float", "is_none_any", "any_is_int"}


def _prim_types(name: str) -> tuple[model.Type, model.Type]:
    """Operand and result type of an emitter."""
    objects = {"list_length": INTS, "string_length": model.STRING, "string_bytes": model.STRING, "map_length": COUNTS}
    if name in objects:
        return objects[name], model.INT
    if name == "tag":
        return model.option_of(model.INT), model.INT
    if name == "eq_ptr":
        return INTS, model.BOOL
    if name in ("is_none_any", "any_is_int"):
        return model.ANY, model.BOOL
    if name in _PRIM_OPERANDS["float"]:
        return model.FLOAT, model.FLOAT
    if name in _PRIM_OPERANDS["bool"]:
        return model.BOOL, model.INT if name == "bool_to_int" else model.BOOL
    if name == "int_to_float":
        return model.INT, model.FLOAT
    compares = name.split("_")[0] in ("eq", "neq", "lt", "lte", "gt", "gte")
    operand: model.Type = model.FLOAT if name.endswith("_float") else model.INT
    return operand, model.BOOL if compares else operand


@pytest.mark.parametrize("name", sorted(inline.EMITTERS))
def test_prim(name: str) -> None:
    operand, result = _prim_types(name)
    arity = (
        1
        if name in _UNARY or operand not in (model.INT, model.FLOAT, model.BOOL, INTS) or name.endswith("length")
        else 2
    )
    f = Builder("F", [("A", operand), ("B", operand)], result, fallible=False)
    f.ret(f.prim(name, result, *f.params[:arity]))
    main = Builder("MAIN")
    _accepted(program(main.ret(), f.function))


def test_lists() -> None:
    def build(main: Builder) -> None:
        numbers = main.add(ops.NewList(at(), [const(1), const(2)], type=INTS, dst=main.reg(INTS)))
        main.add(ops.ListPush(at(), [numbers, const(3)]))
        item = main.add(ops.ListGet(at(), [numbers, const(1)], dst=main.reg(), error=main.edge()))
        main.add(ops.ListSet(at(), [numbers, const(1), item], error=main.edge()))
        main.add(ops.ListGet(at(), [numbers, const(0)], dst=main.reg(), error=main.edge(), shared=True))
        main.add(ops.ListGet(at(), [numbers, const(0)], dst=main.reg(), unchecked=True))
        main.add(
            ops.AddTo(
                at(),
                [numbers, const(0), const(5)],
                place="list",
                index=0,
                variable=None,
                type=model.INT,
                error=main.edge(),
            )
        )
        main.drop(numbers)
        words = main.add(ops.NewList(at(), [text("a")], type=STRINGS, dst=main.reg(STRINGS)))
        copy = main.add(ops.ListGet(at(), [words, const(0)], dst=main.reg(model.STRING), error=main.edge()))
        main.add(ops.Dup(at(), [copy]))
        main.add(ops.ListSet(at(), [words, const(0), copy], error=main.edge()))
        main.add(
            ops.AddTo(
                at(),
                [words, const(0), text("b")],
                place="list",
                index=0,
                variable=None,
                type=model.STRING,
                error=main.edge(),
            )
        )
        main.add(
            ops.AddTo(
                at(),
                [words, const(0), const(4)],
                place="list",
                index=0,
                variable=None,
                type=model.STRING,
                error=main.edge(),
                shared=True,
            )
        )
        main.drop(words)
        flags = main.add(ops.NewList(at(), [const(True, model.BOOL)], type=FLAGS, dst=main.reg(FLAGS)))
        main.add(ops.ListSet(at(), [flags, const(0), const(False, model.BOOL)], error=main.edge()))
        main.add(ops.ListGet(at(), [flags, const(0)], dst=main.reg(model.BOOL), error=main.edge()))
        main.add(ops.ListPush(at(), [flags, const(True, model.BOOL)], shared=True))
        main.drop(flags)

    _accepted(_main_with(build))


@pytest.mark.parametrize("key_type", [model.STRING, model.INT, model.BOOL])
@pytest.mark.parametrize("shared", [False, True])
def test_maps(key_type: model.Type, shared: bool) -> None:
    type_ = model.MapType(key_type, model.INT)
    key = {model.STRING: "k", model.INT: 4, model.BOOL: True}[key_type]

    def build(main: Builder) -> None:
        made = main.add(
            ops.CallRuntime(at(), [], symbol="nxd_map_new", result="p", extra=(type_,), dst=main.reg(type_))
        )
        main.add(
            ops.CallRuntime(
                at(),
                [made, ops.Const(key_type, key), const(1)],
                symbol="nxd_map_set",
                params="pww",
                taken=(False, True, True),
            )
        )
        main.add(ops.MapGet(at(), [made, ops.Const(key_type, key)], dst=main.reg(), error=main.edge(), shared=shared))
        main.add(
            ops.AddTo(
                at(),
                [made, ops.Const(key_type, key), const(1)],
                place="map",
                index=0,
                variable=None,
                type=model.INT,
                error=main.edge(),
                shared=shared,
            )
        )
        main.drop(made)

    _accepted(_main_with(build))


def test_structs_unions_cells_and_reuse() -> None:
    decl = model.NominalDecl("struct", "PERSON", "main", (), None)
    decl.fields = [
        ("NAME", model.STRING),
        ("AGE", model.INT),
        ("TALL", model.BOOL),
        ("WEIGHT", model.FLOAT),
        ("NOTE", model.ANY),
    ]
    person = model.StructType(decl)

    def make(main: Builder, reuse: ops.Reg | None = None) -> ops.Reg:
        words: list[ops.Value] = [
            text("Ann"),
            const(3),
            const(True, model.BOOL),
            const(1.5, model.FLOAT),
            const(None, model.ANY),
        ]
        return main.add(ops.NewStruct(at(), words, type=person, reuse=reuse, dst=main.reg(person)))

    def build(main: Builder) -> None:
        made = make(main)
        for i, (_, type_) in enumerate(decl.fields):
            for shared in (False, True):
                value = main.add(
                    ops.LoadField(at(), [made], kind="struct", index=i, shared=shared, dst=main.reg(type_))
                )
                if shared and value.counted:
                    main.drop(value)
        main.add(ops.StoreField(at(), [made, text("Bo")], kind="struct", index=0))
        main.add(ops.StoreField(at(), [made, const(False, model.BOOL)], kind="struct", index=2, shared=True))
        for index, type_, delta in (
            (1, model.INT, const(2)),
            (3, model.FLOAT, const(2.5, model.FLOAT)),
            (4, model.ANY, const(1, model.ANY)),
        ):
            main.add(
                ops.AddTo(at(), [made, delta], place="field", index=index, variable=None, type=type_, error=main.edge())
            )
        again = make(main, made)
        main.drop(again)
        option = model.option_of(model.STRING)
        some = main.add(ops.NewUnion(at(), [text("x")], type=option, variant=0, dst=main.reg(option)))
        main.add(ops.LoadField(at(), [some], kind="payload", index=0, dst=main.reg(model.STRING)))
        main.add(ops.Assign(at(), [ops.Const(option, ("unit", 1))], dst=main.reg(option)))
        main.drop(some)
        cell = CellType(model.INT)
        box = main.add(ops.NewStruct(at(), [const(1)], type=cell, dst=main.reg(cell)))
        main.add(ops.StoreField(at(), [box, const(2)], kind="struct", index=0))
        main.drop(box)

    _accepted(_main_with(build))


def test_any() -> None:
    decl = model.NominalDecl("enum", "COLOR", "main", (), None)
    decl.variants = [("RED", ()), ("GREEN", ())]
    color = model.EnumType(decl)
    params = [("I", model.INT), ("F", model.FLOAT), ("B", model.BOOL), ("S", model.STRING), ("C", color)]

    f = Builder("F", params)
    for param in f.params:
        boxed = f.add(ops.Box(at(), [param], dst=f.reg(model.ANY)))
        f.add(ops.Dup(at(), [boxed]))
        f.add(ops.Unbox(at(), [boxed], dst=f.reg(param.type)))
        f.drop(boxed)
    for value in (
        const(5, model.ANY),
        const(True, model.ANY),
        const(None, model.ANY),
        ops.Const(model.ANY, ops.UNINIT),
    ):
        f.add(ops.Assign(at(), [value], dst=f.reg(model.ANY)))
    main = Builder("MAIN")
    _accepted(program(main.ret(), f.ret()))


def test_globals() -> None:
    variables = [
        ops.GlobalVar(name, "main", type_, True)
        for name, type_ in (("N", model.INT), ("S", model.STRING), ("B", model.BOOL))
    ]
    main = Builder("MAIN")
    values: list[ops.Value] = [const(1), text("a"), const(True, model.BOOL)]
    for variable, value in zip(variables, values, strict=True):
        main.add(ops.StoreGlobal(at(), [value], variable=variable, initial=True))
        main.add(ops.StoreGlobal(at(), [value], variable=variable, shared=True))
        main.add(ops.StoreGlobal(at(), [value], variable=variable))
        main.add(ops.LoadGlobal(at(), variable=variable, dst=main.reg(variable.type)))
        loaded = main.add(ops.LoadGlobal(at(), variable=variable, shared=True, dst=main.reg(variable.type)))
        if loaded.counted:
            main.drop(loaded)
    for shared in (False, True):
        main.add(
            ops.AddTo(
                at(),
                [const(1)],
                place="global",
                index=0,
                variable=variables[0],
                type=model.INT,
                shared=shared,
                error=main.edge(),
            )
        )
        main.add(
            ops.AddTo(
                at(),
                [text("x")],
                place="global",
                index=0,
                variable=variables[1],
                type=model.STRING,
                shared=shared,
                error=main.edge(),
            )
        )
    made = program(main.ret(), globals_=variables)
    made.spawns = True
    assert "@nxd.teardown" in _accepted(made)


def test_closures_and_processes() -> None:
    code = Builder("LAMBDA", [("X", model.INT)], model.INT)
    code.function.address_taken = True
    code.function.closure = code.reg(CALLBACK)
    captured = code.add(ops.LoadField(at(), [code.function.closure], kind="capture", index=0, dst=code.reg()))
    code.ret(code.checked("add_checked", captured, code.params[0]))
    constant = Builder("CONSTANT", [("X", model.INT)], model.INT)
    constant.function.address_taken = True
    constant.function.closure = constant.reg(CALLBACK)
    constant.function.fallible = False
    constant.ret(const(1))
    work = Builder("WORK", [("X", model.INT), ("Y", model.STRING)], model.STRING, fallible=False)
    work.function.owned_params = [False, True]
    work.ret(work.params[1])

    main = Builder("MAIN")
    f = main.add(ops.NewClosure(at(), [const(3)], function=code.function, dst=main.reg(CALLBACK)))
    g = main.add(ops.NewClosure(at(), [], function=constant.function, dst=main.reg(CALLBACK)))
    main.add(ops.CallClosure(at(), [f, const(1)], dst=main.reg(), error=main.edge()))
    main.add(ops.CallClosure(at(), [g, const(1)], dst=main.reg(), error=main.edge()))
    env_type = EnvType((model.INT, model.STRING))
    env = main.add(ops.NewStruct(at(), [const(1), text("a")], type=env_type, dst=main.reg(env_type)))
    task = model.TaskType(model.STRING)
    main.add(ops.Spawn(at(), [env], function=work.function, result_type=model.STRING, dst=main.reg(task)))
    value_env_type = EnvType((CALLBACK, model.INT))
    value_env = main.add(ops.NewStruct(at(), [f, const(1)], type=value_env_type, dst=main.reg(value_env_type)))
    main.add(
        ops.Spawn(at(), [value_env], function=None, result_type=model.INT, dst=main.reg(model.TaskType(model.INT)))
    )
    _accepted(program(main.ret(), code.function, constant.function, work.function))


def test_select_and_runtime_calls() -> None:
    channel = model.ChannelType(model.INT)

    def build(main: Builder) -> None:
        made = main.add(
            ops.CallRuntime(at(), [const(4)], symbol="nxd_channel_new", params="i", result="p", dst=main.reg(channel))
        )
        more = main.reg(model.BOOL)
        main.add(
            ops.CallRuntime(
                at(),
                [made],
                symbol="nxd_channel_next",
                params="p",
                result="w",
                fallible=True,
                needs_self=True,
                parks=True,
                out=more,
                dst=main.reg(),
                error=main.edge(),
            )
        )
        got = main.reg()
        main.add(
            ops.Select(
                at(),
                [made, made, const(7), const(0.5, model.FLOAT)],
                sends=(False, True),
                received=(got, None),
                types=(),
                dst=main.reg(),
                error=main.edge(),
            )
        )
        word = main.add(ops.ToWord(at(), [text("a")], dst=main.reg()))
        main.add(ops.FromWord(at(), [word], dst=main.reg(model.STRING)))

    _accepted(_main_with(build))


def test_errors_and_handlers() -> None:
    """TRY with a handler that loops back, a throw, an error that is dropped."""
    main = Builder("MAIN")
    again, handler, done = main.new_block("again"), main.new_block("handler"), main.new_block("done")
    count = main.reg(name="COUNT")
    caught = main.reg(samples.ERROR_PTR)
    main.add(ops.Assign(at(), [const(0)], dst=count))
    main.goto(again)
    main.start(again)
    main.add(ops.Poll(at(), error=main.edge()))
    total = main.reg()
    main.add(ops.Checked(at(2), [count, const(1)], name="add_checked", dst=total, error=ops.ErrorEdge(handler, caught)))
    main.add(ops.Checked(at(3), [count, total], name="div_checked", dst=count, error=ops.ErrorEdge(handler, caught)))
    main.branch(main.prim("lt_int", model.BOOL, count, const(10)), again, done)
    main.start(handler)
    main.add(ops.ErrorCode(at(), [caught], dst=main.reg()))
    message = main.add(ops.ErrorMessage(at(), [caught], dst=main.reg(model.STRING)))
    main.add(ops.DropError(at(), [caught]))
    thrown = main.add(ops.MakeError(at(4), [message], code=0, dst=main.reg(samples.ERROR_PTR)))
    main.block.terminator = ops.Propagate(at(4), thrown)
    main.start(done)
    _accepted(program(main.ret()))


def test_wrong_mir_is_refused() -> None:
    main = Builder("MAIN")
    main.print_line(main.reg(name="LOST"))
    made = program(main.ret())
    made.functions[0].blocks[0].ops.append(ops.Prim(at(), [], name="no_such_emitter"))
    with pytest.raises(CompilerBug):
        generate(made)


def test_equal_programs_give_equal_text() -> None:
    assert llvm_text(samples.fib()) == llvm_text(samples.fib())


def test_small_recursion_is_unrolled_only_when_optimising() -> None:
    assert "@FIB.1(" in llvm_text(samples.fib(), level=2)
    assert "@FIB.1(" not in llvm_text(samples.fib(), level=0)
    assert "@FIB.1(" in llvm_text(samples.fib(), level=2, debug=True)  # -g gives the same code


def test_types_get_release_functions() -> None:
    """A list of options of strings: each level releases the next; sanitizer builds leave it to the runtime."""
    option = model.option_of(model.STRING)
    list_type = model.ListType(option)

    def build(main: Builder) -> None:
        some = main.add(ops.NewUnion(at(), [text("x")], type=option, variant=0, dst=main.reg(option)))
        items = main.add(ops.NewList(at(), [some], type=list_type, dst=main.reg(list_type)))
        main.drop(items)

    made = _main_with(build)
    written = llvm_text(made, level=2)
    for type_ in (option, list_type):
        assert f"@nxd.end.{made.types.number(type_)}(" in written
    assert "@nxd.end." not in llvm_text(made, level=2, sanitize=True)
    assert "@nxd.end." not in llvm_text(made, level=0)
    _accepted(made)


def test_has_is_a_look_up_unless_the_map_is_shared() -> None:
    def build(main: Builder) -> None:
        made = main.add(
            ops.CallRuntime(at(), [], symbol="nxd_map_new", result="p", extra=(COUNTS,), dst=main.reg(COUNTS))
        )
        main.add(
            ops.CallRuntime(
                at(), [made, text("k")], symbol="nxd_map_has", params="pw", result="i", dst=main.reg(model.BOOL)
            )
        )
        main.drop(made)

    made = _main_with(build)
    descriptor = made.types.descriptor(COUNTS)
    assert "call ptr @nxd_map_find_string" in llvm_text(made)
    descriptor.shareable = True
    assert "call i64 @nxd_map_has" in llvm_text(made)
