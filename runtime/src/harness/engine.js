// What `@svc/product/test` is made of. Runs once, before the world is hardened: nothing but this file reaches the ops, and what crosses
// to them are texts and plain objects that are made here.
const {
  op_svc_play: play, op_svc_facts: facts, op_svc_golden: golden, op_svc_place: place, op_svc_report: report, op_svc_file: file, op_svc_begin: begin,
} = Deno.core.ops;
const { ownKeys, getOwnPropertyDescriptor, apply } = Reflect;
const { freeze, is } = Object;
const { isArray } = Array;
const NativeError = Error;
const NativeTypeError = TypeError;
const text = String;
const big = BigInt;
const toJson = JSON.stringify;

/** Billionths of a unit in a unit. */
const STEP = 1_000_000_000n;
/** Steps of a life at most, as the engine plays it. */
const STEPS_MAX = 10_000;
/** Most tries to make a life that breaks a rule smaller. */
const SHRINKS_MAX = 3_000;
/** Steps of a generated life at most. */
const LIFE_MAX = 6;
/** Lives that a rule is tried on, unless it says otherwise. */
const RUNS = 200;

function fail(message) {
  throw new NativeTypeError(message);
}

/** A quantity as decimal text. */
function units(value, what) {
  if (typeof value === "bigint") return text(value);
  if (typeof value === "string") return value;
  if (typeof value !== "number" || !(value >= 0) || value === Infinity) return fail(`${what} is a quantity: a number, a bigint or a decimal text that is not negative`);
  const shown = text(value);
  return shown.includes("e") ? fail(`${what}: write ${shown} as text`) : shown;
}

/** The own members of an object of the author's, each read once. */
function members(object, what) {
  if (typeof object !== "object" || object === null) fail(`${what} is an object`);
  const found = [];
  for (const key of ownKeys(object)) {
    if (typeof key !== "string") fail(`${what} has no symbols`);
    const { value, get } = getOwnPropertyDescriptor(object, key);
    if (get !== undefined) fail(`${what}.${key} is a value, no getter`);
    found.push([key, value]);
  }
  return found;
}

/** What is used of one combination of the values of a meter's attributes. */
function cellOf(value, what) {
  // Without a prototype: an attribute named `__proto__` is one like another.
  const cell = { units: null, by: { __proto__: null } };
  for (const [key, part] of members(value, what)) {
    if (key === "units") cell.units = units(part, `${what}.units`);
    else if (key === "uniqueKey") cell.uniqueKey = typeof part === "string" ? part : fail(`${what}.uniqueKey is a text`);
    else if (key === "by") for (const [name, of] of members(part, `${what}.by`)) cell.by[name] = typeof of === "string" ? of : fail(`${what}.by.${name} is a text`);
    else fail(`${what} has no ${toJson(key)}; it has units, by and uniqueKey`);
  }
  if (cell.units === null) cell.units = cell.uniqueKey === undefined ? fail(`${what} says its units`) : "1";
  return cell;
}

/** What a request reports for a meter: a quantity, or of one that counts by attributes each combination of their values. */
function reported(value, what) {
  if (typeof value !== "object" || value === null) return units(value, what);
  return (isArray(value) ? value : [value]).map((one) => {
    const { uniqueKey, ...cell } = cellOf(one, what);
    return uniqueKey === undefined ? cell : fail(`${what} has no "uniqueKey": a request reports quantities`);
  });
}

/** A subscriber at a point of a life; every method gives another. */
class Subscriber {
  #plan;
  #steps;
  #played;

  constructor(plan, steps) {
    this.#plan = plan;
    this.#steps = steps;
    freeze(this);
  }

