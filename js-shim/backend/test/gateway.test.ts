// What an answer says to the gateway: by test vectors, and through the real servers that people use.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer, request as send, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";
import { getRequestListener } from "@hono/node-server";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import { signUsage, verifyUsage, withUsage as withFetchUsage, type RequestUsage } from "@svc/backend/gateway";
import { usageOf, withUsage } from "@svc/backend/gateway/node";
import * as format from "#dist/gateway/format.js";

interface Vectors {
  secret: string;
  requestId: string;
  now: number;
  valid: { name: string; requestId: string; timestamp: number; json: string; payload: string; canonical: string; value: string; reports: format.Reports }[];
  invalid: { name: string; requestId: string; value: string; code: string }[];
}
const vectors = JSON.parse(readFileSync(new URL("../../../../docs/packages/usage-signature.vectors.json", import.meta.url), "utf8")) as Vectors;
const { secret, now } = vectors;

test("vectors: what is valid is made and read alike", async () => {
  assert.ok(vectors.valid.length >= 7);
  for (const { name, requestId, timestamp, payload, canonical, value, reports } of vectors.valid) {
    assert.equal(format.payloadOf(reports), payload, name);
    assert.equal(format.canonical(requestId, String(timestamp), payload), canonical, name);
    assert.equal(await signUsage(reports, { secret, requestId, now: timestamp * 1_000 }), value, name);
    assert.deepEqual(await verifyUsage(value, { secret, requestId, now: now * 1_000 }), { ok: true, reports }, name);
  }
});

test("vectors: what is invalid is refused by its code", async () => {
  assert.ok(vectors.invalid.length >= 20);
  for (const { name, requestId, value, code } of vectors.invalid) {
    assert.deepEqual(await verifyUsage(value, { secret, requestId, now: now * 1_000 }), { ok: false, code }, name);
  }
});

test("the order of reporting changes nothing; a short secret is refused", async () => {
  const options = { secret, requestId: "r", now: 0 };
  assert.equal(await signUsage({ b: 1, a: 2 }, options), await signUsage({ a: 2, b: 1 }, options));
  assert.throws(() => withUsage({ secret: "short" }, () => {}), { code: "OPTION_FORM" });
  await assert.rejects(signUsage({ a: 1 }, { ...options, secret: "x".repeat(31) }), { code: "OPTION_FORM" });
  await assert.rejects(signUsage(Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`m${n}`, 1])), options), { code: "ITEM_FORM" });
  await assert.rejects(signUsage({ ["m".repeat(9_000)]: 1 }, options), { code: "ITEM_FORM" });
});

// ---- Through servers ----

interface Got {
  status: number | undefined;
  header: string | undefined;
  trailer: string | undefined;
  body: string;
}

