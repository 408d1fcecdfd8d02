// Runs one case of a compiled fixture in a process of its own and prints what came of it as one line of JSON.
// Arguments: the module's address, the case ("default": the module's default export), "throw" or "record".

import { readRegistry, recordInsteadOfThrow } from "@svc/product/registry";

const [address, name, mode] = process.argv.slice(2) as [string, string, string];
if (mode === "record") recordInsteadOfThrow();
let outcome: object;
try {
  const module = await import(address);
  const value = name === "default" ? module.default : module.cases[name]();
  outcome = { text: typeof value === "string" ? value : readRegistry(value) };
} catch (error) {
  const { name, code, path, message } = error as Record<string, unknown>;
  outcome = { error: { name, code, path, message } };
}
process.stdout.write(JSON.stringify(outcome));
