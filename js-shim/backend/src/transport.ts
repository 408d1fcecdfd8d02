// One call of the service, and what its answer means for the sender. Knows HTTP; must not know items or outboxes.

import { retryAfterMs } from "./backoff.ts";
import { ANSWER_BYTES_MAX } from "./limits.ts";
import { PACKAGE, PACKAGE_HEADER } from "./version.ts";

export interface Service {
  /** Address of the business's part of the API, without a slash at the end. */
  readonly base: string;
  readonly token: () => string | Promise<string>;
  readonly fetch: typeof globalThis.fetch;
  readonly requestTimeoutMs: number;
}

/** What came of one call. */
export type Answer =
  /** 2xx with JSON. */
  | { readonly kind: "answered"; readonly body: unknown }
  /** It may be sent again as it is: no answer, 408, 429, 5xx, or an answer that can't be the service's. */
  | { readonly kind: "again"; readonly code: string; readonly retryAfterMs: number | undefined }
  /** Something in the body can't be taken: 400, 409, 413, 422. */
  | { readonly kind: "content"; readonly status: number; readonly code: string; readonly message: string }
  /** The call itself is wrong, and will be the next time: 401, 403, 404, redirects, all else. */
  | { readonly kind: "refused"; readonly status: number; readonly code: string; readonly message: string };

const CONTENT = new Set([400, 409, 413, 422]);

export async function post(service: Service, path: string, body: string, signal: AbortSignal): Promise<Answer> {
  const timeout = AbortSignal.timeout(service.requestTimeoutMs);
  let token: string;
  try {
    token = await service.token();
  } catch {
    return { kind: "again", code: "TOKEN", retryAfterMs: undefined };
  }
  let response: Response;
  let text: string;
  try {
    response = await service.fetch(service.base + path, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        [PACKAGE_HEADER]: PACKAGE,
      },
      body,
      redirect: "manual", // a redirect followed would send the token to somewhere else
      signal: AbortSignal.any([signal, timeout]),
    });
    text = await textOf(response);
  } catch {
    return { kind: "again", code: timeout.aborted ? "TIMEOUT" : "NETWORK", retryAfterMs: undefined };
  }
  const json = parsed(text);
  const { status } = response;
  if (status >= 200 && status < 300) {
    return json === undefined ? { kind: "again", code: "ANSWER_FORM", retryAfterMs: undefined } : { kind: "answered", body: json };
  }
  const { code = `HTTP_${status}`, detail = `The service answered ${status}.` } = problem(json);
  if (status === 408 || status === 429 || status >= 500) {
    return { kind: "again", code, retryAfterMs: retryAfterMs(response.headers.get("retry-after"), Date.now()) };
  }
  return { kind: CONTENT.has(status) ? "content" : "refused", status, code, message: detail };
}

/** The body as text; throws past the bound, since what endless stream answers is not the service. */
async function textOf(response: Response): Promise<string> {
  if (response.body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > ANSWER_BYTES_MAX) {
      await reader.cancel();
      throw new Error("the answer is too long");
    }
    text += decoder.decode(value, { stream: true });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function problem(json: unknown): { code?: string; detail?: string } {
  const { code, detail } = (json ?? {}) as { code?: unknown; detail?: unknown };
  return {
    ...(typeof code === "string" ? { code } : {}),
    ...(typeof detail === "string" ? { detail } : {}),
  };
}
