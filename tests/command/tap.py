"""Cases of a test program as TAP: functions decorated with @case, run by main()."""
import sys
import tempfile
import traceback

CASES = []


class Skipped(Exception):
    pass


def case(function):
    """A test case. It gets a directory of its own."""
    CASES.append(function)
    return function


def skip(reason):
    raise Skipped(reason)


def equal(found, expected, what=""):
    if found != expected:
        raise AssertionError(f"{what}: found {found!r}, expected {expected!r}")


def run_case(number, function):
    name = function.__name__.replace("_", " ")
    with tempfile.TemporaryDirectory(prefix="bmo-test-") as directory:
        try:
            function(directory)
            print(f"ok {number} - {name}")
        except Skipped as reason:
            print(f"ok {number} - {name} # SKIP {reason}")
        except Exception:  # whatever goes wrong in one case, the others run
            print("".join(f"# {line}\n" for line in traceback.format_exc().splitlines()), end="")
            print(f"not ok {number} - {name}")


def main():
    print(f"1..{len(CASES)}")
    for number, function in enumerate(CASES, 1):
        run_case(number, function)
        sys.stdout.flush()
