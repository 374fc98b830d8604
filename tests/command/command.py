"""Runs the bmo command that the first argument of the test program names."""
import os
import subprocess
import sys

BMO = os.path.abspath(sys.argv[1])


class Result:
    def __init__(self, completed):
        self.code = completed.returncode
        self.out = completed.stdout.decode()
        self.err = completed.stderr.decode()


def bmo(*words, code=0, env=None, **options):
    """What the command does with these words; it must end with this code."""
    environment = {**os.environ, **(env or {})}
    arguments = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    completed = subprocess.run([BMO, *map(str, words)], env=environment, check=False, timeout=120, **arguments)
    completed.stdout = completed.stdout or b""
    result = Result(completed)
    if result.code != code:
        raise AssertionError(f"bmo {words}: code {result.code}, expected {code}; {result.err}")
    return result


def refusal(*words, code, **options):
    """The one line that the command says when it fails with this code."""
    result = bmo(*words, code=code, **options)
    lines = result.err.splitlines()
    if len(lines) != 1 or not lines[0].startswith("bmo: ") or not result.err.endswith("\n"):
        raise AssertionError(f"bmo {words}: expected one line of error, found {result.err!r}")
    return lines[0]
