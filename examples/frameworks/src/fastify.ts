import fastify from "fastify";
import { usageOf } from "@svc/backend/gateway/node";
import { port, run, secret } from "./job.ts";

const app = fastify();

app.post("/v1/jobs", async (request, reply) => {
  const usage = usageOf({ secret }, request.raw, reply.raw);
  const { job, ms } = run();
  usage.report("compute_ms", ms);
  return reply.code(201).send(job);
});

console.log(await app.listen({ port, host: "127.0.0.1" }));
