"""The grammar: from finished tokens to the syntax tree.

Input:  the tokens of `layout`, where every word is already keyword, operator or name, and blocks are marked.
Output: an `ast.SourceUnit`. Problems go to the sink; what could not be read is an Error node.
The grammar is LALR(1) without conflicts (a test checks it); operators and their precedence come from
`tables.operators`. Actions only build nodes. `self.span()` is the place of the whole production, `self.mark(i, n)`
that of its part i of n.
"""

# ruff: noqa: F821  (SLY puts `_` and the token names into the class body)

from __future__ import annotations

from typing import Any

from nxdc.diagnostics.sink import Sink
from nxdc.source.span import Span
from nxdc.source.text import SourceFile
from nxdc.syntax import ast, build
from nxdc.syntax.casing import tell_merged_names
from nxdc.syntax.grading import doubt_broken_lines
from nxdc.syntax.lalr import CachedParser, Driver
from nxdc.syntax.layout import layout_with_starts
from nxdc.syntax.lexer import lex
from nxdc.syntax.recovery import Recovery
from nxdc.tables.operators import INFIX, LOOSE_NOT_LEVEL, PREFIX

_PREFIX_KINDS = {"SUB": "NEG", "NOT": "TNOT"}


def _precedence() -> tuple[tuple[str, ...], ...]:
    """SLY's precedence list, weakest first, from the operator table."""
    levels: dict[float, tuple[str, list[str]]] = {LOOSE_NOT_LEVEL: ("right", ["NOT"])}
    for op in INFIX:
        assoc = "nonassoc" if op.assoc == "none" else op.assoc
        levels.setdefault(op.level, (assoc, []))[1].append(op.word)
    levels[2] = ("right", [_PREFIX_KINDS.get(op.word, op.word) for op in PREFIX])
    ordered = [(assoc, *words) for _, (assoc, words) in sorted(levels.items(), reverse=True)]
    postfix = ("left", "DOT", "LPAREN", "LBRACKET", "LBRACE", "TLT")
    return (("nonassoc", "LOWEST"), ("nonassoc", "TO", "COLON", "COMMA"), *ordered, postfix)


def _infix_rules() -> list[str]:
    plain = [op.word for op in INFIX if op.right == "expr" and op.lower != "pipe"]
    return [f"expr : expr {word} expr" for word in plain]


def _pipe_rules() -> list[str]:
    return [f"expr : expr {op.word} expr" for op in INFIX if op.lower == "pipe"]


def _unary_rules() -> list[str]:
    words = [_PREFIX_KINDS.get(op.word, op.word) for op in PREFIX if op.word != "SPAWN"]
    return [f"expr : {word} expr" for word in (*words, "NOT")]


def _token_names() -> set[str]:
    plain = """
        NAME INT FLOAT STRING TRUE FALSE NONEW WILD FN LPAREN RPAREN LBRACKET RBRACKET LBRACE RBRACE COMMA COLON
        HCOLON DOT ARROW ELLIPSIS TLT TGT GAP NEWLINE INDENT DEDENT ERRSTMT ERRHEAD LET CONST FUNC RETURN IF IFX
        ELSE CASE_ELSE LOOP BREAK CONTINUE CASE TRY TRYX CATCH FINALLY IMPORT EXPORT SET SETADD PUSH REMOVE
        WHERE THROW RAISE SEND TO CLOSE ESC TIMEOUT FROM STEP WHILE MATCH WHEN THEN SELECT MODULE INIT TYPE
        TRAIT IMPL FOR ASYNC VIS STRUCT ENUM UNION IMPLEMENTS ALL CAPACITY NOT
    """
    return {*plain.split(), *(op.word for op in INFIX), *(_PREFIX_KINDS.get(op.word, op.word) for op in PREFIX)}


