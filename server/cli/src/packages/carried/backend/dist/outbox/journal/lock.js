// One writer a journal: a file beside it that names the process which has it open.
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { UsageError } from "../../errors.js";
/** Takes the lock, also from a process that is gone. Returns what lets go of it. Throws `JOURNAL_LOCKED`. */
export function lock(path) {
    const mine = `${process.pid} ${startOf(process.pid) ?? "-"}\n`;
    for (let attempt = 0; attempt < 3; attempt++) {
        if (created(path, mine))
            return () => rmSync(path, { force: true });
        const holder = read(path);
        if (holder === null)
            continue;
        if (lives(holder))
            break;
        // Moved aside under a name of our own; had another starter been quicker, it is its lock that moved, and it goes back.
        const aside = `${path}.${process.pid}`;
        try {
            renameSync(path, aside);
        }
        catch {
            continue;
        }
        const moved = read(aside);
        if (moved !== holder)
            restore(aside, path);
        rmSync(aside, { force: true });
    }
    throw new UsageError("JOURNAL_LOCKED", `The journal is open elsewhere: ${path} names process ${read(path)?.split(" ")[0] ?? "?"}.`);
}
function created(path, text) {
    try {
        writeFileSync(path, text, { flag: "wx" });
        return true;
    }
    catch (error) {
        if (error.code === "EEXIST")
            return false;
        throw error;
    }
}
function restore(aside, path) {
    try {
        linkSync(aside, path);
    }
    catch {
        // A third has it by now.
    }
}
function read(path) {
    try {
        return readFileSync(path, "utf8");
    }
    catch {
        return null;
    }
}
/** Whether the process that wrote this is still there. A text that was cut off by a crash names nobody. */
function lives(holder) {
    const [, pid, start] = /^(\d+) (\S+)\n$/.exec(holder) ?? [];
    if (pid === undefined)
        return false;
    const now = startOf(Number(pid));
    // Where the system says when a process began, a number that was given out again is seen.
    if (now !== null && start !== "-")
        return now === start;
    if (Number(pid) === process.pid)
        return true;
    try {
        process.kill(Number(pid), 0);
        return true;
    }
    catch (error) {
        return error.code === "EPERM";
    }
}
/** When a process began, in the kernel's ticks since it booted; null where the system does not say, or there is no such process. */
function startOf(pid) {
    const stat = read(`/proc/${pid}/stat`);
    return stat === null ? null : (stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null);
}