async function serve(context: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  context.after(() => void (server.closeAllConnections(), server.close()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function ask(url: string, { method = "POST", id = "req 1" as string | null } = {}): Promise<Got> {
  const response = await new Promise<IncomingMessage>((done, failed) =>
    send(url, { method, headers: id === null ? {} : { "svc-request-id": id } }, done).on("error", failed).end(),
  );
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return {
    status: response.statusCode,
    header: response.headers["svc-usage"] as string | undefined,
    trailer: response.trailers["svc-usage"],
    body: Buffer.concat(chunks).toString(),
  };
}

const reported = async (value: string | undefined, requestId = "req 1") => {
  const verified = await verifyUsage(value ?? "", { secret, requestId });
  return verified.ok ? verified.reports : verified.code;
};

test("node: an answer in one piece has it in the header", async (context) => {
  const url = await serve(context, withUsage({ secret }, (_, response, usage) => {
    assert.equal(usage.requestId, "req 1");
    usage.report("tokens", 1);
    usage.report("tokens", 40);
    response.end("done");
    assert.throws(() => usage.report("late", 1), { code: "USAGE_TOO_LATE" });
  }));
  const got = await ask(url);
  assert.deepEqual(await reported(got.header), { tokens: 40 });
  assert.equal(got.trailer, undefined);
  assert.equal(got.body, "done");
});

test("node: a stream has it in the trailer, with what was used until its end", async (context) => {
  const url = await serve(context, withUsage({ secret }, async (_, response, usage) => {
    for (let n = 1; n <= 3; n++) {
      response.write(`part ${n};`);
      usage.report("tokens", n);
      await new Promise((done) => setTimeout(done, 5));
    }
    response.end("end");
    assert.throws(() => usage.report("tokens", 9), { code: "USAGE_TOO_LATE" });
  }));
  const got = await ask(url);
  assert.equal(got.header, undefined);
  assert.deepEqual(await reported(got.trailer), { tokens: 3 });
  assert.equal(got.body, "part 1;part 2;part 3;end");
});

for (const [name, begin] of [
  ["writeHead with its headers", (response) => response.writeHead(200, { "content-type": "text/plain" })],
  ["writeHead with a list of headers", (response) => response.writeHead(200, ["content-type", "text/plain"])],
  ["flushHeaders", (response) => response.flushHeaders()],
] as [string, (response: import("node:http").ServerResponse) => void][]) {
  test(`node: headers sent first, by ${name}`, async (context) => {
    const url = await serve(context, withUsage({ secret }, (_, response, usage) => {
      begin(response);
      usage.report("tokens", 5);
      response.end("x");
    }));
    const got = await ask(url);
    assert.deepEqual(await reported(got.trailer), { tokens: 5 });
  });
}

test("node: where a trailer can't be, what is known by then is in the header", async (context) => {
  const late: string[] = [];
  const url = await serve(context, withUsage({ secret }, (request, response, usage) => {
    usage.report("tokens", 5);
    if (request.method === "POST") response.writeHead(200, { "Content-Length": "2" });
    else if (request.method === "PUT") response.writeHead(200, ["content-length", "2"]);
    else response.writeHead(204);
    try {
      usage.report("tokens", 6);
    } catch (error) {
      late.push((error as { code: string }).code);
    }
    response.end(request.method === "DELETE" ? undefined : "ok");
  }));
  for (const method of ["POST", "PUT", "DELETE"]) {
    const got = await ask(url, { method });
    assert.deepEqual(await reported(got.header), { tokens: 5 }, method);
  }
  assert.deepEqual(late, ["USAGE_TOO_LATE", "USAGE_TOO_LATE", "USAGE_TOO_LATE"]);
});

test("node: HEAD, nothing to report, and a request past the gateway", async (context) => {
  const url = await serve(context, withUsage({ secret }, (request, response, usage) => {
    if (request.url === "/some") usage.report("tokens", 5);
    response.write("x");
    response.end();
  }));
  assert.deepEqual(await reported((await ask(`${url}/some`, { method: "HEAD" })).header), { tokens: 5 });
  const nothing = await ask(`${url}/none`);
  assert.deepEqual([nothing.header, nothing.trailer], [undefined, undefined]);
  const past = await ask(`${url}/some`, { id: null });
  assert.deepEqual([past.header, past.trailer], [undefined, undefined]);
});

test("express", async (context) => {
  const app = express();
  app.post("/v1/jobs", withUsage({ secret }, async (_: express.Request, response: express.Response, usage: RequestUsage) => {
    usage.report("compute_ms", "12.5");
    response.status(201).json({ id: 1 });
  }));
  const got = await ask(`${await serve(context, app)}/v1/jobs`);
  assert.equal(got.status, 201);
  assert.deepEqual(await reported(got.header), { compute_ms: "12.5" });
  assert.equal(got.body, '{"id":1}');
});

test("fastify", async (context) => {
  const app = fastify();
  app.post("/v1/jobs", async (request, reply) => {
    const usage = usageOf({ secret }, request.raw, reply.raw);
    usage.report("compute_ms", 125);
    return reply.code(201).send({ id: 1 });
  });
  context.after(() => app.close());
  await app.listen({ port: 0, host: "127.0.0.1" });
  const got = await ask(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}/v1/jobs`);
  assert.equal(got.status, 201);
  assert.deepEqual(await reported(got.header), { compute_ms: 125 });
});

test("hono and plain fetch", async (context) => {
  const handler = withFetchUsage({ secret }, async (request: Request, usage: RequestUsage) => {
    usage.report("compute_ms", 125);
    return Response.json({ path: new URL(request.url).pathname }, { status: 201 });
  });
  const app = new Hono();
  app.post("/v1/jobs", (c) => handler(c.req.raw));
  const got = await ask(`${await serve(context, getRequestListener(app.fetch))}/v1/jobs`);
  assert.equal(got.status, 201);
  assert.deepEqual(await reported(got.header), { compute_ms: 125 });
  assert.equal(got.body, '{"path":"/v1/jobs"}');
  const past = await handler(new Request("http://x/"));
  assert.equal(past.headers.get("svc-usage"), null);
  await assert.rejects(withFetchUsage({ secret }, () => Promise.reject(new Error("mine")))(new Request("http://x/")), /mine/);
});
