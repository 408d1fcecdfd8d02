// A backend that is killed: each request is reported to a journal, then acknowledged. A request without an acknowledgement
// comes again after the crash, as a queue or a client does it. Arguments: file, the service's URL, first request, end.

import { writeSync } from "node:fs";
import { createUsage } from "@svc/backend";
import { journalOutbox } from "@svc/backend/journal";
import { hurry } from "./hurry.js";

const [path = "", url = "", first, end] = process.argv.slice(2);
hurry();
const usage = createUsage({ url, token: "t", business: "b", outbox: await journalOutbox({ path }), sendAfterMs: 2 });
usage.on("refused", ({ id, code }) => void writeSync(1, `refused ${id} ${code}\n`));
writeSync(1, "ready\n");
// Several handlers at once, so that they share writes and fsyncs; each subject has one, since its order is its own.
await Promise.all(
  [0, 1, 2].map(async (subject) => {
    for (let n = Number(first); n < Number(end); n++) {
      if (n % 3 !== subject) continue;
      await usage.report({ requestId: `r${n}`, subject: `u${subject}`, meter: "jobs", units: n });
      writeSync(1, `done ${n}\n`);
      if (n % 4 === 0) await new Promise((done) => setTimeout(done, Math.random() * 4));
    }
  }),
);
const { pending } = await usage.close({ timeoutMs: 60_000 });
process.exit(pending === 0 ? 0 : 1);
