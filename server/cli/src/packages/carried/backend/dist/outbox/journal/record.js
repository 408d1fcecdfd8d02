// The journal's text: one record a line, `<crc32 of the JSON, hex> <JSON>\n`. A record is what one write put down: it is
// there whole or not at all. Pure.
export function encode(record) {
    const json = Buffer.from(JSON.stringify(record));
    return Buffer.concat([Buffer.from(`${hex(crc32(json))} `), json, Buffer.from("\n")]);
}
/** Reads a journal. Only its last record can be torn: each write was made safe before the next. */
export function scan(file) {
    const records = [];
    let at = 0;
    let bad = null;
    while (at < file.length) {
        const end = file.indexOf(0x0a, at);
        const record = end < 0 ? null : decode(file.subarray(at, end));
        if (record === null)
            bad ??= at;
        else if (bad !== null)
            return { records, bytes: bad, corruptAt: bad };
        else
            records.push(record);
        at = end < 0 ? file.length : end + 1;
    }
    return { records, bytes: bad ?? file.length, corruptAt: null };
}
/** Neighbouring keys as ranges. */
export function ranges(keys) {
    const found = [];
    for (const key of [...keys].sort((a, b) => a - b)) {
        const last = found.at(-1);
        if (last !== undefined && key <= last[1] + 1)
            last[1] = key;
        else
            found.push([key, key]);
    }
    return found;
}
function decode(line) {
    if (line[8] !== 0x20)
        return null;
    const json = line.subarray(9);
    if (line.toString("latin1", 0, 8) !== hex(crc32(json)))
        return null;
    return JSON.parse(json.toString());
}
const hex = (value) => value.toString(16).padStart(8, "0");
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit++)
        value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    return value >>> 0;
});
/** CRC-32 as in zip and PNG. */
export function crc32(bytes) {
    let value = 0xffffffff;
    for (const byte of bytes)
        value = TABLE[(value ^ byte) & 0xff] ^ (value >>> 8);
    return (value ^ 0xffffffff) >>> 0;
}
