// Classes in all three dialects: the same registry, misuses and errors everywhere.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { DIALECTS, registryOf, run } from "./run.js";
import type { Mode } from "./run.js";

const MODES: Mode[] = ["throw", "record"];

/** The registry of a case, after making sure that it is the same text in all dialects and modes. */
function same(fixture: string, name: string, modes: Mode[] = MODES) {
  const outcomes = DIALECTS.flatMap((dialect) => modes.map((mode) => run(dialect, fixture, name, mode)));
  for (const outcome of outcomes) assert.deepEqual(outcome, outcomes[0]);
  return registryOf(outcomes[0]!);
}

test("the version is that of package.json", () => {
  const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
  assert.equal(same("products", "minimal", ["record"]).sdkVersion, version);
});

test("declarations are in declaration order, stacks from top to bottom", () => {
  const registry = same("products", "order");
  assert.deepEqual(Object.keys(registry), [
    "registryVersion", "sdkVersion", "className", "products", "declarations", "misuses",
  ]);
  assert.equal(registry.registryVersion, 1);
  assert.equal(registry.className, "Ordered");
  assert.equal(registry.products, 1);
  assert.deepEqual(registry.misuses, []);
  assert.deepEqual(
    registry.declarations?.map(({ decorator, member, args }) => [decorator, member, args]),
    [
      ["Product", null, [{ origin: "https://api.example.com" }]],
      ["Frontend", null, [{ nav: [{ label: "A", path: "/a" }] }]],
      ["Raw", null, [{ first: 1 }]],
      ["Raw", null, [{ second: 2 }]],
      ["Surface", "surfaces", ["api"]],
      ["Surface", "surfaces", ["docs", { title: "Docs" }]],
      ["Surface", "surfaces", ["agent"]],
      ["Requests", "requests", []],
      ["Meter", "compute", ["compute", { unit: "ms" }]],
      ["Resource", "jobs", ["jobs"]],
      ["Capability", "scheduling", ["scheduling"]],
      ["Feature", "feature", ["jobs", { routes: { "GET /b": {}, "GET /a": {} } }]],
      ["Plan", "plans", ["free"]],
      ["Plan", "plans", ["paid", { limits: { requests: { rate: 1, interval: "second" } } }]],
      ["Entitlement", "entitlement", ["base"]],
      ["Workflow", "workflow", ["nightly"]],
      ["Backend", "backend", ["main"]],
      ["Policy", "policy", ["auth", { kind: "auth" }]],
    ],
  );
});

test("key order of routes is kept", () => {
  const feature = same("products", "order", ["record"]).declarations?.find((d) => d.decorator === "Feature");
  assert.equal(JSON.stringify(feature?.args[1]), '{"routes":{"GET /b":{},"GET /a":{}}}');
});

test("helpers give the engine's tags", () => {
  const registry = same("products", "helpers");
  assert.deepEqual((registry.declarations?.[1]?.args[1] as { grants: unknown }).grants, [
    { type: "capability", capability: "a" },
    { type: "capability", capability: "b", limits: { jobs: 1 } },
    { type: "credit", amountCents: 5, display: { kind: "multiplier", factor: 20 } },
    { type: "topUp", sku: "s", label: "l", priceCents: 1, creditCents: 2 },
    { amountCents: 6, display: { kind: "multiplier", factor: 3 } },
    "plain",
  ]);
});

test("two products are counted, and each has its own registry", () => {
  const registry = same("products", "twoProducts");
  assert.equal(registry.products, 2);
  assert.equal(registry.className, "Second");
  assert.deepEqual(registry.declarations?.map((d) => d.member), [null, "b"]);
});

test("what a base class declares is not the product's", () => {
  assert.deepEqual(same("products", "inherited").declarations?.map((d) => d.member), [null, "own"]);
});

test("arguments are copied in the decorator call; later changes don't matter", () => {
  assert.deepEqual(same("products", "reused").declarations?.slice(1), [
    { decorator: "Meter", member: "a", args: ["compute", { unit: "ms" }] },
    { decorator: "Meter", member: "b", args: ["compute", { unit: "ms" }] },
  ]);
  assert.deepEqual(same("products", "lateChange").declarations?.[1]?.args[1], {
    limits: { requests: { rate: 1, interval: "day" } },
  });
});

test("keys that begin with $ are told from $odd", () => {
  assert.deepEqual(same("products", "dollarKeys").declarations?.[1]?.args, [
    { $$odd: "NaN", $$$: 1, a$: 2, nested: { $$odd: "Date" } },
  ]);
});

test("estimates for bound meters are fine", () => {
  assert.equal(same("products", "estimates").className, "Estimated");
});

for (const [name, absent] of [
  ["nothing", "missing"],
  ["nullExport", "notAClass"],
  ["objectExport", "notAClass"],
  ["functionExport", "notAClass"],
  ["arrowExport", "notAClass"],
  ["plainClass", "notDecorated"],
  ["undecorated", "notDecorated"],
] as const) {
  test(`no product: ${name} is "${absent}"`, () => {
    assert.deepEqual(same("products", name), {
      registryVersion: 1, sdkVersion: "0.1.0", absent, products: 0, misuses: [],
    });
  });
}

