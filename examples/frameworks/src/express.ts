import express from "express";
import { withUsage, type RequestUsage } from "@svc/backend/gateway/node";
import { port, run, secret } from "./job.ts";

const app = express();

app.post(
  "/v1/jobs",
  withUsage({ secret }, (_request: express.Request, response: express.Response, usage: RequestUsage) => {
    const { job, ms } = run();
    usage.report("compute_ms", ms);
    response.status(201).json(job);
  }),
);

// An answer that streams: what is known only at its end goes into the trailer.
app.get(
  "/v1/stream",
  withUsage({ secret }, async (_request: express.Request, response: express.Response, usage: RequestUsage) => {
    for (let part = 1; part <= 3; part++) {
      response.write(`part ${part}\n`);
      usage.report("tokens", part);
    }
    response.end();
  }),
);

const server = app.listen(port, "127.0.0.1", () => console.log(`http://127.0.0.1:${(server.address() as { port: number }).port}`));
