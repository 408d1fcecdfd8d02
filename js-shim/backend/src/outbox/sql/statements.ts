// What both SQL outboxes share: the name of their table.

import { UsageError } from "../../errors.ts";

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,50}(\.[A-Za-z_][A-Za-z0-9_]{0,50})?$/;

/** The table of items, and the one-row table that says who sends from it. */
export function tables(name: string): { items: string; sender: string } {
  if (!NAME.test(name)) throw new UsageError("OPTION_FORM", `\`table\` is a plain name, or schema.name: ${name}`);
  return { items: name, sender: `${name}_sender` };
}