test("a Proxy of a product and a subclass of one are no products", () => {
  assert.deepEqual(same("products", "proxyExport"), {
    registryVersion: 1, sdkVersion: "0.1.0", absent: "notAClass", products: 1, misuses: [],
  });
  assert.deepEqual(same("products", "subclassOfProduct"), {
    registryVersion: 1, sdkVersion: "0.1.0", absent: "notDecorated", products: 1, misuses: [],
  });
});

// Misuses.

const MISUSES: [name: string, ...misuses: [string, string | null, string][]][] = [
  ["method", ["Meter", "run", "method"]],
  ["getter", ["Meter", "run", "method"]],
  ["staticMember", ["Meter", "run", "static"]],
  ["symbolMember", ["Meter", null, "symbolMember"]],
  ["loneSurrogateName", ["Meter", null, "symbolMember"]],
  ["classDecoratorOnMember", ["Raw", "run", "classDecoratorOnMember"], ["Frontend", "run", "classDecoratorOnMember"]],
  ["memberDecoratorOnClass", ["Plan", null, "memberDecoratorOnClass"]],
  ["outsideClass", ["Meter", null, "outsideClass"]],
  ["outsideClassObject", ["Meter", null, "outsideClass"]],
  ["outsideClassText", ["Product", null, "outsideClass"]],
  ["productTwice", ["Product", null, "finalised"]],
  ["productBelow", ["Frontend", null, "finalised"]],
  ["memberNoParenthesesOnClass", ["Meter", null, "memberDecoratorOnClass"]],
  ["noParenthesesOnMethod", ["Requests", "requests", "method"]],
];

for (const [name, ...misuses] of MISUSES) {
  test(`misuse: ${name} is recorded, or thrown`, () => {
    assert.deepEqual(
      same("misuse", name, ["record"]).misuses,
      misuses.map(([decorator, member, reason]) => ({ decorator, member, reason })),
    );
    for (const dialect of DIALECTS) {
      const { error } = run(dialect, "misuse", name, "throw");
      const [decorator, member] = misuses[0]!;
      assert.equal(error?.name, "ProductError");
      assert.equal(error.code, "DECORATOR_MISUSE");
      assert.equal(error.path, member ?? "");
      assert.ok(error.message.startsWith(`@${decorator} `), error.message);
    }
  });
}

for (const [name, reason] of [["privateMember", "private"], ["accessorKeyword", "method"]] as const) {
  test(`misuse: ${name} is recorded, or thrown`, () => {
    for (const dialect of ["tc39", "esbuild"] as const) {
      const { misuses } = registryOf(run(dialect, "private", name, "record"));
      assert.deepEqual(misuses, [{ decorator: "Meter", member: reason === "private" ? "#run" : "run", reason }]);
      assert.equal(run(dialect, "private", name, "throw").error?.code, "DECORATOR_MISUSE");
    }
  });
}

test("misuse: a computed name that is a number is told where the compiler hands it over as one", () => {
  for (const dialect of ["legacy", "esbuild"] as const) {
    const { misuses } = registryOf(run(dialect, "misuse", "numberMember", "record"));
    assert.deepEqual(misuses, [{ decorator: "Meter", member: null, reason: "numberMember" }]);
    assert.equal(run(dialect, "misuse", "numberMember", "throw").error?.code, "DECORATOR_MISUSE");
  }
  // As the standard has it.
  assert.equal(registryOf(run("tc39", "misuse", "numberMember", "record")).declarations?.[1]?.member, "6");
});

test("a decorator without parentheses is one without arguments", () => {
  assert.deepEqual(same("misuse", "noParentheses").declarations?.slice(1), [
    { decorator: "Requests", member: "requests", args: [] },
    { decorator: "Meter", member: "compute", args: [] },
  ]);
});

test("a class decorator without parentheses leaves the class as it is", () => {
  assert.deepEqual(same("misuse", "noParenthesesOnClass").declarations, [
    { decorator: "Product", member: null, args: [] },
    { decorator: "Raw", member: null, args: [] },
  ]);
});

test("recording throws nothing and leaves the rest of the class in place", () => {
  const registry = same("misuse", "mixed", ["record"]);
  assert.deepEqual(registry.misuses, [{ decorator: "Meter", member: "b", reason: "method" }]);
  assert.deepEqual(registry.declarations?.map((d) => d.member), [null, "a", "f"]);
  assert.deepEqual(registry.declarations?.[2]?.args[1], {
    routes: { "1": { estimates: { x: { $odd: "NaN" } } }, "get /x": { cost: { m: 1 }, report: "m" } },
  });
});

// The five class-definition errors.

