" Vim syntax file of NXD. Written by editors/generate.py: do not edit.
if exists("b:current_syntax")
  finish
endif
syn case match
syn iskeyword @,48-57,_
syn keyword nxdKeyword ALL ASYNC BREAK CAPACITY CASE CATCH CLASS CLOSE CONST CONTINUE DEF DEFAULT
syn keyword nxdKeyword DO ELIF ELSE ELSEIF ENUM ESC EXCEPT EXPORT FINALLY FN FOR FOREACH
syn keyword nxdKeyword FROM FUN FUNC FUNCTION GO IF IMPL IMPLEMENTS IMPORT INCLUDE INIT INTERFACE
syn keyword nxdKeyword INTERNAL LET LOOP MATCH MODULE MUT OTHERWISE PRIVATE PUBLIC PUSH RAISE RECORD
syn keyword nxdKeyword REMOVE RETURN SELECT SEND SET SETADD STEP STRUCT SWITCH THEN THREAD THROW
syn keyword nxdKeyword TIMEOUT TO TRAIT TRY TYPE UNION USE VAL VAR WHEN WHERE WHILE
syn keyword nxdOperator ADD AND AS AWAIT BORROW CLONE CONTAINS DIV ENDSWITH EQ GE GT
syn keyword nxdOperator GTE HAS IN IS LE LT LTE MATCHES MOD MOVE MUL NE
syn keyword nxdOperator NEQ NOT OR PING PIPE PIPEFILTER PIPEMAP POW RECV SPAWN STARTSWITH SUB
syn keyword nxdType BOX CHANNEL LIST MAP OPTION PROCESS RESULT TASK any bool float int
syn keyword nxdType string
syn keyword nxdConstant ALPHA DIGIT ERR LOWER NONE NON_ALPHA NON_DIGIT NON_LOWER NON_SPACE NON_UPPER OK SOME
syn keyword nxdConstant SPACE UPPER false none true
syn keyword nxdFunction ABS AFTER ANY ARGS ASSERT BAND BOR BXOR CEIL CHAR_AT CHR CONCAT
syn keyword nxdFunction COS CURRENT_TIME DATE_STRING DEBUG ENDS_WITH ENV EPRINTLN EXIT EXP FILTER FLOOR GET
syn keyword nxdFunction HEAD INDEX_OF INSERT IS_ERR IS_NONE IS_OK IS_SOME JOIN KEYS LEN LINES LOG_E
syn keyword nxdFunction MAKE_CHANNEL MAP_ERR MAP_OK MAX MIN NOW OK_OR ORD PAD_LEFT PAD_RIGHT PARSE_FLOAT PARSE_INT
syn keyword nxdFunction POP PRINT PRINTLN RANDOM RANDOM_FLOAT RANDOM_INT RANDOM_STRING RANGE READ_LINE RECV_TIMEOUT REDUCE REPEAT
syn keyword nxdFunction REPLACE REVERSE ROUND RT_SHL RT_SHR RT_SORT_BY_KEYS SEED SHL SHR SIN SLEEP SLICE
syn keyword nxdFunction SORT SORT_BY SPLIT SQRT STARTS_WITH SUBSTR SUM TAIL TIMEINFO TO_FLOAT TO_INT TO_STRING
syn keyword nxdFunction TRIM TRY_RECV TRY_SEND UNWRAP UNWRAP_OR VALUES ZIP
syn keyword nxdKeyword fn
syn match nxdField /\.\@<=\h\w*/
syn match nxdErrorCode /\<E\d\{4}\>/
syn match nxdNumber /\<\(0x\x\+\|0b[01]\+\|0o\o\+\|\d\+\(\.\d\+\)\?\([eE][+-]\?\d\+\)\?\)\>/
syn match nxdEscape /\\\([ntr0\"\\]\|u{\x\+}\)/ contained
syn region nxdString start=/"/ skip=/\\./ end=/"/ oneline contains=nxdEscape
syn keyword nxdTodo TODO FIXME contained
syn match nxdComment /\(#\|\/\/\).*$/ contains=nxdTodo
hi def link nxdKeyword Statement
hi def link nxdOperator Operator
hi def link nxdType Type
hi def link nxdConstant Constant
hi def link nxdFunction Function
hi def link nxdErrorCode Constant
hi def link nxdNumber Number
hi def link nxdEscape SpecialChar
hi def link nxdString String
hi def link nxdTodo Todo
hi def link nxdComment Comment
let b:current_syntax = "nxd"
