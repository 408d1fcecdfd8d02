// A service of usage for tests: it keeps the rules that the real one documents (ids, conflicts, results in order), and can be
// told to answer badly.

import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Item {
  id: string;
  subject: string;
  meter?: string;
  units?: number | string;
  route?: string;
  hold?: string;
}

export interface Call {
  path: string;
  body: string;
  headers: IncomingMessage["headers"];
}

/** Answers a call itself and returns true, or leaves it to the service. */
export type Behaviour = (call: Call, response: ServerResponse, service: TestService) => boolean | Promise<boolean>;

export class TestService {
  /** Accepted items in the order of acceptance. */
  readonly accepted: Item[] = [];
  readonly calls: Call[] = [];
  readonly holds = new Map<string, { state: "open" | "settled" | "released" }>();
  /** Meters that are refused. */
  readonly unknownMeters = new Set<string>();
  behaviour: Behaviour = () => false;
  readonly #known = new Map<string, string>();
  #server: Server | undefined;
  url = "";

  async start(): Promise<this> {
    this.#server = createServer((request, response) => void this.#serve(request, response));
    await new Promise<void>((done) => this.#server?.listen(0, "127.0.0.1", done));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((done) => this.#server?.close(done));
  }

  /** What a batch comes to; admits what is new. */
  take(body: string): unknown[] {
    const { items } = JSON.parse(body) as { items: Item[] };
    assert.ok(items.length > 0 && items.length <= 1_000, `a batch of ${items.length}`);
    assert.ok(Buffer.byteLength(body) <= 1_048_576, `a body of ${Buffer.byteLength(body)} bytes`);
    return items.map((item, index) => {
      const key = JSON.stringify([item.subject, item.id]);
      const text = JSON.stringify({ ...item, hold: undefined });
      const before = this.#known.get(key);
      const refused = (code: string) => ({ status: "refused", id: item.id, index, code, message: `refused: ${code}` });
      if (before === text) return { status: "duplicate", id: item.id, charges: 1 };
      if (before !== undefined) return refused("ITEM_CONFLICT");
      if (this.unknownMeters.has(item.meter ?? "")) return refused("UNKNOWN_METER");
      if (item.hold !== undefined) {
        const hold = this.holds.get(item.hold);
        if (hold?.state !== "open") return refused("HOLD_NOT_OPEN");
        hold.state = "settled";
      }
      this.#known.set(key, text);
      this.accepted.push(item);
      return { status: "accepted", id: item.id, charges: 1 };
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return; // the caller was killed
    }
    const call = { path: request.url ?? "", body: Buffer.concat(chunks).toString(), headers: request.headers };
    this.calls.push(call);
    if (await this.behaviour(call, response, this)) return;
    const { path } = call;
    if (path.endsWith("/usage")) return answer(response, 200, { results: this.take(call.body) });
    const body = JSON.parse(call.body) as { id: string };
    const released = /\/holds\/([^/]+)\/release$/.exec(path);
    const id = released === null ? body.id : decodeURIComponent(released[1] as string);
    const hold = this.holds.get(id) ?? { state: "open" as const };
    this.holds.set(id, hold);
    if (released !== null && hold.state === "open") hold.state = "released";
    answer(response, released === null ? 201 : 200, { holdId: id, state: hold.state, heldNanos: "5000", expiresAt: "2026-11-28T10:00:00Z" });
  }
}

export function answer(response: ServerResponse, status: number, body: unknown, headers: { [name: string]: string } = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

export function problem(response: ServerResponse, status: number, code: string, headers: { [name: string]: string } = {}): true {
  answer(response, status, { type: "about:blank", title: code, status, code, detail: `It is ${code}.`, requestId: "r" }, headers);
  return true;
}

/** Waits until something holds; fails after ten seconds. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  for (const end = Date.now() + 10_000; !condition(); ) {
    assert.ok(Date.now() < end, `never: ${what}`);
    await new Promise((done) => setTimeout(done, 5));
  }
}
