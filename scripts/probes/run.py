#!/usr/bin/env python3
"""Builds every probe of `tests/hostile` in many ways and compares how each ended, byte for byte.

A probe is a product that folds what it can observe into its manifest, so that whatever differs between two ways to build
shows in the manifest's hash. There are four kinds of ways:

- `build`: the program itself, as an author runs it. Its pool clears the worker's environment.
- `worker`: a worker started alone by this script, which speaks the frames of `runtime/src/frame.rs`. So a variable such as
  GLIBC_TUNABLES, a seed or a layout of memory reaches the very process that V8 runs in, past what the pool clears.
- `copy`: a worker that a zygote made, started by this script likewise.
- `server`: `svc serve` on the loopback, a build for each probe.

Exit status: 0 all alike, 1 something differs or ends otherwise than its file says, 2 the program can't be used.
"""

import argparse
import concurrent.futures
import contextlib
import dataclasses
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
ENTRY = "product/product.config.ts"
OPERATOR = "svc_operator_of_the_probes_0123456789abcdef"
NOBODY = ["setpriv", "--reuid=65533", "--regid=65533", "--clear-groups"]
NO_FMA = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX"}
# What a pool gives its workers, and nothing else.
WORKER_ENVIRONMENT = {"TZ": "UTC", "MALLOC_ARENA_MAX": "1"}
ELSEWHERE = {
    "TZ": "Asia/Tokyo",
    "LC_ALL": "tr_TR.UTF-8",
    "LANG": "sv_SE.UTF-8",
    "LANGUAGE": "tr",
    "HOME": "/nonexistent",
    "ICU_DATA": "/nonexistent",
    "MALLOC_PERTURB_": "165",
}
# The defaults of `runtime/src/job.rs`.
LIMITS = {
    "cpu_ms": 2_000,
    "wall_ms": 10_000,
    "heap_max_bytes": 64 << 20,
    "array_buffers_max_bytes": 16 << 20,
    "stack_max_bytes": 512 << 10,
    "registry_max_bytes": 1 << 20,
    "ir_max_bytes": 1 << 20,
    "sources": {"file_max_bytes": 1 << 20, "total_max_bytes": 8 << 20, "files_max": 256},
}
# How `runtime/src/pool.rs` names the ends of a worker that gave no answer.
EXITS = {81: "BUILD_OUT_OF_MEMORY", 82: "BUILD_STACK_OVERFLOW", 84: "BUILD_ENGINE_FATAL"}
SIGNALS = {
    signal.SIGXCPU: "BUILD_TIMEOUT",
    signal.SIGABRT: "BUILD_OUT_OF_MEMORY",
    signal.SIGTRAP: "BUILD_ENGINE_FATAL",
    signal.SIGILL: "BUILD_ENGINE_FATAL",
}
FAILURES = {
    "Timeout": "BUILD_TIMEOUT",
    "OutOfMemory": "BUILD_OUT_OF_MEMORY",
    "StackOverflow": "BUILD_STACK_OVERFLOW",
    "RegistryTooLarge": "BUILD_REGISTRY_TOO_LARGE",
    "IrTooLarge": "BUILD_IR_TOO_LARGE",
    "EngineFatal": "BUILD_ENGINE_FATAL",
    "Crashed": "BUILD_CRASHED",
}
ANSWER_MAX_SECONDS = 60
SHOWN_CHARS = 300


class Unusable(Exception):
    """The program, or a way to run it, can't be used at all; no probe's fault."""


@dataclasses.dataclass(frozen=True)
class Probe:
    """A product, and how its file says that it ends."""

    name: str
    sources: dict
    expectation: str

    def wanted(self):
        """The names of the ends that are right, or nothing where the file has marks of diagnostics."""
        ends = re.findall(r"^//= (.*)$", self.expectation, re.MULTILINE)
        if not ends:
            return {"BUILD_REJECTED"}
        return {"ok"} if ends[0].split(" ")[0] == "ok" else {name.strip() for name in ends[0].split("|")}


