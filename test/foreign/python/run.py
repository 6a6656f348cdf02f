"""Runs a program of the official Python client on another server: run.py <sdk/python> <program> <server>

The client would install the Codex of its own release. The two modules that do so are replaced here.
"""

import runpy
import sys
import types
from pathlib import Path

sdk, program, server = sys.argv[1:]


def replace(name, **members):
    module = types.ModuleType(name)
    module.__dict__.update(members)
    sys.modules[name] = module


replace("_runtime_setup", ensure_runtime_package_installed=lambda *_: "none")
replace("codex_cli_bin", bundled_codex_path=lambda: Path(server))
sys.path.insert(0, str(Path(sdk) / "src"))
runpy.run_path(program, run_name="__main__")
