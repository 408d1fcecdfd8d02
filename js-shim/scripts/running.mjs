// A program of this repository, started for a test and ended after it.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const built = fileURLToPath(new URL("../../target/debug/svc", import.meta.url));
export const binary = process.env.SVC_BIN ?? (existsSync(built) ? built : undefined);
export const skip = binary === undefined && "there is no svc: SVC_BIN names none, and target/debug/svc is not built";
export const operatorToken = "an-operator-token-of-the-examples-tests";

/** Starts a program; resolves with the URL in the first line of its output that has one. */
export async function start(context, command, args, { cwd, env }) {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const ended = new Promise((done) => child.on("close", done));
  context.after(async () => {
    try {
      process.kill(-child.pid, "SIGTERM"); // npm and what it has started
    } catch {} // it has ended by itself
    await ended;
  });
  let said = "";
  return new Promise((done, failed) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on("line", (line) => {
        said += `${line}\n`;
        const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
        if (url !== undefined) done({ url, said: () => said });
      });
    }
    ended.then(() => failed(new Error(`${command} ended:\n${said}`)));
  });
}