@dataclasses.dataclass(frozen=True)
class Outcome:
    """How a build ended. Two are the same when all but the IR's text is: the hash stands for that."""

    end: str
    ir_hash: str | None = None
    diagnostics: str = "[]"
    ir: str | None = dataclasses.field(default=None, compare=False)

    @classmethod
    def of(cls, end, diagnostics=(), ir_hash=None, ir=None):
        """An outcome, whoever tells it."""
        told = json.dumps(list(diagnostics), sort_keys=True, ensure_ascii=False)
        return cls(end, ir_hash, told, ir)

    def shown(self):
        """The outcome in one line."""
        return f"{self.end} {self.ir_hash or ''} {self.diagnostics}"[:SHOWN_CHARS]


# ---------------------------------------------------------------------------------------------------------- probes


def read_probe(path):
    """Reads a case as `tests/src/case.rs` does; nothing for what is no case."""
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.is_file())
        sources = {file.relative_to(path).as_posix(): read_text(file) for file in files}
        return Probe(path.name, sources, sources.get(ENTRY, ""))
    if path.name.endswith(".gen.json"):
        recipe = json.loads(read_text(path))
        sources = {
            name: "".join(assemble(part) for part in parts)
            for name, parts in recipe["files"].items()
        }
        expected = recipe["expect"]
        return Probe(
            path.name.removesuffix(".gen.json"), sources, expected if expected.startswith("//") else f"//= {expected}"
        )
    if path.suffix == ".ts":
        text = read_text(path)
        return Probe(path.stem, {ENTRY: text}, text)
    return None


def assemble(part):
    """A part of a recipe: a text, or one that is repeated, with the number of the time for `{#}`."""
    if "text" in part:
        return part["text"]
    return "".join(part["repeat"].replace("{#}", str(time)) for time in range(part["times"]))


def read_text(path):
    """A file's text with its line ends as they are."""
    return path.read_bytes().decode("utf-8")


def read_probes(folder, pattern):
    """The probes whose names match, in order."""
    found = [read_probe(path) for path in sorted(folder.iterdir()) if re.match(pattern, path.name)]
    return [probe for probe in found if probe]


# ------------------------------------------------------------------------------------------------------------ ways


@dataclasses.dataclass(frozen=True)
class Around:
    """What stands around a process: variables, words in front of its command, a shell's limits, a folder."""

    environment: dict = dataclasses.field(default_factory=dict)
    prefix: tuple = ()
    limits: str = ""
    folder: str = "/"

    def command(self, words):
        """The command with all that stands in front of it."""
        words = [*self.prefix, *words]
        return ["bash", "-c", f'{self.limits}; exec "$@"', "bash", *words] if self.limits else words


class Build:
    """`svc build` of a folder, one for each probe."""

    def __init__(self, program, around=Around(), arguments=()):
        self.program, self.around, self.arguments = program, around, arguments

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def build(self, probe):
        """Writes the probe's files, builds them, and reads what was said and written."""
        with tempfile.TemporaryDirectory(prefix="probe-") as name:
            folder = pathlib.Path(name)
            for path, text in probe.sources.items():
                file = folder / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(text.encode("utf-8"))
            # Another user reads and writes here.
            for path in [folder, *folder.rglob("*")]:
                path.chmod(0o777 if path.is_dir() else 0o644)
            words = [self.program, "build", name, "--format", "json", *self.arguments]
            run = subprocess.run(
                self.around.command(words),
                env={"PATH": os.environ["PATH"], **self.around.environment},
                cwd=self.around.folder,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=ANSWER_MAX_SECONDS,
                check=False,
            )
            try:
                answer = json.loads(run.stdout)
            except ValueError:
                return Outcome.of(f"no answer: {run.returncode} {run.stdout[:80]} {run.stderr[:200]}")
            if not answer["ok"]:
                return Outcome.of(answer["error"]["code"], answer["diagnostics"])
            written = json.loads((folder / "product-build.json").read_bytes())
            ir = json.dumps(written["ir"], ensure_ascii=False)
            return Outcome.of("ok", answer["data"]["diagnostics"], answer["data"]["irHash"], ir)


