// What both SQL outboxes share: the name of their table.
import { UsageError } from "../../errors.js";
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,50}(\.[A-Za-z_][A-Za-z0-9_]{0,50})?$/;
/** The table of items, and the one-row table that says who sends from it. */
export function tables(name) {
    if (!NAME.test(name))
        throw new UsageError("OPTION_FORM", `\`table\` is a plain name, or schema.name: ${name}`);
    return { items: name, sender: `${name}_sender` };
}
