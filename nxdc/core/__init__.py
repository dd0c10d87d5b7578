"""The typed core, what `check` gives to `mir`: its nodes (`tree.py`), a walk, and their text for `--emit core`."""