class Frames:
    """One end of a worker's socket: a length in four bytes, least first, then JSON."""

    def __init__(self, end):
        end.settimeout(ANSWER_MAX_SECONDS)
        self.socket, self.file = end, end.makefile("rb")

    def send(self, message):
        """Sends one message."""
        body = json.dumps(message).encode("utf-8")
        self.socket.sendall(struct.pack("<I", len(body)) + body)

    def receive(self):
        """The next message; nothing when the other end is gone."""
        try:
            header = self.file.read(4)
            if len(header) < 4:
                return None
            (length,) = struct.unpack("<I", header)
            body = self.file.read(length)
        except ConnectionError:
            return None
        return json.loads(body) if len(body) == length else None

    def ready(self):
        """Waits until the process says that it is ready."""
        message = self.receive()
        if not isinstance(message, dict) or "Ready" not in message:
            raise Unusable(f"a worker did not get ready: {message}")

    def close(self):
        """Closes the socket: whoever waits at its other end leaves."""
        self.file.close()
        self.socket.close()


def run_job(frames, probe, end_of):
    """Hands a ready worker its job. `end_of` waits for its end and tells the status, negative for a signal."""
    frames.send({"Run": {"sources": probe.sources, "stage": "Manifest"}})
    began = frames.receive()
    message = frames.receive() if began == "Started" else None
    frames.close()
    status = end_of()
    if message is None:
        name = EXITS.get(status) if status >= 0 else SIGNALS.get(signal.Signals(-status))
        return Outcome.of(name or f"BUILD_CRASHED ({status})")
    done = message["Done"]
    if "built" in done:
        ir = done["built"]["ir"]
        ir_hash = "sha256:" + hashlib.sha256(ir.encode("utf-8")).hexdigest()
        return Outcome.of("ok", done["built"]["diagnostics"], ir_hash, ir)
    if "rejected" in done:
        return Outcome.of("BUILD_REJECTED", done["rejected"])
    return Outcome.of(FAILURES[done["failed"]])


class Worker:
    """A worker started alone for each probe."""

    def __init__(self, program, around=Around(), seed=None):
        self.program, self.around, self.seed = program, around, seed

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def start(self, zygote=False):
        """Starts a process with a socket as its standard input and output."""
        ours, theirs = socket.socketpair()
        config = {"limits": LIMITS, "seed": self.seed, "unsandboxed": False, "zygote": zygote}
        with theirs:
            process = subprocess.Popen(
                self.around.command([self.program, "__worker", json.dumps(config)]),
                env={**WORKER_ENVIRONMENT, **self.around.environment},
                cwd="/",
                stdin=theirs,
                stdout=theirs,
                stderr=subprocess.DEVNULL,
                process_group=0,
            )
        return process, Frames(ours)

    def build(self, probe):
        """Builds in a fresh process."""
        process, frames = self.start()
        frames.ready()
        return run_job(frames, probe, lambda: process.wait(ANSWER_MAX_SECONDS))


class Copy(Worker):
    """Workers that one zygote makes. They are children of this process, not the zygote's."""

    def __enter__(self):
        self.zygote, self.control = self.start(zygote=True)
        self.control.ready()
        self.lock = threading.Lock()
        return self

    def __exit__(self, *_):
        self.control.close()
        self.zygote.wait(ANSWER_MAX_SECONDS)

    def build(self, probe):
        """Builds in a fresh copy."""
        with self.lock:
            ours, theirs = socket.socketpair()
            with theirs:
                socket.send_fds(self.control.socket, [b"\0"], [theirs.fileno()])
            forked = self.control.receive()
            frames = Frames(ours)
            frames.ready()
        pid = forked["Forked"]
        return run_job(frames, probe, lambda: os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))


