"""Runs a command and expects an exit code: exit_code.py CODE COMMAND.."""

import subprocess
import sys

done = subprocess.run(sys.argv[2:], capture_output=True, check=False)
if done.returncode != int(sys.argv[1]):
    sys.stderr.write(f"exit code {done.returncode}, expected {sys.argv[1]}\n{done.stderr.decode()}")
    sys.exit(1)
