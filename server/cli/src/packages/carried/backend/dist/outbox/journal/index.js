// An outbox in a file: what was reported survives a crash of the process, and of the machine as far as its disk does.
import { open, readFile, rename } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { UsageError } from "../../errors.js";
import { utf8Bytes } from "../../item.js";
import { JOURNAL_BYTES_MAX, JOURNAL_COMPACT_BYTES } from "../../limits.js";
import { upTo } from "../outbox.js";
import { lock } from "./lock.js";
import { encode, ranges, scan } from "./record.js";
/**
 * Opens a journal. `report` resolves when its items are on the disk (fsync; reports at the same moment share one). What an
 * earlier process left is sent first. Throws `JOURNAL_LOCKED` and `JOURNAL_CORRUPT`; the end that a crash tore off is cut.
 */
export async function journalOutbox(options) {
    const path = resolve(options.path);
    const unlock = lock(`${path}.lock`);
    try {
        return await Journal.open(path, options.bytesMax ?? JOURNAL_BYTES_MAX, unlock);
    }
    catch (error) {
        unlock();
        throw error;
    }
}
class Journal {
    #path;
    #bytesMax;
    #unlock;
    #entries;
    #file;
    /** Bytes of whole records: where the next one begins. */
    #bytes;
    /** Bytes of the items that wait, to know when most of the file is settled. */
    #live = 0;
    #newest;
    #additions = [];
    #settled = [];
    #writing = null;
    #broken = null;
    constructor(path, bytesMax, unlock, file, bytes, entries, newest) {
        this.#path = path;
        this.#bytesMax = bytesMax;
        this.#unlock = unlock;
        this.#file = file;
        this.#bytes = bytes;
        this.#entries = entries;
        this.#newest = newest;
        for (const { text } of entries.values())
            this.#live += utf8Bytes(text);
    }
    static async open(path, bytesMax, unlock) {
        const text = await readFile(path).catch((error) => {
            if (error.code === "ENOENT")
                return null;
            throw error;
        });
        const { records, bytes, corruptAt } = scan(text ?? Buffer.alloc(0));
        if (corruptAt !== null) {
            throw new UsageError("JOURNAL_CORRUPT", `${path} is damaged at byte ${corruptAt}, with whole records after it; no crash does that.`);
        }
        const file = await open(path, text === null ? "wx+" : "r+", 0o600);
        try {
            // The torn end must be gone before anything is written behind it.
            if (text === null || text.length > bytes) {
                await file.truncate(bytes);
                await file.sync();
            }
            if (text === null)
                await syncFolder(path);
        }
        catch (error) {
            await file.close();
            throw error;
        }
        const { entries, newest } = replay(records);
        return new Journal(path, bytesMax, unlock, file, bytes, entries, newest);
    }
    add(items) {
        if (this.#broken !== null)
            return Promise.reject(this.#broken);
        return new Promise((done, failed) => {
            this.#additions.push({ items, done, failed });
            this.#write();
        });
    }
    async peek(limit) {
        return upTo(this.#entries.values(), limit, (entry) => utf8Bytes(entry.text));
    }
    async remove(entries) {
        if (this.#broken !== null)
            throw this.#broken;
        for (const { key } of entries) {
            this.#live -= utf8Bytes(this.#entries.get(key)?.text ?? "");
            this.#entries.delete(key);
            this.#settled.push(key);
        }
        // What is settled goes down with the next items: forgotten in a crash, it is sent again and is a duplicate. So nobody
        // waits for it, and a stream of reports can't hold up the sender.
        this.#write();
    }
    async last() {
        return this.#entries.size === 0 ? null : this.#newest;
    }
    async size() {
        return this.#entries.size;
    }
    async close() {
        while (this.#writing !== null)
            await this.#writing;
        if (this.#broken === null && this.#settled.length > 0)
            await this.#append([]).catch(() => { });
        this.#broken ??= new UsageError("CLOSED", "The journal is closed.");
        await this.#file.close();
        this.#unlock();
    }
    /** One writer at a time; whatever came together goes down together. */
    #write() {
        this.#writing ??= this.#work();
    }
    async #work() {
        await Promise.resolve();
        while (this.#additions.length > 0 || this.#shrinks()) {
            if (this.#shrinks())
                await this.#shrink();
            await this.#writeAdditions();
        }
        // At once with the last look at what there is to do, so that nothing which comes after it is overlooked.
        this.#writing = null;
    }
    async #writeAdditions() {
        const additions = this.#additions.splice(0);
        const taken = [];
        const fresh = [];
        let bytes = this.#bytes;
        for (const addition of additions) {
            const more = addition.items.reduce((sum, item) => sum + item.bytes, 0);
            if (bytes + more > this.#bytesMax) {
                addition.failed(new UsageError("OUTBOX_FULL", `The journal has ${this.#bytes} of ${this.#bytesMax} bytes and no room for ${more} more.`));
                continue;
            }
            bytes += more;
            taken.push(addition);
            for (const { text } of addition.items)
                fresh.push({ key: ++this.#newest, text });
        }
        if (fresh.length === 0)
            return taken.forEach(({ done }) => done());
        try {
            if (this.#broken !== null)
                throw this.#broken;
            await this.#append(fresh);
        }
        catch (error) {
            const failure = this.#broken ?? new UsageError("OUTBOX_FAILED", `The journal could not be written: ${String(error)}`, { cause: error });
            return taken.forEach(({ failed }) => failed(failure));
        }
        for (const entry of fresh) {
            this.#entries.set(entry.key, entry);
            this.#live += utf8Bytes(entry.text);
        }
        taken.forEach(({ done }) => done());
    }
    /** Writes a record at the end and makes it safe. Where that fails half-way (a full disk), the half is taken away again. */
    async #append(fresh) {
        const done = ranges(this.#settled.splice(0));
        const line = encode({ done, add: fresh.map(({ key, text }) => [key, text]) });
        try {
            await writeAll(this.#file, line, this.#bytes);
        }
        catch (error) {
            await this.#file.truncate(this.#bytes).catch((error) => this.#break(error));
            throw error;
        }
        await this.#file.datasync().catch((error) => this.#break(error));
        if (this.#broken !== null)
            throw this.#broken;
        this.#bytes += line.length;
    }
    /** Nothing is known of what is on the disk any more: only opening it anew tells. */
    #break(error) {
        this.#broken ??= new UsageError("OUTBOX_FAILED", `The journal is broken; restart to read it anew: ${String(error)}`, { cause: error });
    }
    /** Whether nothing waits, or most of a large file is settled. */
    #shrinks() {
        if (this.#broken !== null || this.#settled.length === 0)
            return false;
        return this.#entries.size === 0 || (this.#bytes > JOURNAL_COMPACT_BYTES && this.#live < this.#bytes / 2);
    }
    /** Takes settled items out of the file. */
    async #shrink() {
        this.#settled = [];
        try {
            if (this.#entries.size > 0)
                await this.#rewrite();
            else {
                await this.#file.truncate(0);
                // Before anything is added: else a crash could leave new records behind old bytes.
                await this.#file.sync();
                this.#bytes = 0;
            }
        }
        catch (error) {
            this.#break(error);
        }
    }
    async #rewrite() {
        const fresh = `${this.#path}.new`;
        const file = await open(fresh, "w+", 0o600);
        const line = encode({ done: [], add: [...this.#entries.values()].map(({ key, text }) => [key, text]) });
        await writeAll(file, line, 0);
        await file.sync();
        await rename(fresh, this.#path);
        await syncFolder(this.#path);
        await this.#file.close();
        this.#file = file;
        this.#bytes = line.length;
    }
}
function replay(records) {
    const entries = new Map();
    let newest = 0;
    for (const { done, add } of records) {
        for (const [from, to] of done)
            for (let key = from; key <= to; key++)
                entries.delete(key);
        for (const [key, text] of add) {
            entries.set(key, { key, text });
            newest = Math.max(newest, key);
        }
    }
    return { entries, newest };
}
async function writeAll(file, bytes, position) {
    let written = 0;
    while (written < bytes.length) {
        written += (await file.write(bytes, written, bytes.length - written, position + written)).bytesWritten;
    }
}
/** A new name is safe only when its folder is. */
async function syncFolder(path) {
    const folder = await open(dirname(path), "r");
    try {
        await folder.sync();
    }
    finally {
        await folder.close();
    }
}