  #then(...more) {
    if (this.#steps.length + more.length > STEPS_MAX) fail("a scenario has at most 10,000 steps");
    return new Subscriber(this.#plan, [...this.#steps, ...more]);
  }

  uses(what, options = {}) {
    if (typeof what === "string") {
      // Without a prototype: what is named `__proto__` is a meter like another.
      const request = { kind: "request", route: what, status: 200, reports: { __proto__: null } };
      let times = 1;
      for (const [key, value] of members(options, "a request")) {
        if (key === "status") request.status = Number.isInteger(value) && value >= 100 && value <= 599 ? value : fail("status is a whole number from 100 to 599");
        else if (key === "times") times = Number.isInteger(value) && value >= 0 && value <= STEPS_MAX ? value : fail("times is a whole number of at most 10,000");
        else if (key === "reports") for (const [meter, amount] of members(value, "reports")) request.reports[meter] = reported(amount, `reports.${meter}`);
        else fail(`a request has no ${toJson(key)}; it has status, reports and times`);
      }
      return this.#then(...Array.from({ length: times }, () => request));
    }
    const more = [];
    for (const [meter, amount] of members(what, "uses")) {
      for (const one of isArray(amount) ? amount : [amount]) {
        if (typeof one === "object") more.push({ kind: "use", meter, ...cellOf(one, `uses.${meter}`) });
        else if (isArray(amount)) more.push({ kind: "use", meter, units: "1", uniqueKey: text(one) });
        else more.push({ kind: "use", meter, units: units(one, `uses.${meter}`) });
      }
    }
    return this.#then(...more);
  }

  after(span) {
    return typeof span === "string" ? this.#then({ kind: "after", span }) : fail("after takes a span of time, such as \"15d\" or \"1mo\"");
  }

  movesTo(plan, options = {}) {
    const move = { kind: "move", plan: text(plan), proration: "none" };
    for (const [key, value] of members(options, "a move")) {
      if (key !== "proration" || !["none", "prorate", "credit"].includes(value)) fail("a move has proration: \"none\", \"prorate\" or \"credit\"");
      move.proration = value;
    }
    return this.#then(move);
  }

  #outcome() {
    return play(this.#plan, this.#steps);
  }

  /** The open period's bill, as if it ended without more usage. */
  bill(check) {
    const found = bill(this.#outcome().bill);
    if (check !== undefined && !holds(check(found), "a check of a bill")) throw new NativeError(`the bill is another than the test says: ${toJson(found.json)}`);
    return found;
  }

  /** The bills of the periods that ended, oldest first. */
  invoices() {
    return this.#outcome().invoices.map(bill);
  }

  toString() {
    return told(this.#plan, this.#steps);
  }
}

// What one test file is given is what the next is given, and only `given` makes one.
Reflect.deleteProperty(Subscriber.prototype, "constructor");
freeze(Subscriber.prototype);

/** A tree of plain data that nobody changes any more. */
function frozen(value) {
  if (typeof value !== "object" || value === null) return value;
  for (const key of ownKeys(value)) frozen(value[key]);
  return freeze(value);
}

const NANOS = ["roundingNanos", "trueUpNanos", "creditLeftNanos"];

/** A bill as tests read it: cents are numbers, nanodollars bigints. */
function bill(raw) {
  const { totals, meters, ...rest } = raw;
  const made = { ...rest, ratedNanos: big(totals.ratedNanos), fundedNanos: big(totals.fundedNanos), receivableNanos: big(totals.receivableNanos), meters: {} };
  for (const name of NANOS) made[name] = big(raw[name]);
  const used = ({ quantity, ratedNanos }) => ({ quantity, ratedNanos: big(ratedNanos) });
  for (const meter of ownKeys(meters)) {
    const cells = (meters[meter].cells ?? []).map((cell) => freeze({ by: freeze({ ...cell.by }), ...used(cell) }));
    made.meters[meter] = freeze({ ...used(meters[meter]), cells: freeze(cells) });
  }
  freeze(made.meters);
  const methods = {
    json: { value: frozen(raw) },
    matchesGolden: { value: (name) => matchesGolden(raw, name) },
  };
  return freeze(Object.defineProperties(made, methods));
}

/** A life as an author would write it. */
function told(plan, steps) {
  const one = (step) => {
    switch (step.kind) {
      case "use": {
        const { units: quantity, uniqueKey, by } = step;
        const said = by !== undefined ? { ...(uniqueKey === undefined ? { units: quantity } : { uniqueKey }), by } : uniqueKey === undefined ? quantity : [uniqueKey];
        return `.uses({ ${toJson(step.meter)}: ${toJson(said)} })`;
      }
      case "request": return `.uses(${toJson(step.route)}, { status: ${step.status}, reports: ${toJson(step.reports)} })`;
      case "after": return `.after(${toJson(step.span)})`;
      default: return `.movesTo(${toJson(step.plan)}, { proration: ${toJson(step.proration)} })`;
    }
  };
  return `given(${toJson(plan)})${steps.map(one).join("")}`;
}

function given(plan) {
  return new Subscriber(typeof plan === "string" ? plan : fail("given takes the key of a plan"), []);
}

// Tests, and how they are run.

const tests = [];
/** The test that runs; none while a file is read. */
let current = null;
let seed = 0n;
let runs = RUNS;

function test(name, run) {
  if (typeof name !== "string" || typeof run !== "function") fail("test takes a name and a function");
  const at = file();
  if (tests.some((known) => known.name === name && known.file === at)) fail(`there are two tests ${toJson(name)} in ${at}`);
  tests.push({ name, run, file: at });
}

function matchesGolden(raw, name) {
  if (current === null) fail("matchesGolden belongs into a test");
  if (typeof name !== "string") fail("a golden bill has a name");
  const problem = golden(current.file, name, raw);
  if (problem !== null) throw new NativeError(problem);
}

/** Whether two values are the same, or lists of the same. Other objects are what they are, and equal to no other. */
function same(actual, expected) {
  if (is(actual, expected)) return true;
  if (!isArray(actual) || !isArray(expected) || actual.length !== expected.length) return false;
  for (let place = 0; place < actual.length; place += 1) if (!same(actual[place], expected[place])) return false;
  return true;
}

function shown(value) {
  if (isArray(value)) {
    let all = "";
    for (let place = 0; place < value.length; place += 1) all += `${place > 0 ? ", " : ""}${shown(value[place])}`;
    return `[${all}]`;
  }
  return typeof value === "bigint" ? `${value}n` : typeof value === "string" ? toJson(value) : text(value);
}

function equal(actual, expected, message) {
  if (same(actual, expected)) return;
  throw new NativeError(`${message === undefined ? "" : `${text(message)}: `}${shown(actual)} is not ${shown(expected)}`);
}

function assert(condition, message) {
  if (!condition) throw new NativeError(message === undefined ? "an assertion does not hold" : text(message));
}

/** What was thrown, in a sentence; nothing of it that runs an author's code is asked for more than once. */
function sentence(error) {
  try {
    if (error instanceof NativeError) return text(error.message);
    return `${text(error)} was thrown`;
  } catch {
    return "something that has no text was thrown";
  }
}

async function runAll(given_seed, given_runs, filter) {
  seed = big(given_seed);
  runs = given_runs > 0 ? given_runs : RUNS;
  for (const one of tests) {
    if (filter !== null && !one.name.includes(filter) && !one.file.includes(filter)) continue;
    current = one;
    begin(one.file, one.name);
    let failure = null;
    try {
      await one.run();
    } catch (error) {
      failure = { message: sentence(error), place: place(error) };
    }
    current = null;
    report(one.file, one.name, failure);
  }
  return tests.length;
}

// Rules over generated lives.

/** SplitMix64: the same numbers for the same seed, everywhere. */
function chance(from) {
  let state = from;
  const next = () => {
    state = (state + 0x9e3779b97f4a7c15n) & 0xffffffffffffffffn;
    let z = state;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & 0xffffffffffffffffn;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & 0xffffffffffffffffn;
    return z ^ (z >> 31n);
  };
  const below = (end) => (end <= 0n ? 0n : next() % end);
  const pick = (list) => list[Number(below(big(list.length)))];
  return { below, pick, oneIn: (count) => below(big(count)) === 0n };
}

function hash(name) {
  let value = 0xcbf29ce484222325n;
  for (const char of name) value = ((value ^ big(char.codePointAt(0))) * 0x100000001b3n) & 0xffffffffffffffffn;
  return value;
}

/** Steps of a quantity, from its text. */
function steps(quantity) {
  const [whole, part = ""] = quantity.split(".");
  return big(whole) * STEP + big((part + "000000000").slice(0, 9));
}

function decimal(quantity) {
  const part = quantity % STEP;
  return part === 0n ? text(quantity / STEP) : `${quantity / STEP}.${text(part).padStart(9, "0").replace(/0+$/, "")}`;
}

/** A generator of what may be used of a plan's meters. */
function usage(options = {}) {
  const wanted = { meters: null, steps: LIFE_MAX, time: true };
  for (const [key, value] of members(options, "usage")) {
    if (key === "meters" && isArray(value)) wanted.meters = value.map(text);
    else if (key === "steps" && Number.isInteger(value) && value > 0 && value <= STEPS_MAX) wanted.steps = value;
    else if (key === "time" && typeof value === "boolean") wanted.time = value;
    else fail("usage has meters: a list of keys, steps: a whole number of at most 10,000, and time: whether periods pass");
  }
  return freeze(wanted);
}

/** One life: uses of the plan's meters round the edges of its prices, and time. */
function life(luck, plan, { meters, steps: most, time }) {
  // Of a meter that counts by attributes the plan's price says which values there are.
  const known = facts(plan).meters.filter(({ meter, cells }) => (meters === null || meters.includes(meter)) && (cells === null || cells.length > 0));
  if (known.length === 0) fail(`the product has no meter${meters === null ? "" : " of those"}`);
  const priced = known.filter(({ isPriced }) => isPriced);
  const made = [];
  for (let count = luck.below(big(most)) + 1n; count > 0n; count--) {
    if (time && luck.oneIn(5)) {
      made.push({ kind: "after", span: luck.pick(["1d", "15d", "1mo", "40d"]) });
      continue;
    }
    // Mostly what has a price.
    const { meter, aggregation, marks, cells } = luck.pick(priced.length > 0 && !luck.oneIn(4) ? priced : known);
    const by = cells === null ? {} : { by: luck.pick(cells) };
    if (aggregation === "unique") made.push({ kind: "use", meter, units: "1", uniqueKey: `key-${luck.below(8n)}`, ...by });
    else if (aggregation === "count") made.push({ kind: "use", meter, units: text(luck.below(20n)), ...by });
    else made.push({ kind: "use", meter, units: decimal(amount(luck, marks.map(steps))), ...by });
  }
  return made;
}

function amount(luck, marks) {
  const mark = luck.pick(marks);
  switch (luck.below(8n)) {
    case 0n: case 1n: case 2n: return mark;
    case 3n: return mark + STEP;
    case 4n: return mark >= STEP ? mark - STEP : 0n;
    case 5n: return mark + luck.below(STEP);
    case 6n: return luck.below(mark / STEP + 2n) * STEP;
    default: return luck.below(marks.reduce((most, one) => (one > most ? one : most), STEP) * 3n);
  }
}

/** Lives that are smaller, the smallest first. */
function* smaller(lives) {
  for (let at = 0; at < lives.length; at++) yield [...lives.slice(0, at), ...lives.slice(at + 1)];
  // Two uses as one.
  for (let at = 0; at < lives.length; at++) {
    for (let other = at + 1; other < lives.length; other++) {
      const [one, two] = [lives[at], lives[other]];
      if (one.kind !== "use" || two.kind !== "use" || one.meter !== two.meter || one.uniqueKey !== undefined) continue;
      if (toJson(one.by) !== toJson(two.by)) continue;
      const both = { ...one, units: decimal(steps(one.units) + steps(two.units)) };
      yield [...lives.slice(0, at), both, ...lives.slice(at + 1, other), ...lives.slice(other + 1)];
    }
  }
  for (let at = 0; at < lives.length; at++) {
    const step = lives[at];
    if (step.kind !== "use" || step.uniqueKey !== undefined) continue;
    const now = steps(step.units);
    const put = (quantity) => [...lives.slice(0, at), { ...step, units: decimal(quantity) }, ...lives.slice(at + 1)];
    const whole = now / STEP * STEP;
    if (whole !== now) yield put(whole);
    for (let less = now; less >= STEP; less /= 2n) yield put((now - less) / STEP * STEP);
    for (let less = STEP / 2n; less > 0n && whole !== now; less /= 2n) if (less < now) yield put(now - less);
  }
}

/** Whether a check holds: it answers true or nothing where it does. A promise, or what only looks false, is no answer. */
function holds(answer, what) {
  if (answer === undefined || answer === true) return true;
  if (answer === false) return false;
  fail(`${what} answers true, false or nothing, at once`);
}

/** What is wrong with a life; nothing where the rule holds. */
function broken(rule, plan, lives) {
  try {
    return holds(rule(new Subscriber(plan, lives)), "a rule") ? null : "the rule does not hold";
  } catch (error) {
    return sentence(error);
  }
}

function forAll(plan, generator, rule, options = {}) {
  if (typeof rule !== "function") fail("forAll takes a plan, usage() and a function");
  const where = current === null ? file() : `${current.file}/${current.name}`;
  let count = runs;
  for (const [key, value] of members(options, "forAll's options")) count = key === "runs" && Number.isSafeInteger(value) && value > 0 ? value : fail("forAll has runs: a whole number");
  for (let run = 0; run < count; run++) {
    let worst = life(chance(seed ^ hash(`${where}/${run}`)), plan, generator);
    let why = broken(rule, plan, worst);
    if (why === null) continue;
    let [tries, times] = [0, 0];
    for (let again = true; again; ) {
      again = false;
      for (const less of smaller(worst)) {
        if (tries++ >= SHRINKS_MAX) break;
        const still = broken(rule, plan, less);
        if (still === null) continue;
        [worst, why, again] = [less, still, true];
        times++;
        break;
      }
    }
    throw new NativeError(`${told(plan, worst)}\n  ${why}\n  (seed ${seed}, run ${run}, made smaller ${times} times)`);
  }
}

/** Whatever is used more costs no less. */
function moreNeverCostsLess(plan, options) {
  forAll(plan, usage({ time: false }), (subscriber) => {
    const before = subscriber.bill();
    for (const { meter, aggregation, cells } of facts(plan).meters) {
      if (aggregation !== "sum" && aggregation !== "count") continue;
      for (const one of cells === null ? [1] : cells.map((by) => ({ units: 1, by }))) {
        const after = subscriber.uses({ [meter]: one }).bill();
        const of = cells === null ? toJson(meter) : `${toJson(meter)} by ${toJson(one.by)}`;
        if (after.ratedNanos < before.ratedNanos) throw new NativeError(`one more of ${of} costs ${before.ratedNanos - after.ratedNanos} nanodollars less: ${before.ratedNanos}, then ${after.ratedNanos}`);
      }
    }
  }, options);
}

/** No bill is above the most that the plan lets its subscriber spend, in cents. */
function neverAboveMost(plan, options) {
  const { mostCents } = facts(plan);
  if (mostCents === null) fail(`the plan ${toJson(plan)} has no maxMonthlySpendCents`);
  forAll(plan, usage(), (subscriber) => {
    for (const one of [...subscriber.invoices(), subscriber.bill()]) {
      if (big(one.totalCents) > big(mostCents)) throw new NativeError(`the bill is ${one.totalCents} cents; the plan's most is ${mostCents}`);
    }
  }, options);
}

/** What was used is not charged again by a move, and moving there and back makes no bill of it. */
function moveNeverChargesTwice(from, to, options) {
  forAll(from, usage({ time: false }), (subscriber) => {
    const before = subscriber.bill().ratedNanos;
    const moved = subscriber.movesTo(to).bill().ratedNanos;
    const back = subscriber.movesTo(to).movesTo(from).bill().ratedNanos;
    if (moved !== before || back !== before) throw new NativeError(`usage came to ${before} nanodollars before the move, to ${moved} after it, and to ${back} after the way back`);
  }, options);
}

/** A plan without a price stays free, whatever is used. */
function freeStaysFree(plan, options) {
  forAll(plan, usage(), (subscriber) => {
    for (const one of [...subscriber.invoices(), subscriber.bill()]) if (big(one.totalCents) !== 0n) throw new NativeError(`the bill is ${one.totalCents} cents`);
  }, options);
}

export { test, given, forAll, usage, equal, assert, moreNeverCostsLess, neverAboveMost, moveNeverChargesTwice, freeStaysFree, runAll };
