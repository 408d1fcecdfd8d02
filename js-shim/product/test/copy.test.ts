// What a copied value becomes. The decorators are applied by hand here, as the legacy dialect does.

import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { Product, Raw, capabilityGrant, creditGrant, display, svc, topUp } from "@svc/product";
import { readRegistry } from "@svc/product/registry";

function textOf(...args: unknown[]): string {
  class P {}
  (Raw as (...args: unknown[]) => ReturnType<typeof Raw>)(...args)(P);
  Product({ origin: "https://api.example.com" })(P);
  const text = readRegistry(P);
  const [, after] = text.split('"decorator":"Raw","member":null,"args":') as [string, string];
  return after.slice(0, after.length - '}],"misuses":[]}'.length);
}

const copy = (value: unknown): unknown => (JSON.parse(textOf(value)) as unknown[])[0];
const odd = ($odd: string) => ({ $odd });

const throwing = (trap: string) =>
  new Proxy({ a: 1 }, { [trap]: () => { throw new Error("trap"); } });

const revoked = (target: object) => {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
};

const nested = (levels: number): unknown => (levels === 0 ? 1 : { in: nested(levels - 1) });

const unreadable = { get a() { throw new Error("a getter was called"); } };

const withPrototype = (prototype: object | null, own: object) => Object.assign(Object.create(prototype), own);

const ODD: [string, string, () => unknown][] = [
  ["NaN", "NaN", () => NaN],
  ["Infinity", "Infinity", () => Infinity],
  ["minus Infinity", "-Infinity", () => -Infinity],
  ["minus zero", "-0", () => -0],
  ["bigint", "bigint", () => 1n],
  ["symbol", "symbol", () => Symbol("s")],
  ["function", "function", () => () => 1],
  ["async generator function", "function", () => async function* () {}],
  ["Proxy of a function", "function", () => new Proxy(() => 1, {})],
  ["symbol key", "symbol key", () => ({ [Symbol("s")]: 1 })],
  ["lone surrogate", "lone surrogate", () => "a\ud800b"],
  ["lone surrogate key", "lone surrogate key", () => ({ a: 1, "\udc00": 2 })],
  ["sparse array", "sparse array", () => [1, , 2]],
  ["array of holes", "sparse array", () => new Array(3)],
  ["endless array", "too large", () => new Array(4_000_000_000)],
  ["Proxy that throws on ownKeys", "threw", () => throwing("ownKeys")],
  ["Proxy that throws on getOwnPropertyDescriptor", "threw", () => throwing("getOwnPropertyDescriptor")],
  ["Proxy that throws on getPrototypeOf", "threw", () => throwing("getPrototypeOf")],
  ["revoked Proxy", "threw", () => revoked({})],
  ["revoked Proxy of an array", "threw", () => revoked([])],
  ["Date", "Date", () => new Date(0)],
  ["Date of a subclass", "Date", () => new (class extends Date {})(0)],
  ["RegExp", "RegExp", () => /x/],
  ["Map", "Map", () => new Map()],
  ["Set", "Set", () => new Set()],
  ["Promise", "Promise", () => Promise.resolve()],
  ["Error", "Error", () => new Error("x")],
  ["TypeError", "Error", () => new TypeError("x")],
  ["ArrayBuffer", "ArrayBuffer", () => new ArrayBuffer(1)],
  ["Uint8Array", "typed array", () => new Uint8Array(1)],
  ["BigInt64Array", "typed array", () => new BigInt64Array(1)],
  ["large Float64Array", "typed array", () => new Float64Array(1_000_000)],
  ["Number object", "boxed primitive", () => new Number(1)],
  ["String object", "boxed primitive", () => new String("s")],
  ["Boolean object", "boxed primitive", () => new Boolean(true)],
  ["Symbol object", "boxed primitive", () => Object(Symbol("s"))],
  ["BigInt object", "boxed primitive", () => Object(1n)],
  ["instance of a class", "class instance", () => new (class { a = 1; })()],
  ["object with a prototype of its own", "class instance", () => Object.create({ a: 1 })],
  ["WeakMap", "class instance", () => new WeakMap()],
  ["DataView", "class instance", () => new DataView(new ArrayBuffer(1))],
  ["object of another realm", "class instance", () => runInNewContext("({ a: 1 })")],
  ["pretender to be a Map", "class instance", () => Object.create(Map.prototype)],
  ["array of a subclass", "class instance", () => new (class extends Array {})()],
  ["array of a subclass with properties", "array with properties", () => new (class extends Array { a = 1; })()],
  ["array with a property", "array with properties", () => Object.assign([1], { a: 1 })],
  ["array with a symbol", "array with properties", () => Object.assign([1], { [Symbol("s")]: 1 })],
  ["RegExp match", "array with properties", () => /x/.exec("x")],
];

