"""Giving a source whose indentation was lost its layout back. `entry` has the function others call.

For each line of the file the search (`search`) considers all blocks that it could stand in. What the language forbids
(a CASE outside a MATCH, a name used outside its block, a line behind RETURN, a function that ends without its value)
and what authors do not do (a loop that goes on for long without its variable ...) has a price (`prices`); the layout
with the lowest sum is taken. Where another one would have cost hardly more the choice was a guess, and a note says so
(`guesses`). All states that the search has kept are still there then, with all ways between them, so that what the best
layout with another answer would have cost is found in one walk back; `bounds` has what keeps their number small. Which
functions are methods does not depend on the rest of the layout (`methods`).
"""
