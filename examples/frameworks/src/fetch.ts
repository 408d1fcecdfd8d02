// One function from Request to Response: workers, Deno and Bun take `{ fetch }` as it is; Node needs something to serve it.

import { serve } from "@hono/node-server";
import { withUsage } from "@svc/backend/gateway";
import { port, run, secret } from "./job.ts";

const worker = {
  fetch: withUsage({ secret }, (request, usage) => {
    if (request.method !== "POST") return new Response(null, { status: 405 });
    const { job, ms } = run();
    usage.report("compute_ms", ms);
    return Response.json(job, { status: 201 });
  }),
};
export default worker;

serve({ fetch: (request) => worker.fetch(request), port, hostname: "127.0.0.1" }, ({ port }) => console.log(`http://127.0.0.1:${port}`));
