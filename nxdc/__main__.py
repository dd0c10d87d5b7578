"""Entry of the command `nxdc` and of `python -m nxdc`."""

import contextlib
import sys


def main() -> None:
    """Run the command line and end the process with its status."""
    if sys.argv[1:] == ["--version"] and sys.stdout is not None:
        # Asked by editors and scripts at every start: answered without click, unless the answer cannot be written.
        from nxdc import __version__

        with contextlib.suppress(OSError):
            sys.stdout.write(f"nxdc {__version__}\n")
            sys.stdout.flush()
            sys.exit(0)
    try:
        from nxdc.cli.app import run
    except ModuleNotFoundError as error:
        if error.name != "click":
            raise
        from nxdc.problem import not_installed

        problem = not_installed("click")
        sys.stderr.write(f"error: {problem.message}\nhelp: {problem.hint}\n")
        sys.exit(2)
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
