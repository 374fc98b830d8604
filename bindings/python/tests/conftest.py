"""What all tests share."""
from hypothesis import settings

# The same cases in every run, and no folder of those of earlier ones.
settings.register_profile("libbmo", database=None, derandomize=True, deadline=None)
settings.load_profile("libbmo")

collect_ignore = ["typed_use.py"]  # mypy reads it
