// client/src/preview.ts
function readBillPreview(answer) {
  const json = object(answer);
  if (json === null) return null;
  const { currency, recurringFeeCents } = json;
  if (typeof currency !== "string" || !Number.isSafeInteger(recurringFeeCents)) return null;
  const common = { currency, recurringFeeCents };
  if (json["disclosure"] === "transparent") {
    const windows = all(json["windows"], window);
    const totals = members(json["totals"], { ratedNanos: nanos, fundedNanos: nanos, receivableNanos: nanos });
    const allowances2 = all(json["allowances"], transparentAllowance);
    if (windows !== null && totals !== null && allowances2 !== null) {
      return { disclosure: "transparent", ...common, windows, totals, allowances: allowances2 };
    }
  }
  const allowances = Array.isArray(json["allowances"]) ? json["allowances"].map(opaqueAllowance) : [];
  return { disclosure: "opaque", ...common, allowances: allowances.filter((allowance) => allowance !== null) };
}
var text = (value) => typeof value === "string";
var nanos = (value) => typeof value === "string" && /^-?\d{1,60}$/.test(value);
var count = (value) => Number.isSafeInteger(value) && value >= 0;
var points = (value) => count(value) && value <= 1e4;
var units = (value) => typeof value === "string" && /^\d{1,40}\.\d\d$/.test(value);
var factor = (value) => typeof value === "number" && Number.isFinite(value);
var expiry = (value) => value === null || text(value);
function window(value) {
  const checks = { windowId: text, windowStart: text, windowEnd: text, chargeCount: count, ratedNanos: nanos };
  return members(value, checks);
}
var ALLOWANCE = { kind: text, state: text, expiresAt: expiry };
function transparentAllowance(value) {
  return members(value, { ...ALLOWANCE, remainingNanos: nanos, heldNanos: nanos, consumedNanos: nanos });
}
function opaqueAllowance(value) {
  const common = members(value, ALLOWANCE);
  return common === null ? null : { ...common, display: display(object(value)?.["display"]) };
}
function display(value) {
  switch (object(value)?.["kind"]) {
    case "multiplier":
      return members(value, { kind: text, allowanceUnits: factor, remainingUnits: units, consumedUnits: units }) ?? UNKNOWN;
    case "fraction":
      return members(value, { kind: text, consumedBasisPoints: points, remainingBasisPoints: points }) ?? UNKNOWN;
    default:
      return UNKNOWN;
  }
}
var UNKNOWN = { kind: "unknown" };
function members(value, checks) {
  const json = object(value);
  if (json === null) return null;
  const read = {};
  for (const [member, check] of Object.entries(checks)) {
    if (!check(json[member])) return null;
    read[member] = json[member];
  }
  return read;
}
function all(value, read) {
  if (!Array.isArray(value)) return null;
  const entries = value.map(read);
  return entries.every((entry) => entry !== null) ? entries : null;
}
function object(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
}

// client/src/error.ts
var SvcError = class extends Error {
  name = "SvcError";
  /**
   * The service's code, such as `UNAUTHORIZED`, `NOT_FOUND` (no live subscription) or `STORE_UNAVAILABLE`; or `NETWORK`,
   * `TIMEOUT`, `ABORTED`, `TOKEN` (`getToken` failed), `TOKEN_KIND` (it gave
   * a secret one), `ANSWER_FORM` (not a bill), `HTTP_<status>`.
   */
  code;
  /** The HTTP status; 0 where there was no answer. */
  status;
  /** How long the service asks to wait, in milliseconds; null where it does not. */
  retryAfterMs;
  /** What to name to the service's operator; null where there was no answer. */
  requestId;
  constructor(code, message, details = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.status = details.status ?? 0;
    this.retryAfterMs = details.retryAfterMs ?? null;
    this.requestId = details.requestId ?? null;
  }
};

// client/src/limits.ts
var REQUEST_TIMEOUT_MS = 15e3;
var RETRY_AFTER_MAX_MS = 3e5;
var DEDUPE_MS = 2e3;
var FOCUS_THROTTLE_MS = 5e3;
var REFETCH_INTERVAL_MIN_MS = 1e3;
var TIMER_MAX_MS = 2147483647;

