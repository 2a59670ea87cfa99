"""`python -m paraanno` is `paraanno`."""

from paraanno.running.command import main

if __name__ == "__main__":
    main()