class NxdParser(CachedParser):
    """The grammar as SLY rules; `parse_file` runs it."""

    tokens = _token_names()
    precedence = _precedence()

    def __init__(self, file: SourceFile, sink: Sink) -> None:
        self.file = file
        self.sink = sink
        self.begin = self.end = 0
        self.misplaced: list[ast.Import] = []  # imports inside blocks (reported): what they bring is known all the same

    # -------------------------------------------------------------------------------------------- shared shapes

    @_("unit : items")
    def unit(self, p: Any) -> Any:
        return build.unit(self, p[0])

    @_("unit :")
    def empty_unit(self, p: Any) -> Any:
        return build.unit(self, [])

    @_("items : stmt NEWLINE", "stmts : stmt NEWLINE", "cases : case NEWLINE", "choices : choice NEWLINE",
       "methods : method NEWLINE", "patterns : pattern", "types : type", "exprs : expr", "entries : entry",
       "params : param", "path : name", "names : name", "tparams : tparam", "signatures : func_head",
       "field_list : field", "variant_list : variant", "name_list : name", "field_pats : field_pat")  # fmt: skip
    def first_of_list(self, p: Any) -> Any:
        return [p[0]]

    @_("items : items stmt NEWLINE", "stmts : stmts stmt NEWLINE", "cases : cases case NEWLINE",
       "choices : choices choice NEWLINE", "methods : methods method NEWLINE", "field_list : field_list field",
       "variant_list : variant_list variant", "name_list : name_list name",
       "signatures : signatures func_head")  # fmt: skip
    def next_of_list(self, p: Any) -> Any:
        p[0].append(p[1])
        return p[0]

    @_("patterns : patterns COMMA pattern", "types : types COMMA type", "exprs : exprs COMMA expr",
       "entries : entries COMMA entry", "params : params COMMA param", "path : path DOT name",
       "names : names COMMA name", "tparams : tparams COMMA tparam", "signatures : signatures COMMA func_head",
       "field_list : field_list COMMA field", "variant_list : variant_list COMMA variant",
       "name_list : name_list COMMA name", "field_pats : field_pats COMMA field_pat")  # fmt: skip
    def next_after_comma(self, p: Any) -> Any:
        p[0].append(p[2])
        return p[0]

    @_("fields :", "params_opt :", "exprs_opt :", "entries_opt :", "types_opt :", "tparams_opt :", "implements :",
       "where :", "signatures_opt :", "catches :", "members :", "variants :",
       "field_pats_opt :", "patterns_opt :")  # fmt: skip
    def empty_list(self, p: Any) -> Any:
        return []

    @_("fields : field_list", "fields : field_list COMMA", "params_opt : params", "params_opt : params COMMA",
       "exprs_opt : exprs", "exprs_opt : exprs COMMA", "entries_opt : entries", "entries_opt : entries COMMA",
       "types_opt : types", "signatures_opt : signatures", "members : name_list", "members : name_list COMMA",
       "variants : variant_list", "variants : variant_list COMMA", "field_pats_opt : field_pats",
       "field_pats_opt : field_pats COMMA", "patterns_opt : patterns",
       "stmt : decl", "stmt : let", "bind : name")  # fmt: skip
    def first(self, p: Any) -> Any:
        return p[0]

    @_("tparams_opt : TLT tparams TGT", "implements : IMPLEMENTS types", "where : WHERE tparams %prec LOWEST",
       "else_block : ELSE block",
       "step : STEP expr", "guard : WHEN expr", "result : COLON type", "final : FINALLY block")  # fmt: skip
    def second(self, p: Any) -> Any:
        return p[1]

    @_("step :", "guard :", "result :", "final :")
    def nothing(self, p: Any) -> Any:
        return None

    @_("name : NAME")
    def name(self, p: Any) -> Any:
        return ast.Name(self.span(), p[0])

    @_("bind : WILD")
    def bind_wild(self, p: Any) -> Any:
        return ast.Name(self.span(), "_")

    @_("block : HCOLON INDENT stmts DEDENT")
    def block(self, p: Any) -> Any:
        return build.block(self, p[2])

    # -------------------------------------------------------------------------------------------- declarations

    @_("decl : MODULE path")
    def module(self, p: Any) -> Any:
        return build.ModuleLine(self.span(), tuple(p[1]))

    @_("decl : IMPORT path")
    def import_all(self, p: Any) -> Any:
        return ast.Import(self.span(), tuple(p[1]))

    @_("decl : IMPORT path AS name")
    def import_as(self, p: Any) -> Any:
        return ast.Import(self.span(), tuple(p[1]), p[3])

    @_("decl : IMPORT path names")
    def import_names(self, p: Any) -> Any:
        return ast.Import(self.span(), tuple(p[1]), None, tuple(p[2]))

    @_("decl : EXPORT ALL")
    def export_all(self, p: Any) -> Any:
        return ast.Export(self.span(), "ALL")

    @_("decl : EXPORT FUNC names", "decl : EXPORT TYPE names", "decl : EXPORT TRAIT names")
    def export_kind(self, p: Any) -> Any:
        return ast.Export(self.span(), p[1], tuple(p[2]))

    @_("decl : EXPORT names")
    def export_names(self, p: Any) -> Any:
        return ast.Export(self.span(), "NAME", tuple(p[1]))

    @_("decl : VIS decl", "decl : VIS let")
    def visible(self, p: Any) -> Any:
        return build.visible(self, ast.Visibility(self.mark(0, 2), p[0]), p[1])

    @_("decl : INIT block")
    def init(self, p: Any) -> Any:
        return ast.InitBlock(self.span(), p[1])

    @_("func_head : FUNC name tparams_opt LPAREN params_opt RPAREN result where")
    def func_head(self, p: Any) -> Any:
        span = self.span()
        params, where = build.type_params(self, p[2]), build.constraints(self, p[7])
        return ast.FuncDecl(span, p[1], params, tuple(p[4]), p[6], where, None, False, None, span)

    @_("decl : func_head block", "method : func_head block")
    def func(self, p: Any) -> Any:
        return p[0].replace(span=self.span(), body=p[1])

    @_("decl : func_head")
    def func_without_body(self, p: Any) -> Any:
        return build.missing_body(self, p[0])

    @_("method : func_head")
    def signature(self, p: Any) -> Any:
        return p[0]

    @_("decl : ASYNC func_head block", "method : ASYNC func_head block")
    def async_func(self, p: Any) -> Any:
        return p[1].replace(span=self.span(), body=p[2], is_async=True)

    @_("param : bind")
    def param(self, p: Any) -> Any:
        return ast.Param(self.span(), p[0], None)

    @_("param : bind COLON type")
    def typed_param(self, p: Any) -> Any:
        return ast.Param(self.span(), p[0], p[2])

    @_("tparam : type")
    def tparam(self, p: Any) -> Any:
        return (p[0], None)

    @_("tparam : type COLON type")
    def bounded_tparam(self, p: Any) -> Any:
        return (p[0], p[2])

    @_("decl : TYPE name tparams_opt implements type_body")
    def type_decl(self, p: Any) -> Any:
        return build.type_decl(self, p[1], p[2], p[3], p[4])

    @_("type_body : LBRACE fields RBRACE")
    def struct_braces(self, p: Any) -> Any:
        return ast.StructBody(self.span(), tuple(p[1]))

    @_("type_body : STRUCT LBRACE fields RBRACE", "type_body : STRUCT HCOLON INDENT field_lines DEDENT")
    def struct_word(self, p: Any) -> Any:
        return ast.StructBody(self.span(), tuple(p[-2]))

    @_("type_body : HCOLON INDENT field_lines DEDENT")
    def struct_block(self, p: Any) -> Any:
        return ast.StructBody(self.span(), tuple(p[2]))

    @_("type_body : ENUM LBRACE members RBRACE", "type_body : ENUM HCOLON INDENT member_lines DEDENT")
    def enum(self, p: Any) -> Any:
        return ast.EnumBody(self.span(), tuple(p[-2]))

    @_("type_body : UNION LBRACE variants RBRACE", "type_body : UNION HCOLON INDENT variant_lines DEDENT")
    def union(self, p: Any) -> Any:
        return ast.UnionBody(self.span(), tuple(p[-2]))

    @_("type_body : named_type", "type_body : fn_type")
    def alias(self, p: Any) -> Any:
        return ast.AliasBody(self.span(), p[0])

    @_("field_lines : fields NEWLINE", "member_lines : members NEWLINE", "variant_lines : variants NEWLINE")
    def first_lines(self, p: Any) -> Any:
        return p[0]

    @_("field_lines : field_lines fields NEWLINE", "member_lines : member_lines members NEWLINE",
       "variant_lines : variant_lines variants NEWLINE")  # fmt: skip
    def more_lines(self, p: Any) -> Any:
        return p[0] + p[1]

    @_("field_lines : ERRSTMT NEWLINE", "member_lines : ERRSTMT NEWLINE", "variant_lines : ERRSTMT NEWLINE")
    def broken_first_line(self, p: Any) -> Any:
        return []

    @_("field_lines : field_lines ERRSTMT NEWLINE", "member_lines : member_lines ERRSTMT NEWLINE",
       "variant_lines : variant_lines ERRSTMT NEWLINE")  # fmt: skip
    def broken_line(self, p: Any) -> Any:
        return p[0]

    @_("field : name COLON type")
    def field(self, p: Any) -> Any:
        return ast.FieldDecl(self.span(), p[0], p[2])

    @_("variant : name")
    def unit_variant(self, p: Any) -> Any:
        return ast.Variant(self.span(), p[0], ())

    @_("variant : name LPAREN types_opt RPAREN")
    def variant(self, p: Any) -> Any:
        return ast.Variant(self.span(), p[0], tuple(p[2]))

    @_("decl : TRAIT name tparams_opt implements LBRACE signatures_opt RBRACE",
       "decl : TRAIT name tparams_opt implements HCOLON INDENT methods DEDENT")  # fmt: skip
    def trait(self, p: Any) -> Any:
        params = build.type_params(self, p[2])
        return ast.TraitDecl(self.span(), p[1], params, tuple(p[3]), build.methods(p[-2]), None)

    @_("decl : IMPL tparams_opt type FOR type HCOLON INDENT methods DEDENT")
    def impl(self, p: Any) -> Any:
        return ast.ImplDecl(self.span(), p[2], p[4], build.bodies(self, p[7]), build.type_params(self, p[1]))

    @_("method : ERRSTMT", "case : ERRSTMT", "choice : ERRSTMT")
    def broken_part(self, p: Any) -> Any:
        return None

    @_("method : ERRHEAD block", "case : ERRHEAD block", "choice : ERRHEAD block")
    def broken_part_with_block(self, p: Any) -> Any:
        return None

    # -------------------------------------------------------------------------------------------- types

    @_("type : named_type", "type : fn_type")
    def simple_type(self, p: Any) -> Any:
        return p[0]

    @_("type : LBRACE fields RBRACE")
    def record_type(self, p: Any) -> Any:
        return ast.RecordType(self.span(), tuple(p[1]))

    @_("named_type : path %prec LOWEST")
    def named_type(self, p: Any) -> Any:
        return ast.NamedType(self.span(), tuple(p[0]))

    @_("named_type : NONEW")
    def none_type(self, p: Any) -> Any:
        return ast.NamedType(self.span(), (ast.Name(self.span(), "none"),))

    @_("named_type : path TLT types TGT")
    def generic_type(self, p: Any) -> Any:
        return ast.NamedType(self.span(), tuple(p[0]), tuple(p[2]))

    @_("fn_type : FN LPAREN types_opt RPAREN %prec LOWEST")
    def procedure_type(self, p: Any) -> Any:
        return ast.FnType(self.span(), tuple(p[2]), None)

    @_("fn_type : FN LPAREN types_opt RPAREN COLON type")
    def function_type(self, p: Any) -> Any:
        return ast.FnType(self.span(), tuple(p[2]), p[5])

    # -------------------------------------------------------------------------------------------- statements

    @_("let : LET bind SET expr", "let : CONST bind SET expr")
    def let(self, p: Any) -> Any:
        return ast.Let(self.span(), p[1], None, p[3], p[0] == "CONST")

    @_("let : LET bind COLON type SET expr", "let : CONST bind COLON type SET expr")
    def typed_let(self, p: Any) -> Any:
        return ast.Let(self.span(), p[1], p[3], p[5], p[0] == "CONST")

    @_("stmt : expr")
    def expr_stmt(self, p: Any) -> Any:
        return ast.ExprStmt(self.span(), p[0])

    @_("stmt : expr SET expr", "stmt : expr SETADD expr")
    def assign(self, p: Any) -> Any:
        return build.assign(self, p[0], p[1], p[2])

    @_("stmt : PUSH expr COMMA expr")
    def push(self, p: Any) -> Any:
        return ast.Push(self.span(), p[1], p[3])

    @_("stmt : REMOVE expr")
    def remove(self, p: Any) -> Any:
        return build.remove(self, p[1])

    @_("stmt : REMOVE expr WHERE expr")
    def remove_where(self, p: Any) -> Any:
        return ast.RemoveWhere(self.span(), p[1], p[3])

    @_("stmt : IF expr block else_tail")
    def if_stmt(self, p: Any) -> Any:
        branches, otherwise = p[3]
        first = ast.Branch(self.span(), p[1], p[2])
        return ast.If(self.span(), (first, *reversed(branches)), otherwise)

    @_("else_tail :")
    def no_else(self, p: Any) -> Any:
        return [], None

    @_("else_tail : else_block")
    def last_else(self, p: Any) -> Any:
        return [], p[0]

    @_("else_tail : ELSE IF expr block else_tail")
    def else_if(self, p: Any) -> Any:
        p[4][0].append(ast.Branch(self.span(), p[2], p[3]))
        return p[4]

    @_("stmt : LOOP block")
    def loop(self, p: Any) -> Any:
        return ast.Loop(self.span(), p[1])

    @_("stmt : LOOP WHILE expr block")
    def loop_while(self, p: Any) -> Any:
        return ast.LoopWhile(self.span(), p[2], p[3])

    @_("stmt : WHILE expr block")
    def while_loop(self, p: Any) -> Any:
        return ast.LoopWhile(self.span(), p[1], p[2])

    @_("stmt : LOOP bind FROM expr TO expr step block")
    def loop_from(self, p: Any) -> Any:
        return ast.LoopFrom(self.span(), p[1], p[3], p[5], p[6], p[7])

    @_("stmt : LOOP bind IN expr block")
    def loop_in(self, p: Any) -> Any:
        return ast.LoopIn(self.span(), (p[1],), p[3], p[4])

    @_("stmt : LOOP bind COMMA bind IN expr block")
    def loop_pairs(self, p: Any) -> Any:
        return ast.LoopIn(self.span(), (p[1], p[3]), p[5], p[6])

    @_("stmt : BREAK")
    def break_stmt(self, p: Any) -> Any:
        return ast.Break(self.span())

    @_("stmt : CONTINUE")
    def continue_stmt(self, p: Any) -> Any:
        return ast.Continue(self.span())

    @_("stmt : MATCH expr HCOLON INDENT cases DEDENT")
    def match(self, p: Any) -> Any:
        cases, otherwise = build.cases(self, p[4], "MATCH")
        header = self.mark(0, 6).to(self.mark(1, 6))
        return ast.Match(self.span(), p[1], cases, otherwise, header)

    @_("case : CASE patterns guard block")
    def case(self, p: Any) -> Any:
        return ast.Case(self.span(), tuple(p[1]), p[2], p[3])

    @_("case : CASE_ELSE block", "choice : CASE_ELSE block")
    def case_else(self, p: Any) -> Any:
        return build.Otherwise(self.span(), p[1])

    @_("stmt : SELECT HCOLON INDENT choices DEDENT")
    def select(self, p: Any) -> Any:
        cases, otherwise = build.cases(self, p[3], "SELECT")
        return ast.Select(self.span(), cases, otherwise, self.mark(0, 5))

    @_("choice : CASE name FROM expr block")
    def select_recv(self, p: Any) -> Any:
        return ast.SelectRecv(self.span(), p[1], p[3], p[4])

    @_("choice : CASE WILD FROM expr block")
    def select_discard(self, p: Any) -> Any:
        return ast.SelectRecv(self.span(), None, p[3], p[4])

    @_("choice : CASE SEND expr TO expr block")
    def select_send(self, p: Any) -> Any:
        return ast.SelectSend(self.span(), p[2], p[4], p[5])

    @_("choice : CASE TIMEOUT expr block")
    def select_timeout(self, p: Any) -> Any:
        return ast.SelectTimeout(self.span(), p[2], p[3])

    @_("stmt : TRY block catches final")
    def try_stmt(self, p: Any) -> Any:
        return build.try_stmt(self, p[1], p[2], p[3])

    @_("catches : catches CATCH catch_name block")
    def catches(self, p: Any) -> Any:
        name, code = p[2]
        p[0].append(ast.Catch(self.mark(1, 4).to(self.mark(3, 4)), name, code, p[3]))
        return p[0]

    @_("catch_name :")
    def catch_nothing(self, p: Any) -> Any:
        return None, None

    @_("catch_name : name")
    def catch_name(self, p: Any) -> Any:
        return (None, p[0]) if build.is_error_code(p[0].text) else (p[0], None)

    @_("catch_name : WILD")
    def catch_wild(self, p: Any) -> Any:
        return None, None

    @_("stmt : THROW expr")
    def throw(self, p: Any) -> Any:
        return ast.Throw(self.span(), p[1])

    @_("stmt : RAISE name")
    def raise_code(self, p: Any) -> Any:
        return ast.Raise(self.span(), p[1], None)

    @_("stmt : RAISE name GAP expr")
    def raise_detail(self, p: Any) -> Any:
        return ast.Raise(self.span(), p[1], p[3])

    @_("stmt : RETURN")
    def return_nothing(self, p: Any) -> Any:
        return ast.Return(self.span(), None)

    @_("stmt : RETURN expr")
    def return_value(self, p: Any) -> Any:
        return ast.Return(self.span(), p[1])

    @_("stmt : SEND expr TO expr")
    def send(self, p: Any) -> Any:
        return ast.Send(self.span(), p[1], p[3])

    @_("stmt : expr SEND expr")
    def send_by_arrow(self, p: Any) -> Any:
        return ast.Send(self.span(), p[2], p[0])

    @_("stmt : CLOSE expr")
    def close(self, p: Any) -> Any:
        return ast.Close(self.span(), p[1])

    @_("stmt : ESC expr")
    def esc(self, p: Any) -> Any:
        return ast.Esc(self.span(), p[1])

    @_("stmt : TIMEOUT expr GAP expr")
    def timeout(self, p: Any) -> Any:
        return ast.Timeout(self.span(), p[1], p[3])

    @_("stmt : MOVE expr TO name")
    def move_to(self, p: Any) -> Any:
        return ast.MoveTo(self.span(), p[1], p[3])

    @_("stmt : CLONE expr TO name")
    def clone_to(self, p: Any) -> Any:
        return ast.CloneTo(self.span(), p[1], p[3])

    @_("stmt : ERRSTMT")
    def broken(self, p: Any) -> Any:
        return ast.ErrorStmt(self.span())

    @_("stmt : ERRHEAD block")
    def broken_header(self, p: Any) -> Any:
        return build.broken_header(self, p[0], p[1])

    # -------------------------------------------------------------------------------------------- expressions

    @_("literal : INT")
    def int_literal(self, p: Any) -> Any:
        return ast.IntLit(self.span(), p[0])

    @_("literal : FLOAT")
    def float_literal(self, p: Any) -> Any:
        return ast.FloatLit(self.span(), p[0])

    @_("literal : STRING")
    def string_literal(self, p: Any) -> Any:
        return ast.StringLit(self.span(), p[0])

    @_("literal : TRUE", "literal : FALSE")
    def bool_literal(self, p: Any) -> Any:
        return ast.BoolLit(self.span(), p[0] == "true")

    @_("literal : NONEW")
    def none_literal(self, p: Any) -> Any:
        return ast.NoneLit(self.span())

    @_("expr : literal")
    def literal(self, p: Any) -> Any:
        return p[0]

    @_("expr : NAME")
    def name_ref(self, p: Any) -> Any:
        return ast.NameRef(self.span(), p[0])

    @_("expr : LPAREN expr RPAREN")
    def parenthesised(self, p: Any) -> Any:
        return p[1]

    @_("expr : expr DOT name")
    def field_of(self, p: Any) -> Any:
        return ast.Field(self.span(), p[0], p[2])

    @_("expr : expr LBRACKET expr RBRACKET")
    def index(self, p: Any) -> Any:
        return ast.Index(self.span(), p[0], p[2])

    @_("expr : expr LPAREN exprs_opt RPAREN")
    def call(self, p: Any) -> Any:
        return ast.Call(self.span(), p[0], (), tuple(p[2]))

    @_("expr : expr TLT types TGT LPAREN exprs_opt RPAREN")
    def generic_call(self, p: Any) -> Any:
        return build.generic_call(self, p[0], p[2], p[5])

    @_("expr : expr TLT types TGT LPAREN CAPACITY expr RPAREN", "expr : expr LPAREN CAPACITY expr RPAREN")
    def channel(self, p: Any) -> Any:
        return build.channel(self, p[0], p[2] if len(p) == 8 else [], p[-2], unbounded=False)

    @_("expr : expr LBRACE entries_opt RBRACE")
    def struct_literal(self, p: Any) -> Any:
        return build.braces(self, p[0], [], p[2])

    @_("expr : expr TLT types TGT LBRACE entries_opt RBRACE")
    def generic_literal(self, p: Any) -> Any:
        return build.braces(self, p[0], p[2], p[5])

    @_("expr : expr TLT types TGT LBRACKET exprs_opt RBRACKET")
    def typed_list(self, p: Any) -> Any:
        return build.typed_list(self, p[0], p[2], p[5])

    @_("expr : LBRACKET exprs_opt RBRACKET")
    def list_literal(self, p: Any) -> Any:
        return ast.ListLit(self.span(), None, tuple(p[1]))

    @_("expr : LBRACE entries_opt RBRACE")
    def brace_literal(self, p: Any) -> Any:
        return ast.BraceLit(self.span(), tuple(p[1]))

    @_("entry : expr COLON expr")
    def entry(self, p: Any) -> Any:
        return ast.Entry(self.span(), p[0], p[2])

    @_(*_unary_rules())
    def unary(self, p: Any) -> Any:
        return ast.Unary(self.span(), build.prefix_word(p[0]), p[1], self.mark(0, 2))

    @_("expr : SPAWN expr")
    def spawn(self, p: Any) -> Any:
        return ast.Spawn(self.span(), p[1])

    @_("expr : SPAWN block")
    def spawn_block(self, p: Any) -> Any:
        return ast.Spawn(self.span(), ast.Lambda(self.mark(1, 2), (), None, p[1]))

    @_(*_infix_rules())
    def binary(self, p: Any) -> Any:
        build.no_chain(self, p[0])
        return ast.Binary(self.span(), p[1], p[0], p[2], self.mark(1, 3))

    @_(*_pipe_rules())
    def pipe(self, p: Any) -> Any:
        return ast.Pipe(self.span(), p[1], p[0], p[2], self.mark(1, 3))

    @_("expr : expr AS type")
    def cast(self, p: Any) -> Any:
        return ast.Cast(self.span(), p[0], p[2])

    @_("expr : expr IS type")
    def is_test(self, p: Any) -> Any:
        build.no_chain(self, p[0])
        return ast.IsTest(self.span(), p[0], p[2])

    @_("expr : expr MATCHES pattern")
    def matches(self, p: Any) -> Any:
        build.no_chain(self, p[0])
        return ast.Matches(self.span(), p[0], p[2])

    @_("expr : IFX expr THEN expr ELSE expr %prec LOWEST")
    def if_expr(self, p: Any) -> Any:
        return ast.IfExpr(self.span(), p[1], p[3], p[5])

    @_("expr : FN LPAREN params_opt RPAREN ARROW expr %prec LOWEST")
    def lambda_expr(self, p: Any) -> Any:
        return ast.Lambda(self.span(), tuple(p[2]), None, p[5])

    @_("expr : FN LPAREN params_opt RPAREN COLON type ARROW expr %prec LOWEST")
    def typed_lambda_expr(self, p: Any) -> Any:
        return ast.Lambda(self.span(), tuple(p[2]), p[5], p[7])

    @_("expr : FN LPAREN params_opt RPAREN block")
    def lambda_block(self, p: Any) -> Any:
        return ast.Lambda(self.span(), tuple(p[2]), None, p[4])

    @_("expr : FN LPAREN params_opt RPAREN COLON type block")
    def typed_lambda_block(self, p: Any) -> Any:
        return ast.Lambda(self.span(), tuple(p[2]), p[5], p[6])

    @_("expr : TRYX expr CATCH catch_name block")
    def try_expr(self, p: Any) -> Any:
        name, code = p[3]
        return ast.TryExpr(self.span(), p[1], name, code, p[4])

    # -------------------------------------------------------------------------------------------- patterns

    @_("pattern : WILD")
    def wildcard(self, p: Any) -> Any:
        return ast.WildcardPat(self.span())

    @_("pattern : path %prec LOWEST")
    def name_pattern(self, p: Any) -> Any:
        return ast.NamePat(self.span(), p[0][0]) if len(p[0]) == 1 else ast.VariantPat(self.span(), tuple(p[0]), None)

    @_("pattern : path LPAREN patterns_opt RPAREN")
    def variant_pattern(self, p: Any) -> Any:
        return ast.VariantPat(self.span(), tuple(p[0]), tuple(p[2]))

    @_("pattern : path LBRACE field_pats_opt RBRACE")
    def struct_pattern(self, p: Any) -> Any:
        return ast.StructPat(self.span(), tuple(p[0]), tuple(p[2]))

    @_("pattern : LBRACE field_pats_opt RBRACE")
    def record_pattern(self, p: Any) -> Any:
        return ast.StructPat(self.span(), (), tuple(p[1]))

    @_("field_pat : name")
    def short_field_pattern(self, p: Any) -> Any:
        return ast.FieldPat(self.span(), p[0], ast.NamePat(self.span(), p[0]))

    @_("field_pat : name COLON pattern")
    def field_pattern(self, p: Any) -> Any:
        return ast.FieldPat(self.span(), p[0], p[2])

    @_("pattern : LBRACKET patterns_opt RBRACKET")
    def list_pattern(self, p: Any) -> Any:
        return ast.ListPat(self.span(), tuple(p[1]), None)

    @_("pattern : LBRACKET rest RBRACKET")
    def rest_pattern(self, p: Any) -> Any:
        return ast.ListPat(self.span(), (), p[1])

    @_("pattern : LBRACKET patterns COMMA rest RBRACKET")
    def list_rest_pattern(self, p: Any) -> Any:
        return ast.ListPat(self.span(), tuple(p[1]), p[3])

    @_("rest : name ELLIPSIS")
    def rest(self, p: Any) -> Any:
        return ast.RestPat(self.span(), p[0])

    @_("rest : WILD ELLIPSIS", "rest : ELLIPSIS")
    def rest_unnamed(self, p: Any) -> Any:
        return ast.RestPat(self.span(), None)

    @_("pattern : literal_pat %prec LOWEST")
    def literal_pattern(self, p: Any) -> Any:
        return p[0]

    @_("literal_pat : literal")
    def plain_literal_pattern(self, p: Any) -> Any:
        return ast.LiteralPat(self.span(), p[0])

    @_("literal_pat : NEG literal")
    def negative_literal_pattern(self, p: Any) -> Any:
        return build.negative_literal(self, p[1])

    @_("pattern : literal_pat TO literal_pat")
    def range_pattern(self, p: Any) -> Any:
        return ast.RangePat(self.span(), p[0], p[2])


def parse_file(file: SourceFile, sink: Sink) -> ast.SourceUnit:
    """Parse a source file. There is always a tree; what could not be read is an Error node in it."""
    tokens, line_starts = layout_with_starts(file, lex(file.code), sink)
    driver = Driver(NxdParser, file, tokens)
    target = NxdParser(file, sink)
    tree = driver.drive(target, Recovery(driver, file, sink).on_error)
    if sink.has_errors:
        if tree is not None:
            tell_merged_names(tree, file, sink)
        doubt_broken_lines(file, line_starts, sink)
    if tree is None:  # no way to go on: keep what was read, and let the rest count as one broken declaration
        read = next((symbol for symbol in driver.symbols[1:2] if isinstance(symbol, list)), [])
        return build.unit(target, [*read, ast.ErrorDecl(Span(file, 0, len(file.text)))])
    result: ast.SourceUnit = tree
    return result
