// Runs cases of fixtures, compiled in one of three ways, and reads their registries.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";

/** TypeScript's legacy decorators; TypeScript's TC39 decorators; esbuild's TC39 decorators. */
export const DIALECTS = ["legacy", "tc39", "esbuild"] as const;
export type Dialect = (typeof DIALECTS)[number];
export type Mode = "throw" | "record";

export interface Failure {
  name: string;
  code: string;
  path: string;
  message: string;
}

export interface Registry {
  registryVersion: number;
  sdkVersion: string;
  className?: string;
  absent?: string;
  products: number;
  declarations?: { decorator: string; member: string | null; args: unknown[] }[];
  misuses: { decorator: string; member: string | null; reason: string }[];
}

export interface Outcome {
  text?: string;
  error?: Failure;
}

const child = new URL("./child.js", import.meta.url);

export function runModule(module: URL, name: string, mode: Mode): Outcome {
  const { status, stdout, stderr } = spawnSync(process.execPath, [child.pathname, module.href, name, mode], {
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as Outcome;
}

export function run(dialect: Dialect, fixture: string, name: string, mode: Mode): Outcome {
  return runModule(new URL(`../${dialect}/fixtures/${fixture}.js`, import.meta.url), name, mode);
}

export function registryOf(outcome: Outcome): Registry {
  assert.ok(outcome.text !== undefined, `no registry: ${JSON.stringify(outcome.error)}`);
  return JSON.parse(outcome.text) as Registry;
}
