"""Entry of the command `nxdc` and of `python -m nxdc`."""

import sys


def main() -> None:
    """Run the command line and end the process with its status."""
    if sys.argv[1:] == ["--version"]:  # asked by editors and scripts at every start: answered without click
        from nxdc import __version__

        sys.stdout.write(f"nxdc {__version__}\n")
        sys.exit(0)
    from nxdc.cli.app import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
