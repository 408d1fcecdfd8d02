import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { withUsage } from "@svc/backend/gateway";
import { port, run, secret } from "./job.ts";

const app = new Hono();

const createJob = withUsage({ secret }, (_request, usage) => {
  const { job, ms } = run();
  usage.report("compute_ms", ms);
  return Response.json(job, { status: 201 });
});
app.post("/v1/jobs", (c) => createJob(c.req.raw));

serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, ({ port }) => console.log(`http://127.0.0.1:${port}`));
