// A fetch-style server that renders React, as Next, Remix and others do it: one function from Request to Response.

import { readFileSync } from "node:fs";
import { serve } from "@hono/node-server";
import { renderToString } from "react-dom/server";
import { createSvc } from "@svc/client-js";
import { portalHandler } from "@svc/client-js/server";
import { App } from "./app.tsx";
import { setUp } from "../../setup.mjs";

const { url, business, operatorToken } = await setUp({ folder: "../tokens", subscribers: { ada: "payg", grace: "pro" } });

/** Stands in for your sign-in: `/?user=grace` signs in. */
const userOf = (request: Request) => /(?:^|; )user=(\w+)/.exec(request.headers.get("cookie") ?? "")?.[1] ?? null;

const portal = portalHandler({ url, business, token: operatorToken, identify: userOf });

const assets: { [path: string]: { type: string; file: string } } = {
  "/browser.js": { type: "text/javascript", file: "dist/browser.js" },
  "/bill-preview.css": { type: "text/css", file: "node_modules/@svc/client-js/styles/bill-preview.css" },
};

async function page(user: string, request: Request): Promise<Response> {
  // A client for this request alone, by the same handler, without a way over the network.
  const svc = createSvc({ baseUrl: new URL("/api/svc", request.url), business, fetch: (input) => portal(new Request(input as string, { headers: { cookie: `user=${user}` } })) });
  const bill = await svc.billing.getBillPreview().catch(() => null);
  const props = { user, bill, billAt: Date.now() };
  const html = renderToString(<App svc={svc} {...props} />);
  const json = JSON.stringify({ ...props, business }).replaceAll("<", "\\u003c");
  return new Response(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Account</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/bill-preview.css"></head>
<body><div id="root">${html}</div><script type="application/json" id="props">${json}</script><script type="module" src="/browser.js"></script></body></html>`,
    { headers: { "content-type": "text/html; charset=utf-8", "cache-control": "private, no-store", "content-security-policy": "default-src 'self'; img-src data:" } },
  );
}

async function answer(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname.startsWith("/api/svc/")) return portal(request);
  const asset = assets[pathname];
  if (asset !== undefined) return new Response(readFileSync(asset.file), { headers: { "content-type": asset.type } });
  if (pathname !== "/") return new Response("There is nothing here.", { status: 404 });
  const signsIn = searchParams.get("user");
  if (signsIn !== null && /^\w+$/.test(signsIn)) return new Response(null, { status: 303, headers: { location: "/", "set-cookie": `user=${signsIn}; HttpOnly; SameSite=Lax; Path=/` } });
  return page(userOf(request) ?? "ada", request);
}

serve({ fetch: answer, port: Number(process.env["PORT"] ?? 3000), hostname: "127.0.0.1" }, ({ port }) => {
  console.log(`listening on http://127.0.0.1:${port}, business ${business}`);
  console.log(`  http://127.0.0.1:${port}/?user=ada   sees amounts\n  http://127.0.0.1:${port}/?user=grace sees an allowance of 5`);
});
