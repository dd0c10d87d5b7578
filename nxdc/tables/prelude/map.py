"""Prelude rows: maps."""

from __future__ import annotations

from nxdc.tables.model import Prelude, prelude

ROWS: tuple[Prelude, ...] = (
    prelude("LEN", "<K, V>(M: MAP<K, V>): int", inline="map_length",
            doc="The number of keys of M.",
            example='PRINTLN(LEN(MAP { "a": 1 }))', output="1"),
    prelude("GET", "<K, V>(M: MAP<K, V>, KEY: K): OPTION<V>", c="nxd_map_get_option", type_args=("OPTION<V>",),
            doc="SOME of the value of KEY in M, or NONE.",
            example='LET M SET MAP { "a": 1 }\nPRINTLN(GET(M, "a"))\nPRINTLN(GET(M, "b"))', output="SOME(1)\nNONE"),
    prelude("SET", "<K, V>(M: MAP<K, V>, KEY: K, VALUE: V): none", c="nxd_map_set", takes=("KEY", "VALUE"), changes=("M",),
            doc="Sets the value of KEY in M, as M[KEY] SET VALUE does.",
            example='LET M SET MAP { "a": 1 }\nSET(M, "b", 2)\nPRINTLN(M)', output='{ "a": 1, "b": 2 }'),
    prelude("HAS", "<K, V>(M: MAP<K, V>, KEY: K): bool", c="nxd_map_has",
            doc="Whether M has KEY.",
            example='PRINTLN(HAS(MAP { "a": 1 }, "a"))', output="true"),
    prelude("HAS", "(M: any, KEY: any): bool", c="nxd_any_has", raises=("E1001", "E5002"),
            doc="Whether the map that M holds has KEY.",
            example='LET M: any SET MAP { "a": 1 }\nPRINTLN(HAS(M, "a"))', output="true"),
    prelude("CONTAINS", "<K, V>(M: MAP<K, V>, KEY: K): bool", c="nxd_map_has",
            doc="Whether M has KEY.",
            example='PRINTLN(CONTAINS(MAP { "a": 1 }, "b"))', output="false"),
    prelude("REMOVE", "<K, V>(M: MAP<K, V>, KEY: K): bool", c="nxd_map_remove", changes=("M",),
            doc="Removes KEY from M; gives whether it was there.",
            example='LET M SET MAP { "a": 1 }\nPRINTLN(REMOVE(M, "a"))\nPRINTLN(LEN(M))', output="true\n0"),
    prelude("KEYS", "<K, V>(M: MAP<K, V>): LIST<K>", c="nxd_map_keys", type_args=("LIST<K>",),
            doc="A new list of the keys of M in the order they were first set.",
            example='PRINTLN(KEYS(MAP { "b": 1, "a": 2 }))', output='["b", "a"]'),
    prelude("KEYS", "(M: any): LIST<any>", c="nxd_any_keys", raises=("E1001",),
            doc="The keys of the map that M holds.",
            example='LET M: any SET MAP { "a": 1 }\nPRINTLN(KEYS(M))', output='["a"]'),
    prelude("VALUES", "<K, V>(M: MAP<K, V>): LIST<V>", c="nxd_map_values", type_args=("LIST<V>",),
            doc="A new list of the values of M in the order of its keys.",
            example='PRINTLN(VALUES(MAP { "b": 1, "a": 2 }))', output="[1, 2]"),
    prelude("VALUES", "(M: any): LIST<any>", c="nxd_any_values", raises=("E1001",),
            doc="The values of the map that M holds.",
            example='LET M: any SET MAP { "a": 1 }\nPRINTLN(VALUES(M))', output="[1]"),
)
