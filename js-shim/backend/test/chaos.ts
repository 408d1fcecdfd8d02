// A network and a service at their worst, by a seed: answers are cut, doubled, delayed, lost and late.

import type { Behaviour } from "./service.js";
import { problem } from "./service.js";

/** Numbers in [0, 1) that a seed decides: mulberry32. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));

export interface Chaos {
  behaviour: Behaviour;
  /** How often each thing was done. */
  readonly counts: { [what: string]: number };
  /** Off: from now on all is well. */
  calm: boolean;
}

export function chaos(seed: number): Chaos {
  const random = seeded(seed);
  const counts: { [what: string]: number } = {};
  const ways: { [what: string]: Behaviour } = {
    "cut before": (_, response) => {
      response.destroy();
      return true;
    },
    "cut after": (call, response, service) => {
      service.take(call.body);
      response.destroy();
      return true;
    },
    "half an answer": (call, response, service) => {
      const text = JSON.stringify({ results: service.take(call.body) });
      response.writeHead(200, { "content-length": text.length });
      response.write(text.slice(0, text.length / 2), () => response.destroy());
      return true;
    },
    // The caller hears nothing, and its bytes arrive all the same: after those that it sends next.
    late: (call, response, service) => {
      response.destroy();
      setTimeout(() => service.take(call.body), random() * 60);
      return true;
    },
    // Something between sends it twice.
    doubled: (call, _, service) => {
      service.take(call.body);
      return false;
    },
    delayed: async () => {
      await sleep(random() * 40);
      return false;
    },
    500: (call, response, service) => {
      service.take(call.body);
      return problem(response, 500, "INTERNAL");
    },
    503: (_, response) => problem(response, 503, "BUSY", { "retry-after": "0" }),
    429: (_, response) => problem(response, 429, "RATE_LIMITED", { "retry-after": "0" }),
    408: (_, response) => problem(response, 408, "BODY_TIMEOUT"),
    // A proxy's page, with a status that says all is well.
    "strange 200": (_, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<h1>Welcome to the hotel's network</h1>");
      return true;
    },
    // Another's results.
    "wrong results": (_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end('{"results":[]}');
      return true;
    },
  };
  const names = Object.keys(ways);
  const made: Chaos = {
    counts,
    calm: false,
    behaviour(call, response, service) {
      if (made.calm || !call.path.endsWith("/usage") || random() < 0.5) return false;
      const name = names[Math.floor(random() * names.length)] as string;
      counts[name] = (counts[name] ?? 0) + 1;
      return (ways[name] as Behaviour)(call, response, service);
    },
  };
  return made;
}
