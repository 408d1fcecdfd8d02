// Where items wait until the service has answered for them: what the sender asks of any such place.
/** Entries up to a limit, at least one where there is one. */
export function upTo(entries, limit, bytesOf) {
    const taken = [];
    let bytes = 0;
    for (const entry of entries) {
        bytes += bytesOf(entry);
        if (taken.length > 0 && (taken.length >= limit.items || bytes > limit.bytes))
            break;
        taken.push(entry);
    }
    return taken;
}
