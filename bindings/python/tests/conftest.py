"""What all tests share."""
import pathlib
import signal

from hypothesis import settings
from hypothesis.configuration import set_hypothesis_home_dir

set_hypothesis_home_dir(pathlib.Path(__file__).resolve().parents[3] / "build-python" / "hypothesis")
# The same cases in every run, and none that are kept from earlier ones.
settings.register_profile("libbmo", database=None, derandomize=True, deadline=None)
settings.load_profile("libbmo")

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs start without

collect_ignore = ["typed_use.py"]  # mypy reads it
