"""Runs ninja and shows "step k of n" on one line, counted over all runs, not only this one.

ninja counts what is left to do in the run at hand. The count of the first run is kept in a file; a later run, which
has less left, starts at the difference.
"""

import argparse
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

STATUS = re.compile(r"^@(\d+)/(\d+)@ (.*)$")
# Without a terminal, one line for so many steps.
PLAIN_EVERY_STEPS = 50
SECONDS_PER_MINUTE = 60
FAILURE_LINES_SHOWN = 60


def arguments():
    """Reads the command line; what stands after `--` is the ninja command."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--total-file", type=pathlib.Path, required=True)
    parser.add_argument("--log", type=pathlib.Path, required=True)
    parser.add_argument("command", nargs="+")
    return parser.parse_args()


def steps_before(total_file, left):
    """Says how many steps earlier runs did, given what this run has left; the first run writes the total down."""
    try:
        total = int(total_file.read_text())
    except (FileNotFoundError, ValueError):
        total = 0
    if total < left:
        total_file.write_text(f"{left}\n")
        return 0
    return total - left


def show(done, total, started, last):
    """Shows one step: over the same line on a terminal, now and then otherwise."""
    minutes = (time.monotonic() - started) / SECONDS_PER_MINUTE
    text = f"step {done} of {total} ({minutes:.0f} min in this run)"
    if sys.stdout.isatty():
        print(f"\r{text}\x1b[K", end="\n" if last else "", flush=True)
    elif last or done % PLAIN_EVERY_STEPS == 0:
        print(text, flush=True)


def interrupt(_number, _frame):
    """Treats a request to end as Ctrl-C is treated."""
    raise KeyboardInterrupt


def main():
    """Passes ninja's exit code on, and shows the end of its output when it failed."""
    options = arguments()
    signal.signal(signal.SIGTERM, interrupt)
    env = dict(os.environ, NINJA_STATUS="@%f/%t@ ")
    started = time.monotonic()
    before = None
    failed = []
    with options.log.open("a") as log, subprocess.Popen(
        options.command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as ninja:
        try:
            for line in ninja.stdout:
                log.write(line)
                status = STATUS.match(line)
                if status is None:
                    if failed or line.startswith(("FAILED:", "ninja: error:", "ninja: fatal:")):
                        failed.append(line)
                    continue
                if "Regenerating ninja files" in status[3]:
                    continue
                done, left = int(status[1]), int(status[2])
                if before is None:
                    before = steps_before(options.total_file, left)
                    if before:
                        print(f"{before} steps were done before", flush=True)
                show(before + done, before + left, started, done == left)
        except KeyboardInterrupt:
            # ninja removes half-written files before it ends; a second request must not cut that short.
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            ninja.terminate()
            ninja.wait()
            print("\nstopped; the next run goes on from here", file=sys.stderr)
            return 130
    if ninja.returncode != 0:
        print("\n" + "".join(failed[:FAILURE_LINES_SHOWN]), file=sys.stderr)
        print(f"ninja failed ({ninja.returncode}); all its output: {options.log}", file=sys.stderr)
    return ninja.returncode if ninja.returncode >= 0 else 1


if __name__ == "__main__":
    sys.exit(main())