for (const [title, kind, make] of ODD) {
  test(`$odd: ${title} is "${kind}"`, () => {
    assert.deepEqual(copy(make()), odd(kind));
    assert.deepEqual(copy({ a: [make()] }), { a: [odd(kind)] });
  });
}

test("$odd: undefined in an array, and before another argument", () => {
  assert.deepEqual(copy([undefined]), [odd("undefined")]);
  assert.equal(textOf(undefined, 1, undefined), '[{"$odd":"undefined"},1]');
});

test("trailing undefined arguments are left out", () => {
  assert.equal(textOf(undefined, undefined), "[]");
  assert.equal(textOf(), "[]");
});

test("$odd: accessors, which are never called", () => {
  assert.deepEqual(copy(unreadable), { a: odd("accessor") });
  assert.deepEqual(copy({ in: [unreadable] }), { in: [{ a: odd("accessor") }] });
  assert.deepEqual(copy({ set a(_: unknown) {} }), { a: odd("accessor") });
  const list = Object.defineProperty([1, 2], 0, { get: () => assert.fail(), enumerable: true });
  assert.deepEqual(copy(list), [odd("accessor"), 2]);
});

test("$odd: a cycle, but no other repeat", () => {
  const object: Record<string, unknown> = { shared: [1] };
  object["again"] = object["shared"];
  object["self"] = { object };
  assert.deepEqual(copy(object), { shared: [1], again: [1], self: { object: odd("cycle") } });
  const list: unknown[] = [];
  list[0] = list;
  assert.deepEqual(copy(list), [odd("cycle")]);
});

test("$odd: below 64 levels is too deep", () => {
  assert.deepEqual(copy(nested(64)), nested(64));
  const text = textOf(nested(65));
  assert.equal(text.match(/"in"/g)?.length, 64);
  assert.ok(text.includes(`{"in":{"$odd":"too deep"}}`));
});

test("$odd: past 200,000 values is too large", () => {
  const most = new Array(199_999).fill(0);
  assert.equal((copy(most) as unknown[]).length, 199_999);
  assert.deepEqual(copy([...most, 0]), odd("too large"));
  const half = new Array(120_000).fill(0);
  const [first, second] = copy([half, half]) as [unknown[], unknown];
  assert.equal(first.length, 120_000);
  assert.deepEqual(second, odd("too large"));
  const wide = Object.fromEntries(most.concat(0).map((_, i) => [`k${i}`, i]));
  assert.deepEqual(copy(wide), odd("too large"));
  const bomb = (levels: number): unknown => {
    const below = levels === 0 ? 0 : bomb(levels - 1);
    return [below, below, below, below, below, below, below, below];
  };
  assert.ok(textOf(bomb(40)).length < 10_000_000);
});

test("a Proxy that lies about its length gets no more than its share", () => {
  for (const value of ["5", -5, NaN, 1e9, { valueOf: () => assert.fail() }]) {
    const liar = new Proxy([1, 2], {
      getOwnPropertyDescriptor: (target, key) =>
        key === "length"
          ? { value, writable: true, enumerable: false, configurable: false }
          : Reflect.getOwnPropertyDescriptor(target, key),
    });
    assert.deepEqual(copy(liar), odd("too large"));
  }
});

