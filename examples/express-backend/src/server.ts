// A backend on Express that sells jobs by the millisecond. The job and its usage are written in one transaction: what is in
// the database is on the bill, and nothing else is.

import Database from "better-sqlite3";
import express from "express";
import { createUsage } from "@svc/backend";
import { sqliteOutbox } from "@svc/backend/sqlite";
import { expressPortalHandler } from "@svc/client-js/server";
import { meters, type MeterKey } from "../product/keys.ts";
import { setUp } from "../../setup.mjs";

const { url, business, operatorToken, deployToken } = await setUp({ folder: ".", subscribers: { ada: "starter" } });

const database = new Database(process.env["DATABASE"] ?? ":memory:");
database.exec("create table if not exists jobs (id text primary key, owner text not null, ms integer not null)");
const outbox = sqliteOutbox({ database });
const usage = createUsage<{ meter: MeterKey; route: "POST /v1/jobs" }>({ url, token: deployToken, business, outbox });
usage.on("refused", ({ id, code }) => console.error(`usage of job ${id} was refused: ${code}`));

const insertJob = database.prepare("insert or ignore into jobs (id, owner, ms) values (?, ?, ?)");

/** Stands in for your sign-in. */
const userOf = (request: express.Request) => request.get("x-user") ?? null;

const app = express();

app.post("/v1/jobs", (request, response) => {
  const owner = userOf(request);
  // The caller's own id of the job: the same when it tries again, so nothing is done or charged twice.
  const id = request.get("idempotency-key");
  if (owner === null) return void response.status(401).end();
  if (id === undefined) return void response.status(400).json({ error: "idempotency-key is missing" });
  const ms = 100 + (id.length % 50); // the work
  database.transaction(() => {
    if (insertJob.run(id, owner, ms).changes === 0) return;
    outbox.write({ id: `job-${id}`, subject: owner, route: "POST /v1/jobs", status: 201, reports: { [meters.compute]: ms } });
  })();
  response.status(201).json({ id, ms });
});

app.use("/api/svc", expressPortalHandler<express.Request>({ url, business, token: operatorToken, identify: userOf }));

const server = app.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1", () => {
  const { port } = server.address() as { port: number };
  console.log(`listening on http://127.0.0.1:${port}, business ${business}`);
  console.log(`  curl -X POST -H 'x-user: ada' -H 'idempotency-key: 1' http://127.0.0.1:${port}/v1/jobs`);
  console.log(`  curl -H 'x-user: ada' http://127.0.0.1:${port}/api/svc/portal/businesses/${business}/me/bill-preview`);
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, async () => {
    server.close();
    const { pending } = await usage.close({ timeoutMs: 5_000 });
    process.exit(pending === 0 ? 0 : 1);
  });
}
