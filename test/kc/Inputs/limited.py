"""Runs a command that may write small files only, in an empty directory, and prints what it leaves: limited.py DIR COMMAND.."""

import os
import resource
import shutil
import subprocess
import sys

folder = sys.argv[1]
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))
done = subprocess.run(sys.argv[2:], cwd=folder, capture_output=True, check=False)
print("exit code", done.returncode, "left", sorted(os.listdir(folder)))
print(done.stderr.decode().splitlines()[0])