test("each property is read once, through its descriptor", () => {
  const seen: string[] = [];
  const handler: ProxyHandler<object> = {
    get: (_, key) => assert.fail(`get ${String(key)}`),
    has: (_, key) => assert.fail(`has ${String(key)}`),
    getOwnPropertyDescriptor(target, key) {
      seen.push(String(key));
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
  };
  assert.deepEqual(copy(new Proxy({ a: 1, b: "x" }, handler)), { a: 1, b: "x" });
  assert.deepEqual(seen, ["a", "b"]);
  seen.length = 0;
  assert.deepEqual(copy(new Proxy([7, 8], handler)), [7, 8]);
  assert.deepEqual(seen, ["length", "0", "1"]);
});

test("plain values are copied as they are", () => {
  const value = { s: 'q"\\\n\u2028é😀', n: [0, 1.5, -2, 1e21, 1e-7, 2 ** 53], b: [true, false], z: null, e: {}, l: [] };
  assert.deepEqual(copy(value), value);
  assert.deepEqual(copy(withPrototype(null, { a: 1 })), { a: 1 });
});

test("undefined, non-enumerable and inherited properties are left out", () => {
  const object = Object.defineProperty({ a: undefined, b: 1 }, "hidden", { value: 2 });
  assert.equal(textOf(object), '[{"b":1}]');
  Object.defineProperty(Object.prototype, "archive", { value: true, configurable: true, enumerable: true });
  try {
    assert.equal(textOf({ b: 1 }), '[{"b":1}]');
    assert.equal(textOf([{}]), "[[{}]]");
  } finally {
    delete (Object.prototype as { archive?: true }).archive;
  }
});

test("an own __proto__ key is a key like any other", () => {
  assert.equal(textOf(JSON.parse('{"__proto__":{"archive":true},"b":1}')), '[{"__proto__":{"archive":true},"b":1}]');
});

test("a key that begins with $ gets one more", () => {
  assert.equal(textOf({ $odd: "NaN", $: 1, $$a: 2, a$: 3 }), '[{"$$odd":"NaN","$$":1,"$$$a":2,"a$":3}]');
});

test("key order is the author's, except for integer-like keys", () => {
  assert.equal(textOf({ b: 1, a: 2, 1: 3 }), '[{"1":3,"b":1,"a":2}]');
});

test("$odd: a class inside an argument is a function", () => {
  assert.deepEqual(copy([class {}]), [odd("function")]);
});

test("a class as the only argument is never lost in silence", () => {
  const decorator = Raw(class Y {} as never);
  assert.throws(() => decorator(class X {}), TypeError);
});

test("toJSON is never called", () => {
  assert.deepEqual(copy({ toJSON: () => assert.fail() }), { toJSON: odd("function") });
});

test("helpers return plain tagged objects", () => {
  assert.equal(JSON.stringify(capabilityGrant("c")), '{"type":"capability","capability":"c"}');
  assert.equal(
    JSON.stringify(capabilityGrant("c", { limits: { jobs: 1 } })),
    '{"type":"capability","capability":"c","limits":{"jobs":1}}',
  );
  assert.equal(JSON.stringify(creditGrant({ amountCents: 5, recurs: true })), '{"type":"credit","amountCents":5,"recurs":true}');
  assert.equal(
    JSON.stringify(topUp({ sku: "s", label: "l", priceCents: 1, creditCents: 2 })),
    '{"type":"topUp","sku":"s","label":"l","priceCents":1,"creditCents":2}',
  );
  assert.equal(JSON.stringify(svc.display.multiplier({ factor: 20 })), '{"kind":"multiplier","factor":20}');
  assert.equal(svc.display, display);
});

test("helpers lose nothing and call no getter", () => {
  assert.deepEqual(copy(creditGrant(unreadable as never)), { type: "credit", a: odd("accessor") });
  assert.deepEqual(copy(capabilityGrant("c", { limit: { jobs: 1 } } as never)), {
    type: "capability",
    capability: "c",
    limit: { jobs: 1 },
  });
  assert.deepEqual(copy(creditGrant(5 as never)), { type: "credit", options: 5 });
  assert.deepEqual(copy(creditGrant(undefined as never)), { type: "credit" });
});
