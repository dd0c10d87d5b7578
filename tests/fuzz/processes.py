"""Random statements with processes, whose outcome does not depend on who runs first.

A process that prints is awaited before anybody else prints; what several do to module variables is the same in every
order; who is cancelled waits for something that never comes, and has said before that it has begun.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from textwrap import indent

from tests.fuzz.blocks import Blocks
from tests.fuzz.choices import Choices
from tests.fuzz.types import list_of


class Processes(Blocks):
    """Statements with processes, tasks and channels. They stand in functions that only MAIN calls."""

    def __init__(self, choose: Choices) -> None:
        super().__init__(choose)
        self.tasks: list[str] = []  # silent functions: (int, string) -> string
        self.async_tasks: list[str] = []

    def deep(self) -> list[Callable[[], None]]:
        if self.silent or self.loops or self.straight or self.indent >= 3:
            return super().deep()
        return [
            *super().deep(),
            self.task,
            self.channel,
            self.cancel,
            self.timeout,
            self.select,
            self.shared_state,
            self.task_of_function,
            self.list_of_tasks,
            self.without_waiting,
            self.channel,
            self.server,
            self.circle,
        ]

    # ---- tasks ------------------------------------------------------------------------------------------------------

    def _call(self) -> str:
        return f"{self.choose.of(self.tasks)}({self.make('int', 1)}, {self.make('string', 1)})"

    def task(self) -> None:
        """Processes and tasks with the calls of functions; awaited in another order, some of them twice."""
        choose, names = self.choose, [self.fresh("T") for _ in range(self.choose.between(1, 3))]
        for name in names:
            call = self._call()
            written = choose.of((f"SPAWN {call}", f"TASK(fn() => {call})", f"TASK({call.replace('(', ', ', 1)}"))
            if self.async_tasks and choose.chance(25):
                written = f"{choose.of(self.async_tasks)}({self.make('int', 1)})"
            self.line(f"LET {name} SET {written}")
        if choose.chance(30):
            self.line(f"TIMEOUT {names[0]} 9000")
        for name in choose.shuffled(names):
            self.note(f"AWAIT {name}")
        self.note(f"PING {names[0]}")
        self.line(f"ESC {names[0]}")
        self.note(f"AWAIT {names[0]}")

    def list_of_tasks(self) -> None:
        """AWAIT of a list gives the results as they come; of several errors it would raise the first to come."""
        number = self.fresh("T")
        calls = [f"TASK(fn() => ATTEMPT(fn(N: int) => {self._call()}))" for _ in range(self.choose.between(1, 4))]
        self.line(f"LET {number} SET AWAIT [{', '.join(calls)}]")
        self.note(f"SORT({number})")

    def task_of_function(self) -> None:
        """A function value with what it captured, run in another process; here and there it changes on its own."""
        choose, type_ = self.choose, self.any_type()
        if "fn(" in type_ or "BOX" in type_:
            type_ = "LIST<int>"
        kept, made, task = self.fresh("V"), self.fresh("L"), self.fresh("T")
        self.line(f"LET {kept}: {type_} SET {self.make(type_, 2)}")
        self.declare(kept, type_)
        self.scopes[-1][-1].captured = True
        self.line(f"LET {made} SET fn(X{made}: int):")
        self.indent += 1
        self.repeatable(lambda: self.in_other_process(self.change))
        self.line(f"RETURN {kept}")
        self.indent -= 1
        self.line(f"LET {task} SET {choose.of((f'TASK({made}, 3)', f'TASK(fn() => {made}(4))', f'SPAWN {made}(5)'))}")
        self.repeatable(self.change)
        self.note(kept)
        self.note(f"AWAIT {task}")
        self.note(kept)
        self.note(f"{made}(1)")

    def in_other_process(self, work: Callable[[], None]) -> None:
        """Code of another process: it does not print."""
        at = len(self.lines)
        work()
        self.lines[at:] = [line.replace("PRINTLN(", "QUIET(") for line in self.lines[at:]]

    # ---- channels ---------------------------------------------------------------------------------------------------

    def _channel(self, type_: str) -> str:
        return self.choose.of(
            (
                f"CHANNEL<{type_}>()",
                f"MAKE_CHANNEL<{type_}>(CAPACITY {self.choose.between(0, 2)})",
                f"MAKE_CHANNEL<{type_}>(UNBOUNDED)",
            )
        )

    def channel(self) -> None:
        """Values sent by a process, received in order while the sender's own list changes."""
        choose, type_ = self.choose, self.member()
        name, got, values = self.fresh("C"), self.fresh("R"), self.fresh("V")
        self.line(f"LET {values}: {list_of(type_)} SET CUT({self.make(list_of(type_), 2)})")
        self.declare(values, list_of(type_))
        self.line(f"LET {name} SET {self._channel(type_)}")
        self.text(f"SPAWN fn():\n    LOOP {got} IN {values}: SEND {got} TO {name}\n    CLOSE {name}")
        self.change()
        if choose.chance(60):
            self.text(f"LOOP R{got} IN {name}:\n    PRINTLN(R{got})")
        elif choose.chance(50):
            self.text(f"LOOP I{got} FROM 1 TO LEN({values}):\n    PRINTLN(RECV_TIMEOUT({name}, 9))")
        else:
            self.text(
                f"TRY:\n    LOOP I{got} FROM 1 TO 9:\n        SELECT:\n"
                f"            CASE S{got} FROM {name}: PRINTLN(S{got})\n"
                f'            CASE TIMEOUT 9: PRINTLN("late")\nCATCH E3001:\n    PRINTLN("closed {name}")'
            )

    def select(self) -> None:
        """Two senders; each value counts once, whoever comes first."""
        one, two, got = self.fresh("C"), self.fresh("C"), self.fresh("R")
        count = self.choose.between(1, 4)
        self.text(
            f"LET {one} SET {self._channel('int')}\nLET {two} SET {self._channel('string')}\n"
            f"SPAWN fn():\n    LOOP I{got} FROM 1 TO {count}: SEND I{got} TO {one}\n"
            f'SPAWN fn():\n    LOOP I{got} FROM 1 TO {count}: SEND "s" ADD I{got} TO {two}\n'
            f"LET {got} SET 0\nLET S{got} SET LIST<string> []\nLOOP J{got} FROM 1 TO {2 * count}:\n    SELECT:\n"
            f"        CASE X{got} FROM {one}: {got} SETADD X{got}\n"
            f"        CASE Y{got} FROM {two}: PUSH S{got}, Y{got}\n"
            f"        CASE TIMEOUT 9: THROW {self.choose.of(('1', 'LIST<int> [1]'))}"
        )
        self.note(got)
        self.note(f"S{got}")
        self.declare(got, "int")
        self.declare(f"S{got}", "LIST<string>")

    def without_waiting(self) -> None:
        """TRY_SEND, TRY_RECV, SELECT with OTHERWISE, closed channels, on a channel of one's own."""
        choose, type_ = self.choose, self.member()
        name, got = self.fresh("C"), self.fresh("R")
        self.line(f"LET {name} SET MAKE_CHANNEL<{type_}>(CAPACITY {choose.between(1, 3)})")
        actions: list[Callable[[], None]] = [
            lambda: self.note(f"TRY_SEND({name}, {self.make(type_, 1)})"),
            lambda: self.note(f"TRY_RECV({name})"),
            lambda: self.text(
                f"SELECT:\n    CASE {got} FROM {name}: PRINTLN({got})\n"
                f'    {choose.of(("OTHERWISE", "CASE TIMEOUT 0.001"))}: PRINTLN("empty")'
            ),
            lambda: self.text(
                f'SELECT:\n    CASE SEND {self.make(type_, 1)} TO {name}: PRINTLN("sent")\n'
                f'    OTHERWISE: PRINTLN("full")'
            ),
            lambda: self.line(f"CLOSE {name}"),
            lambda: self.note(f"RECV_TIMEOUT({name}, 0.001)"),
        ]
        choose.repeat(2, 6, lambda: self._one_of(actions))
        if choose.chance(30):
            self.note(name)

    def _one_of(self, actions: Sequence[Callable[[], None]]) -> None:
        self.choose.of(actions)()

    def server(self) -> None:
        """Requests that carry the channel for their answer, or a function to be applied."""
        name, reply, got, type_ = self.fresh("C"), self.fresh("C"), self.fresh("R"), self.member()
        work = self.choose.of((f"{got}.A ADD 1", f"{got}.F({got}.A)"))
        function = self.lambda_of(("X", "int"), result="int")
        values = [self.make(type_, 1) for _ in range(self.choose.between(1, 3))]
        request = f"{{ A: int, F: fn(int): int, B: {type_}, C: CHANNEL<any> }}"
        self.text(
            f"LET {name} SET {self._channel(request)}\nLET {reply} SET CHANNEL<any>()\n"
            f"LET T{name} SET SPAWN fn():\n    LOOP {got} IN {name}:\n        TRY:\n"
            f"            SEND {work} TO {got}.C\n"
            f"            SEND {got}.B TO {got}.C\n        CATCH X{got}:\n            SEND X{got} TO {got}.C\n"
            f"            SEND {got}.A TO {got}.C"
        )
        for number, value in enumerate(values):
            self.line(f"SEND {{ A: {number}, F: {function}, B: {value}, C: {reply} }} TO {name}")
            self.note(f"RECV {reply}")
            self.note(f"RECV {reply}")
        self.text(f"CLOSE {name}\nAWAIT T{name}\nPRINTLN(PING T{name})")

    # ---- the end of processes ---------------------------------------------------------------------------------------

    def cancel(self) -> None:
        """ESC of a process that waits, or computes for ever, with values alive, after it said that it has begun."""
        choose, name, begun, type_ = self.choose, self.fresh("T"), self.fresh("C"), self.any_type()
        held, got = self.fresh("V"), self.fresh("R")
        forever = choose.of(
            (
                f"RECV {begun}2",
                f"LOOP: {got} SET ({got} ADD 1) MOD 1000",
                "SLEEP(100)",
                f"LOOP: PUSH CUT([{got}]), 3",
                f"LOOP Q{got} IN {begun}2: PRINTLN(Q{got})",
                f"AWAIT TASK(fn() => RECV {begun}2)",
                f"SELECT:\n    CASE Q{got} FROM {begun}2: PRINTLN(Q{got})",
                f'SEND "x" TO {begun}3',
            )
        )
        value = self.make(type_, 2)
        self.text(
            f"LET {begun} SET CHANNEL<string>()\nLET {begun}2 SET CHANNEL<int>()\n"
            f"LET {begun}3 SET MAKE_CHANNEL<string>(CAPACITY 0)\nLET {held}: {type_} SET {value}\n"
            f'LET {name} SET SPAWN fn():\n    LET {got} SET 0\n    SEND "begun" TO {begun}\n    TRY:\n'
            f"{indent(forever, ' ' * 8)}\n{indent(self._when_cancelled(begun, held), ' ' * 4)}\n    RETURN 7"
        )
        self.declare(held, type_)
        self.scopes[-1][-1].captured = True
        self.note(f"RECV {begun}")
        self.note(f"PING {name}")
        self.line(choose.of((f"ESC {name}", f"TIMEOUT {name} {choose.of((0, 1, 5))}")))
        self.text(f"TRY:\n    PRINTLN(AWAIT {name})\nCATCH X{name}:\n    PRINTLN(X{name})")
        self.note(f"TRY_RECV({begun})")
        self.note(f"PING {name}")

    def _when_cancelled(self, channel: str, held: str) -> str:
        told = f'SEND "{self.fresh("at ")}" ADD {held} TO {channel}'
        return self.choose.of(
            (
                f"FINALLY:\n    {told}",
                f"CATCH E3005:\n    {told}",
                f'CATCH E3004:\n    {told}\nFINALLY:\n    TRY_SEND({channel}, "last")',
                "CATCH E1001:\n    RETURN 1",
            )
        )

    def timeout(self) -> None:
        """TIMEOUT of something that ends by itself, with a value or an error."""
        choose, name, type_ = self.choose, self.fresh("T"), self.any_type()
        if "fn(" in type_ or "BOX" in type_:
            type_ = "int"
        value = self.make(type_, 2)
        self.text(
            f"LET {name} SET SPAWN fn():\n    LET V{name}: {type_} SET {value}\n"
            f"    {choose.of(('SLEEP(0.001)', 'SLEEP(0)', 'RAISE E7003', 'THROW 5', f'PUSH [1], LEN([V{name}])'))}\n"
            f"    RETURN V{name}\nTIMEOUT {name} 9000\nPRINTLN(AWAIT AFTER(0.001, fn() => {self.make('int', 1)}))"
        )
        self.text(f"TRY:\n    PRINTLN(AWAIT {name})\nCATCH X{name}:\n    PRINTLN(X{name})")
        self.note(f"PING {name}")

    # ---- memory -----------------------------------------------------------------------------------------------------

    def circle(self) -> None:
        """A value that holds itself, here or in a process; only the collector of such values frees it."""
        if "LINK0" not in self.world.declared:
            self.let()
            return
        one, two = self.fresh("V"), self.fresh("V")
        self.text(
            f"LET {one} SET PRUNE_LINK0({self.make('LINK0', 1)}, 2)\nLET {two} SET CLONE {one}\n"
            f"{one}.NEXT SET SOME({self.choose.of((one, two))})\n{two}.NEXT SET SOME({one})\n"
            f"PRINTLN({one})\nPRINTLN({two}.EXTRA)"
        )
        if self.choose.chance(40):
            self.text(
                f"LET T{one} SET SPAWN fn():\n    {one}.EXTRA SETADD 1\n    RETURN {one}\n"
                f"LET R{one} SET AWAIT T{one}\nPRINTLN({one}.EXTRA)\nPRINTLN(R{one})"
            )

    # ---- module variables -------------------------------------------------------------------------------------------

    def shared_state(self) -> None:
        """Several processes change module variables; then the sum of it is looked at."""
        choose, tasks = self.choose, self.fresh("T")
        calls = [f"SPAWN BUMP({choose.between(1, 40)}, {number})" for number in range(choose.between(2, 4))]
        self.text(f"LET {tasks} SET [{', '.join(calls)}]\nLOOP T{tasks} IN {tasks}: AWAIT T{tasks}")
        for seen in ("TOTAL0", "TALLY0", "SORT(LOG0) PIPE CUT", "LEN(LOG0)", "SEEN0", "WORDS0", "LEN(TEXT0)"):
            self.note(seen)