// client/src/react/store.ts
var EMPTY = { data: null, error: null, isFetching: false, dataUpdatedAt: 0 };
var PreviewStore = class {
  #svc;
  #subscribers = /* @__PURE__ */ new Set();
  #snapshot = EMPTY;
  #fetching = null;
  #startedAt = -Infinity;
  #failedAt = -Infinity;
  /** Before this moment nothing is sent: the service has asked for it. */
  #notBefore = -Infinity;
  /** The subscriber is not signed in any more: nobody but the page can change that. */
  #halted = false;
  #timer = null;
  /** Those who wait for the next answer. */
  #waiting = [];
  constructor(svc) {
    this.#svc = svc;
  }
  snapshot = () => this.#snapshot;
  /** Takes a bill that was fetched elsewhere, where there is none yet. */
  seed(data2, dataUpdatedAt) {
    if (this.#snapshot === EMPTY && this.#fetching === null) this.#snapshot = { ...EMPTY, data: data2, dataUpdatedAt };
  }
  /** Fetches where needed and tells of changes, until the returned function is called. */
  subscribe(wishes, changed) {
    const subscriber = { ...wishes, changed };
    if (this.#subscribers.size === 0) this.#listen(true);
    this.#subscribers.add(subscriber);
    this.#halted = false;
    if (this.#isFresh()) this.#schedule();
    else void this.#fetchUnlessTold();
    return () => {
      this.#subscribers.delete(subscriber);
      if (this.#subscribers.size > 0) return this.#schedule();
      this.#listen(false);
      this.#clearTimer();
    };
  }
  /** Fetches now, or as soon as the service allows; one answer serves all who ask meanwhile. */
  refetch = async () => {
    this.#halted = false;
    if (Date.now() >= this.#notBefore || this.#fetching !== null) await this.#fetch();
    else {
      await new Promise((done) => {
        this.#waiting.push(done);
        this.#schedule();
      });
    }
    return this.#snapshot;
  };
  /** What to wait for while there is nothing to show; null where the last failure is to be shown. */
  load() {
    if (this.#fetching !== null) return this.#fetching;
    if (this.#snapshot.error !== null && Date.now() - this.#failedAt < DEDUPE_MS) return null;
    return this.#fetch();
  }
  #isFresh() {
    return this.#snapshot.data !== null && Date.now() - this.#snapshot.dataUpdatedAt < DEDUPE_MS;
  }
  #fetchUnlessTold() {
    if (Date.now() < this.#notBefore) return this.#schedule();
    return this.#fetch();
  }
  #fetch() {
    this.#clearTimer();
    return this.#fetching ??= this.#run();
  }
  async #run() {
    this.#startedAt = Date.now();
    this.#set({ isFetching: true });
    try {
      const data2 = await this.#svc.billing.getBillPreview();
      this.#notBefore = -Infinity;
      this.#fetching = null;
      this.#set({ data: same(this.#snapshot.data, data2), error: null, isFetching: false, dataUpdatedAt: Date.now() });
    } catch (cause) {
      this.#fetching = null;
      this.#failed(cause instanceof SvcError ? cause : new SvcError("NETWORK", "The bill can't be fetched.", { cause }));
    }
    this.#schedule();
    for (const done of this.#waiting.splice(0)) done();
  }
  #failed(error) {
    this.#failedAt = Date.now();
    this.#notBefore = error.retryAfterMs === null ? -Infinity : Date.now() + error.retryAfterMs;
    this.#halted = error.status === 401 || error.status === 403;
    const dropped = this.#halted ? { data: null, dataUpdatedAt: 0 } : {};
    this.#set({ error, isFetching: false, ...dropped });
  }
  #set(change) {
    this.#snapshot = { ...this.#snapshot, ...change };
    for (const { changed } of [...this.#subscribers]) changed();
  }
  /** When the next fetch is due by itself; null for never. */
  #due() {
    if (this.#waiting.length > 0) return this.#notBefore;
    if (this.#halted || this.#subscribers.size === 0) return null;
    if (this.#notBefore > -Infinity) return this.#notBefore;
    const intervals = [...this.#subscribers].flatMap(({ refetchInterval }) => refetchInterval ?? []);
    if (intervals.length === 0) return null;
    return this.#startedAt + Math.max(REFETCH_INTERVAL_MIN_MS, Math.min(...intervals));
  }
  #schedule() {
    this.#clearTimer();
    const due = this.#due();
    if (due === null || this.#fetching !== null || hidden() && this.#waiting.length === 0) return;
    const delay = Math.min(TIMER_MAX_MS, Math.max(0, due - Date.now()));
    this.#timer = setTimeout(() => void this.#fetch(), delay);
  }
  #clearTimer() {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
  #listen(on) {
    if (typeof document === "undefined") return;
    const change = on ? "addEventListener" : "removeEventListener";
    document[change]("visibilitychange", this.#shown);
    globalThis[change]("focus", this.#shown);
  }
  #shown = () => {
    if (hidden()) return this.#clearTimerUnlessAsked();
    const wanted = [...this.#subscribers].some(({ refetchOnFocus }) => refetchOnFocus);
    const rested = Date.now() - this.#startedAt >= FOCUS_THROTTLE_MS && Date.now() >= this.#notBefore;
    if (wanted && rested && !this.#halted) void this.#fetch();
    else this.#schedule();
  };
  #clearTimerUnlessAsked() {
    if (this.#waiting.length === 0) this.#clearTimer();
  }
};
function hidden() {
  return typeof document !== "undefined" && document.visibilityState === "hidden";
}
function same(old, fresh) {
  return old !== null && JSON.stringify(old) === JSON.stringify(fresh) ? old : fresh;
}

// client/src/svc.ts
function createSvc(options) {
  const { baseUrl, business: business2, getToken } = options;
  if (typeof business2 !== "string" || business2 === "") throw new SvcError("OPTION_FORM", "`business` is the id of a business.");
  const url = `${String(baseUrl).replace(/\/+$/, "")}/portal/businesses/${encodeURIComponent(business2)}/me/bill-preview`;
  async function getBillPreview({ signal } = {}) {
    const token = getToken && await tokenOf(getToken, false);
    try {
      return await fetchPreview(options, url, token, signal);
    } catch (error) {
      if (getToken === void 0 || !(error instanceof SvcError) || error.status !== 401) throw error;
      const fresh = await tokenOf(getToken, true);
      if (fresh === token) throw error;
      return fetchPreview(options, url, fresh, signal);
    }
  }
  return { billing: { getBillPreview } };
}
var SECRET_TOKEN = /^svc_(?!portal_)/;
async function tokenOf(getToken, refused) {
  let token;
  try {
    token = await getToken({ refused });
  } catch (cause) {
    throw cause instanceof SvcError ? cause : new SvcError("TOKEN", "The portal token can't be had.", { cause });
  }
  if (SECRET_TOKEN.test(token)) throw new SvcError("TOKEN_KIND", "This is no portal token, and must never reach a page.");
  return token;
}
async function fetchPreview(options, url, token, signal) {
  const { timeoutMs = REQUEST_TIMEOUT_MS, fetch: fetch2 = globalThis.fetch } = options;
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  const abort = () => timeout.abort();
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort);
  let response;
  let body;
  try {
    const headers = { accept: "application/json" };
    if (token !== void 0) headers["authorization"] = `Bearer ${token}`;
    response = await fetch2(url, { headers, cache: "no-store", signal: timeout.signal });
    body = await response.text();
  } catch (cause) {
    if (signal?.aborted) throw new SvcError("ABORTED", "The request was ended.", { cause });
    if (timeout.signal.aborted) throw new SvcError("TIMEOUT", `No answer within ${timeoutMs} ms.`, { cause });
    throw new SvcError("NETWORK", "The service can't be reached.", { cause });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
  const requestId = response.headers.get("x-request-id");
  const json = parsed(body);
  if (!response.ok) throw problemOf(response, json, requestId);
  const preview = readBillPreview(json);
  if (preview === null) throw new SvcError("ANSWER_FORM", "What was answered is no bill.", { status: response.status, requestId });
  return preview;
}
function problemOf(response, json, requestId) {
  const { code, detail } = json ?? {};
  return new SvcError(
    typeof code === "string" ? code : `HTTP_${response.status}`,
    typeof detail === "string" ? detail : `The service answered ${response.status}.`,
    { status: response.status, requestId, retryAfterMs: retryAfterMs(response.headers.get("retry-after"), Date.now()) }
  );
}
function retryAfterMs(header, now) {
  if (header === null) return null;
  const wait = /^\s*\d{1,9}\s*$/.test(header) ? Number(header) * 1e3 : Date.parse(header) - now;
  return Number.isNaN(wait) ? null : Math.min(RETRY_AFTER_MAX_MS, Math.max(0, wait));
}
function parsed(text2) {
  try {
    return JSON.parse(text2);
  } catch {
    return void 0;
  }
}

// client/page/index.ts
var REFETCH_INTERVAL_MS = 3e4;
var OVER = [401, 403, 404];
var data = document.getElementById("preview");
var shown = data === null ? null : readBillPreview(JSON.parse(data.textContent ?? "null"));
var business = data?.dataset["business"];
if (shown !== null && business !== void 0) keepFresh(business, shown);
function keepFresh(business2, shown2) {
  const store = new PreviewStore(createSvc({ baseUrl: "", business: business2 }));
  store.seed(shown2, Date.now());
  let drawn = shown2;
  const stop = store.subscribe({ refetchInterval: REFETCH_INTERVAL_MS, refetchOnFocus: true }, async () => {
    const { data: data2, error, isFetching } = store.snapshot();
    if (isFetching) return;
    if (error !== null && OVER.includes(error.status ?? 0)) {
      stop();
      return location.reload();
    }
    if (error !== null) return say(true);
    if (data2 === drawn) return say(false);
    drawn = await redraw() ? data2 : null;
  });
}
function say(stale) {
  const notice = document.getElementById("stale");
  if (notice !== null) notice.hidden = !stale;
}
async function redraw() {
  let response;
  let html;
  try {
    response = await fetch(location.pathname, { headers: { accept: "text/html" }, cache: "no-store" });
    html = await response.text();
  } catch {
    say(true);
    return false;
  }
  const fresh = new DOMParser().parseFromString(html, "text/html");
  const main = fresh.querySelector("main");
  if (main === null || !response.ok) {
    say(true);
    return false;
  }
  const focused = document.activeElement?.id;
  document.title = fresh.title;
  document.querySelector("main")?.replaceWith(main);
  if (focused !== void 0 && focused !== "") document.getElementById(focused)?.focus({ preventScroll: true });
  return true;
}
