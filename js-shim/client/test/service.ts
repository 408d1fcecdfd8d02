// A service for tests: mints tokens and serves bills, as it is told to.

import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Call {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
}

export type Handler = (call: Call, response: ServerResponse) => void;

export async function listen(listener: RequestListener): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => (server.closeAllConnections(), new Promise<void>((done) => server.close(() => done()))),
  };
}

export async function service(handler: Handler): Promise<{ url: string; calls: Call[]; stop: () => Promise<void> }> {
  const calls: Call[] = [];
  const server = await listen(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const call = { method: request.method ?? "", path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks).toString() };
    calls.push(call);
    handler(call, response);
  });
  return { ...server, calls };
}

export function answer(response: ServerResponse, status: number, body: unknown, headers: { [name: string]: string } = {}): void {
  response.writeHead(status, { "content-type": "application/json", "x-request-id": "req-1", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

export function problem(response: ServerResponse, status: number, code: string, headers: { [name: string]: string } = {}): void {
  answer(response, status, { type: "about:blank", title: code, status, code, detail: `It is ${code}.` }, { "content-type": "application/problem+json", ...headers });
}