class Server:
    """`svc serve`, and a business on it."""

    def __init__(self, program, around=Around()):
        self.program, self.around = program, around

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="probes-server-")
        os.chmod(self.folder, 0o777)
        words = [self.program, "serve", "--listen", "127.0.0.1:0", "--data", f"{self.folder}/svc.db"]
        self.process = subprocess.Popen(
            self.around.command(words),
            env={"PATH": os.environ["PATH"], "SVC_OPERATOR_TOKEN": OPERATOR, **self.around.environment},
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        said = []
        for line in self.process.stderr:
            said.append(line)
            if line.startswith("listening on "):
                break
        else:
            raise Unusable(f"the server does not start: {''.join(said)}")
        self.base = said[-1].removeprefix("listening on ").strip()
        # Someone must read on, or the server would wait with its log.
        threading.Thread(target=lambda: [None for _ in self.process.stderr], daemon=True).start()
        _, made = self.ask("/v1/businesses", {"name": "Probes"})
        self.builds = f"/v1/businesses/{made['businessId']}/builds"
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(ANSWER_MAX_SECONDS)
        shutil.rmtree(self.folder)

    def ask(self, path, body):
        """Sends JSON, and answers the status with the body."""
        request = urllib.request.Request(
            self.base + path,
            json.dumps(body).encode("utf-8"),
            {"authorization": f"Bearer {OPERATOR}", "content-type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=ANSWER_MAX_SECONDS) as response:
                return response.status, json.load(response)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)

    def build(self, probe):
        """Has the server build it."""
        status, answer = self.ask(self.builds, {"files": probe.sources})
        if status == 201:
            return Outcome.of("ok", answer["diagnostics"], answer["irHash"])
        return Outcome.of(answer.get("code", str(status)), answer.get("diagnostics", []))


@contextlib.contextmanager
def load(loops, seconds):
    """Keeps processors busy for as long as this is open, and never longer than so many seconds."""
    spin = f"import time\nend = time.monotonic() + {seconds}\nwhile time.monotonic() < end: pass"
    busy = [subprocess.Popen([sys.executable, "-c", spin]) for _ in range(loops)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


@dataclasses.dataclass(frozen=True)
class Mode:
    """A way to build all probes."""

    name: str
    way: object
    loops: int = 0
    passes: int = 1


def modes(program, seeds, loops):
    """Every mode that this machine has; the first is what the others are compared with."""
    elsewhere = Around(environment=ELSEWHERE, folder=tempfile.gettempdir())
    small, unlimited = Around(limits="ulimit -Hs 256; ulimit -Ss 256"), Around(limits="ulimit -s unlimited")
    large = Around(environment={"FILLED": "x" * 100_000})
    yield Mode("build", Build(program))
    yield Mode("build again", Build(program))
    yield Mode("build, other zone, locale, home, folder, malloc", Build(program, elsewhere))
    for seed in seeds:
        yield Mode(f"build --v8-seed {seed}", Build(program, arguments=("--v8-seed", str(seed))))
    yield Mode("build under load", Build(program), loops)
    yield Mode("build, ulimit -s 256", Build(program, small))
    yield Mode("build, ulimit -s unlimited", Build(program, unlimited))
    yield Mode("build, large environment", Build(program, large))
    yield Mode("worker", Worker(program))
    yield Mode("worker without FMA and AVX", Worker(program, Around(environment=NO_FMA)))
    yield Mode("worker, malloc perturbed", Worker(program, Around(environment={"MALLOC_PERTURB_": "165"})))
    many_arenas = {"GLIBC_TUNABLES": "glibc.malloc.tcache_count=0:glibc.malloc.mmap_threshold=4096"}
    yield Mode("worker, malloc tuned", Worker(program, Around(environment=many_arenas)))
    for seed in seeds:
        yield Mode(f"worker, seed {seed}", Worker(program, seed=seed))
    if shutil.which("setarch"):
        yield Mode("worker, no random layout", Worker(program, Around(prefix=("setarch", "-R"))))
        yield Mode("worker, old layout", Worker(program, Around(prefix=("setarch", "-L"))))
    if shutil.which("taskset"):
        yield Mode("worker on one processor", Worker(program, Around(prefix=("taskset", "-c", "0"))))
    yield Mode("copy", Copy(program))
    yield Mode("copy, seed 77", Copy(program, seed=77))
    yield Mode("copy without FMA and AVX", Copy(program, Around(environment=NO_FMA)))
    yield Mode("copy, unlimited stack, under load", Copy(program, unlimited), loops)
    yield Mode("server, first", Server(program), passes=2)
    yield Mode("server, second, elsewhere", Server(program, Around(environment=ELSEWHERE)))
    yield Mode("server under load", Server(program), loops)
    # To become another user, one must be root.
    if os.geteuid() == 0 and shutil.which("setpriv"):
        nobody = Around(prefix=tuple(NOBODY))
        yield Mode("build as another user", Build(program, nobody))
        yield Mode("worker as another user", Worker(program, nobody))
        yield Mode("copy as another user", Copy(program, nobody))
        yield Mode("server as another user", Server(program, nobody), passes=2)


# --------------------------------------------------------------------------------------------------------- running


def run(mode, probes, jobs, load_seconds):
    """The outcomes of all probes in one mode, pass by pass."""
    with load(mode.loops, load_seconds), mode.way as way, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for _ in range(mode.passes):
            built = pool.map(way.build, probes)
            yield {probe.name: outcome for probe, outcome in zip(probes, built, strict=True)}


def first_difference(before, after):
    """Where two manifests begin to differ, with what stands around."""
    if before is None or after is None:
        return ""
    one, other = (json.dumps(json.loads(text), sort_keys=True, ensure_ascii=False) for text in (before, after))
    at = next((i for i, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
    begin = max(at - 60, 0)
    return f"\n      was {one[begin:at + 60]!r}\n      is  {other[begin:at + 60]!r}"


def arguments():
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "target/debug/svc", help="the binary `svc`")
    parser.add_argument("--cases", type=pathlib.Path, default=ROOT / "tests/hostile", help="the folder of the cases")
    parser.add_argument("--match", default="probe_", help="which cases: how their names begin, as a pattern")
    parser.add_argument("--modes", default="", help="only modes whose names match this pattern; the first is always run")
    parser.add_argument("--seeds", type=int, nargs="*", default=[1, 7, 65_537, 4_294_967_295], help="seeds of V8")
    parser.add_argument("--jobs", type=int, default=2, help="builds at once")
    parser.add_argument("--loops", type=int, default=6, help="busy loops of a load")
    parser.add_argument("--load-seconds", type=int, default=120, help="how long a load lasts at most")
    parser.add_argument("--rounds", type=int, default=1, help="how often everything is done")
    parser.add_argument("--save", type=pathlib.Path, help="a folder to write the manifests of the first mode to")
    return parser.parse_args()


def save(folder, outcomes):
    """Writes what the first mode came to, for people to look at."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, outcome in outcomes.items():
        (folder / f"{name}.json").write_text(outcome.ir or outcome.shown(), encoding="utf-8")


def main():
    """Runs all modes and prints a table of them. Returns the exit status."""
    options = arguments()
    probes = read_probes(options.cases, options.match)
    if not probes or not os.access(options.program, os.X_OK):
        print(f"no probes, or no program at {options.program}", file=sys.stderr)
        return 2
    program = str(options.program.resolve())
    first, wrong, differences = None, 0, 0
    print(f"{len(probes)} probes\n{'mode':<52} {'seconds':>7} {'differ':>6}")
    for _ in range(options.rounds):
        for mode in modes(program, options.seeds, options.loops):
            if first is not None and not re.search(options.modes, mode.name):
                continue
            began = time.monotonic()
            for count, outcomes in enumerate(run(mode, probes, options.jobs, options.load_seconds), 1):
                if first is None:
                    first = outcomes
                    if options.save:
                        save(options.save, outcomes)
                    unexpected = [probe for probe in probes if outcomes[probe.name].end not in probe.wanted()]
                    wrong = len(unexpected)
                    for probe in unexpected:
                        print(f"  {probe.name} ends otherwise than it says: {outcomes[probe.name].shown()}")
                changed = [name for name in outcomes if outcomes[name] != first[name]]
                differences += len(changed)
                name = mode.name if mode.passes == 1 else f"{mode.name}, pass {count}"
                print(f"{name:<52} {time.monotonic() - began:>7.1f} {len(changed):>6}", flush=True)
                for name in changed:
                    was, now = first[name], outcomes[name]
                    print(f"  {name}\n    was {was.shown()}\n    is  {now.shown()}{first_difference(was.ir, now.ir)}")
                began = time.monotonic()
    print(f"{differences} differences, {wrong} unexpected ends")
    return 1 if differences or wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Unusable as error:
        print(error, file=sys.stderr)
        sys.exit(2)
