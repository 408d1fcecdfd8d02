import { Plan, Product } from "@svc/product";

// An author's own objects and classes may have members of their own where a built-in has some.
class List extends Array<number> {
  constructor() {
    super();
    this.toString = () => "list";
    this.map = (() => ["own"]) as never;
    this[Symbol.iterator] = function* () {
      yield 7;
    } as never;
  }
}
List.of = (() => "of") as never;
List.from = (() => "from") as never;
class Prices extends Map<string, number> {
  constructor() {
    super();
    this.get = () => 42;
  }
}
class Later extends Promise<number> {}
Later.resolve = (() => "resolved") as never;
const told: unknown[] = [];
const list = new List();
told.push(String(list), list.map((x) => x), [...list], List.of(1), List.from([]), new Prices().get("x"), Later.resolve(1));
const set = new Set([1]);
set.has = () => false;
const later = new Later(() => {});
later.then = (() => "then") as never;
const pattern = /x/;
pattern.exec = () => null;
const bytes = new Uint8Array(2);
bytes.fill = (() => "fill") as never;
const call = () => 1;
call.call = (() => "call") as never;
call.toString = () => "text";
const view = new DataView(new ArrayBuffer(1));
view.getInt8 = () => 9;
const day = new Date(0);
day.getTime = () => 5;
const weak = new WeakMap();
weak.has = () => true;
const text = Object("text") as { trim: () => string };
text.trim = () => "trimmed";
const steps = [1].values();
steps.next = () => ({ done: true, value: undefined });
const error = new RangeError("x");
error.name = "Named";
told.push(set.has(1), later.then(), pattern.test("x"), bytes.fill(1), call.call(0), `${call}`, view.getInt8(0));
told.push(day.getTime(), weak.has({}), text.trim(), [...steps], String(error));
const plain: Record<string, unknown> = {};
plain.toString = 1;
plain.constructor = 2;
const mixed = Object.assign([1], { map: 3, length: 1 });
told.push(Object.entries(plain), mixed.map, Object.getOwnPropertyDescriptor(mixed, "map"));
const inherited = Object.create([], { push: { value: 1, writable: true } }) as { push: number };
inherited.push = 2;
told.push(Object.getOwnPropertyDescriptor(inherited, "push"));
// What is closed stays closed.
const fails = (attempt: () => void) => {
  try {
    attempt();
    return "done";
  } catch (error) {
    return (error as Error).constructor.name;
  }
};
told.push(
  fails(() => ((Object.freeze({}) as Record<string, unknown>).toString = 1)),
  fails(() => ((Object.freeze([]) as unknown as Record<string, unknown>).map = 1)),
  fails(() => ((Object.preventExtensions(new Map()) as unknown as Record<string, unknown>).get = 1)),
  fails(() => (("text" as unknown as Record<string, unknown>).trim = 1)),
  fails(() => ((Object.create([], { map: { value: 1 } }) as Record<string, unknown>).map = 2)),
  fails(() => ((new Map() as unknown as Record<symbol, unknown>)[Symbol.toStringTag] = 1)),
  Reflect.set([], "map", 1),
  Reflect.set({}, "toString", 1, []),
);

@Product({ origin: "https://api.example.com", description: JSON.stringify(told) })
export default class Acme {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
