"""`python -m rtc` is the `rtc` command."""

from rtc.cli.app import main

if __name__ == "__main__":
    main()