const route = (key: string, rest = "") => `features.jobs.routes.${key}${rest}`;
const THROWS: [name: string, code: string, path: string][] = [
  ["costAndReport", "METER_COST_AND_REPORT", route("POST /v1/jobs", ".cost.compute")],
  ["costAndReports", "METER_COST_AND_REPORT", route("POST /v1/jobs", ".cost.compute")],
  ["costAndReportsText", "METER_COST_AND_REPORT", route("POST /v1/jobs", ".cost.compute")],
  ["lowerCaseMethod", "ROUTE_KEY_FORM", route("get /a")],
  ["unknownMethod", "ROUTE_KEY_FORM", route("TRACE /a")],
  ["noPath", "ROUTE_KEY_FORM", route("GET")],
  ["relativePath", "ROUTE_KEY_FORM", route("GET a")],
  ["twoSpaces", "ROUTE_KEY_FORM", route("GET  /a")],
  ["spaceInPath", "ROUTE_KEY_FORM", route("GET /a b")],
  ["lineBreak", "ROUTE_KEY_FORM", route("GET /a\n")],
  ["emptyKey", "ROUTE_KEY_FORM", route("")],
  ["protoKey", "ROUTE_KEY_FORM", route("__proto__")],
  ["integerKey", "INTEGER_LIKE_KEY", route("7")],
  ["zeroPaddedKey", "INTEGER_LIKE_KEY", route("007")],
  ["nanRouteEstimate", "ESTIMATE_NOT_A_NUMBER", route("GET /a", ".estimates.compute")],
  ["nanWorkflowEstimate", "ESTIMATE_NOT_A_NUMBER", "workflows.nightly.estimates.compute"],
  ["nanMeterEstimate", "ESTIMATE_NOT_A_NUMBER", "meters.compute.estimate"],
  ["nanRequestsEstimate", "ESTIMATE_NOT_A_NUMBER", "meters.requests.estimate"],
  ["undeclaredEstimate", "ESTIMATE_METER_UNBOUND", route("GET /a", ".estimates.compute_ms")],
  ["reportedUndeclared", "ESTIMATE_METER_UNBOUND", route("GET /a", ".estimates.ghost")],
  ["unboundEstimate", "ESTIMATE_METER_UNBOUND", route("GET /a", ".estimates.compute")],
  ["unmeteredEstimate", "ESTIMATE_METER_UNBOUND", route("GET /a", ".estimates.compute")],
  ["noInheritedEstimate", "ESTIMATE_METER_UNBOUND", route("GET /a", ".estimates.base")],
  ["dollarEstimate", "ESTIMATE_METER_UNBOUND", route("GET /a", ".estimates.$x")],
  ["protoEstimate", "ESTIMATE_METER_UNBOUND", route("GET /a", ".estimates.__proto__")],
  ["constructorEstimate", "ESTIMATE_METER_UNBOUND", route("GET /a", ".estimates.constructor")],
  ["workflowUnlisted", "ESTIMATE_METER_UNBOUND", "workflows.nightly.estimates.compute"],
  ["workflowUndeclared", "ESTIMATE_METER_UNBOUND", "workflows.nightly.estimates.ghost"],
];

for (const [name, code, path] of THROWS) {
  test(`throws: ${name} is ${code}`, () => {
    for (const dialect of DIALECTS) {
      const { error } = run(dialect, "throws", name, "throw");
      assert.deepEqual({ ...error, message: "" }, { name: "ProductError", code, path, message: "" });
      assert.ok(error !== undefined && error.message.length > 20);
    }
    const recorded = same("throws", name, ["record"]);
    assert.equal(recorded.className, "P");
    assert.deepEqual(recorded.misuses, []);
  });
}

// Patched built-ins.

for (const name of [
  "arrayIterator", "arrayIndexSetter", "arrayPush", "arrayJoin", "objectGet", "objectValue", "objectArchive",
  "objectToJson", "stringToJson", "jsonStringify", "jsonParse", "mapSet", "weakMapGet", "reflectOwnKeys",
  "functionCall", "regExpExec", "isWellFormed", "stringIterator",
]) {
  test(`patched built-ins change nothing: ${name}`, () => {
    const untouched = same("patched", "none");
    assert.equal(untouched.declarations?.length, 6);
    assert.deepEqual(same("patched", name), untouched);
  });
}

test("without metadata from the compiler a TC39 decorator is a misuse", async () => {
  const { Meter, Product } = await import("@svc/product");
  const context = { kind: "field", name: "a", static: false, private: false, addInitializer() {} };
  assert.throws(() => Meter("a")(undefined, context as never), {
    name: "ProductError", code: "DECORATOR_MISUSE", path: "a", message: /metadata/,
  });
  const classContext = { kind: "class", name: "A", metadata: undefined, addInitializer() {} };
  assert.throws(() => Product({ origin: "https://a.example" })(class A {}, classContext as never), {
    code: "DECORATOR_MISUSE", path: "", message: /metadata/,
  });
});
