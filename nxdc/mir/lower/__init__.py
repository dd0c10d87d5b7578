"""From the typed core to MIR. `entry.lower_program` is the door; `instances` keeps the whole program, `functions`
lowers one function, the other files hold the handlers of the core's nodes by area, registered in `dispatch`.
"""
