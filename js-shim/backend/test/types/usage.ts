// Checked by the compiler, never run: what the types must accept and refuse.

import { createUsage, memoryOutbox, type UsageItem } from "@svc/backend";
import { journalOutbox } from "@svc/backend/journal";
import { withUsage } from "@svc/backend/gateway";
import { withUsage as withNodeUsage } from "@svc/backend/gateway/node";
import { pgOutbox } from "@svc/backend/pg";
import { sqliteOutbox } from "@svc/backend/sqlite";
import Database from "better-sqlite3";
import pg from "pg";

interface Keys {
  meter: "compute_ms" | "tokens";
  route: "POST /v1/jobs" | `GET /v1/jobs/${string}`;
}
const service = { url: "https://svc.example.com", token: "t", business: "b" };
const usage = createUsage<Keys>(service);
const plain = createUsage({ ...service, outbox: memoryOutbox({ itemsMax: 1 }), token: async () => "t" });

export async function good(): Promise<void> {
  await usage.report({ id: "a", subject: "u", meter: "tokens", units: 1 });
  await usage.report({ requestId: "r", part: "1", subject: "u", meter: "compute_ms", units: "0.5", occurredAt: new Date() });
  await usage.report({ requestId: "r", subject: "u", route: "GET /v1/jobs/7", status: 200, reports: { tokens: 1 } });
  await plain.report({ id: "a", subject: "u", meter: "anything", units: 1 });
  const seven: number = await usage.withHold({ id: "h", subject: "u", route: "POST /v1/jobs" }, async (hold) => {
    await hold.settle({ status: 201, reports: { compute_ms: 5 } });
    // @ts-expect-error: a route's hold is settled by a status
    await hold.settle({ units: 1 });
    return 7;
  });
  await usage.withHold({ id: "h", subject: "u", meter: "tokens", units: seven }, async (hold) => {
    await hold.settle({ units: 1 });
    // @ts-expect-error: a meter's hold is settled by units
    await hold.settle({ status: 200 });
  });
  const { pending, stopped } = await usage.close({ timeoutMs: 1 });
  const count: number = pending;
  const code: string | undefined = stopped?.code;
  void [count, code];
  usage.on("refused", ({ code, item }) => void [code.length, item]);
}

export async function bad(): Promise<void> {
  // @ts-expect-error: an id or a request's id
  await usage.report({ subject: "u", meter: "tokens", units: 1 });
  // @ts-expect-error: not both
  await usage.report({ id: "a", requestId: "r", subject: "u", meter: "tokens", units: 1 });
  // @ts-expect-error: the product has no such meter
  await usage.report({ id: "a", subject: "u", meter: "tokenz", units: 1 });
  // @ts-expect-error: nor such a route
  await usage.report({ id: "a", subject: "u", route: "POST /v2/jobs", status: 200 });
  // @ts-expect-error: nor such a meter among the reports
  await usage.report({ id: "a", subject: "u", route: "POST /v1/jobs", status: 200, reports: { tokenz: 1 } });
  // @ts-expect-error: a meter or a route
  await usage.report({ id: "a", subject: "u", meter: "tokens", units: 1, route: "POST /v1/jobs", status: 200 });
  // @ts-expect-error: a route needs a status
  await usage.report({ id: "a", subject: "u", route: "POST /v1/jobs" });
  // @ts-expect-error: no bigint
  await usage.report({ id: "a", subject: "u", meter: "tokens", units: 1n });
  // @ts-expect-error: an event that there is not
  usage.on("lost", () => {});
  // @ts-expect-error: a token is needed
  createUsage({ url: "https://x", business: "b" });
  // @ts-expect-error: a folder is no outbox
  createUsage({ ...service, outbox: "/var/lib" });
  // @ts-expect-error: a path is needed
  await journalOutbox({});
  // @ts-expect-error: the secret is needed
  withUsage({}, () => new Response());
}

// The outboxes take the real drivers' objects.
export const outboxes = [pgOutbox({ pool: new pg.Pool() }), sqliteOutbox({ database: new Database(":memory:") })];
export const client = async (pool: pg.Pool) => {
  const item: UsageItem = { id: "a", subject: "u", meter: "m", units: 1 };
  await pgOutbox({ pool }).write(await pool.connect(), item);
};
export const fetchHandler: (request: Request) => Promise<Response> = withUsage<Keys>({ secret: "s" }, (_, usage) => {
  usage.report("tokens", 1);
  // @ts-expect-error: the product has no such meter
  usage.report("tokenz", 1);
  return new Response();
});
export const nodeHandler = withNodeUsage<Keys>({ secret: "s" }, (_, response, usage) => {
  usage.report("tokens", "0.5");
  response.end();
});
