// Random products that use what only TypeScript has, each with the registry that TypeScript's own compiler and Node make of it.
// Reads { count, seed } from standard input; writes { name: { sources: { path: text }, registry: text | null, error: text | null } }.
// Uses the package's own sources, and the TypeScript and esbuild of its development dependencies.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const packageFolder = join(here, "../../js-shim/product");
const require = createRequire(join(packageFolder, "package.json"));
const { buildSync } = require("esbuild");
const ts = require("typescript");

/** Numbers by chance from a seed, the same everywhere (mulberry32). */
function chance(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One program: what is declared at its top level, what of it is told, and what its second file exports. */
class Program {
  constructor(seed) {
    this.random = chance(seed);
    this.declared = [];
    this.told = [];
    this.elsewhere = ["export const far = 7;", "export type Far = number;", "export interface Shape { x: number }"];
    this.imports = ["far"];
    /** Names that are numbers where the program ends. */
    this.numbers = ["far"];
    this.count = 0;
  }
  pick(all) {
    return all[Math.floor(this.random() * all.length)];
  }
  is(share) {
    return this.random() < share;
  }
  name(kind) {
    return `${kind}${++this.count}`;
  }
  /** A number, of what is there already. */
  number(inner = []) {
    const known = [...this.numbers, ...inner];
    const small = String(Math.floor(this.random() * 20));
    switch (Math.floor(this.random() * 6)) {
      case 0: return `(${this.pick(known)} + ${small})`;
      case 1: return `(${small} * ${this.pick(known)})`;
      case 2: return `(${this.pick(known)} as number)`;
      case 3: return `(${this.pick(known)}! ?? ${small})`;
      default: return small;
    }
  }
  say(...all) {
    this.declared.push(...all);
  }
  tell(...all) {
    this.told.push(...all);
  }
}

const forms = {
  namespace(p) {
    const [n, i] = [p.name("N"), p.name("I")];
    const a = p.number();
    const inner = p.is(0.5) ? `export namespace ${i} { export const b = a + ${p.number(["a"])}; export function g(x: number) { return x + b } }` : `const hidden = ${p.number(["a"])}; export const b = hidden * 2;`;
    p.say(`namespace ${n} {\n  export const a = ${a};\n  export function f(x: number) { return x * a + ${p.number(["a"])} }\n  ${inner}\n  export type T = number;\n}`);
    p.tell(`${n}.f(${p.number()})`, `Object.keys(${n}).join()`, inner.startsWith("export namespace") ? `${n}.${i}.g(${p.number()})` : `${n}.b`);
    p.numbers.push(`${n}.a`);
  },
  namespaceThatChanges(p) {
    const n = p.name("N");
    p.say(`namespace ${n} {\n  export let rate = ${p.number()};\n  export const cost = (units: number) => units * rate;\n}`);
    if (p.is(0.6)) p.say(p.pick([`${n}.rate = ${p.number()};`, `${n}.rate++;`, `${n}.rate += 2;`]));
    p.tell(`${n}.cost(${p.number()})`);
  },
  namespaceInTwoBlocks(p) {
    const n = p.name("N");
    p.say(`namespace ${n} {\n  export const one = ${p.number()};\n}\nnamespace ${n} {\n  export const two = one + ${p.number()};\n}`);
    p.tell(`${n}.two`);
  },
  namespaceOfTypes(p) {
    const n = p.name("N");
    p.say(`namespace ${n} {\n  export interface Shape { x: number }\n  export type Id = string;\n}`, `const ${n.toLowerCase()}: ${n}.Shape = { x: ${p.number()} };`);
    p.tell(`${n.toLowerCase()}.x`);
  },
  namespaceOnAFunction(p) {
    const f = p.name("f");
    p.say(`function ${f}(x: number) { return x + ${f}.base }\nnamespace ${f} { export const base = ${p.number()}; }`);
    p.tell(`${f}(${p.number()})`);
  },
  enum(p) {
    const e = p.name("E");
    const members = ["A"];
    const lines = [p.is(0.5) ? "A" : `A = ${p.pick(["1", "-3", "1 << 4", "0x10", "2 ** 5", "7 % 4", "~1", "5 / 2"])}`];
    for (const name of ["B", "C", "D"]) {
      const forms = [`${name} = ${Math.floor(p.random() * 9)}`, `${name} = A + 1`, `${name} = (A | 4) & 7`, `${name} = ${e}.A`];
      if (!/=.*(length|\()/.test(lines.at(-1)) || p.is(0)) forms.push(name);
      lines.push(p.pick(forms));
      members.push(name);
    }
    p.say(`${p.is(0.3) ? "const " : ""}enum ${e} { ${lines.join(", ")} }`);
    p.tell(`${e}.${p.pick(members)}`, `${e}.${p.pick(members)} + ${p.number()}`);
    p.numbers.push(`${e}.B`);
  },
  enumReadBack(p) {
    const e = p.name("E");
    p.say(`enum ${e} { Low = ${p.number()}, High = ${p.number()}, Name = "name", Both = \`x\${"y"}\`, Len = "four".length }`);
    p.tell(`${e}[${e}.Low]`, `Object.keys(${e}).join()`, `${e}.Name`, `${e}.Len`, `JSON.stringify(${e})`);
  },
  enumInTwoBlocks(p) {
    const e = p.name("E");
    p.say(`enum ${e} { A = ${Math.floor(p.random() * 9)}, B }\nenum ${e} { C = ${p.pick(["B", "A + 5", "40"])}, D }`);
    p.tell(`${e}.C`, `${e}.D`, `Object.keys(${e}).join()`);
  },
  enumDeclared(p) {
    const e = p.name("E");
    p.say(`declare enum ${e} { A = 1 }`, `type Of${e} = ${e};`);
    p.tell(`typeof (globalThis as any).${e}`);
  },
  parameterProperties(p) {
    const c = p.name("C");
    p.say(`class ${c} {\n  double = ${p.is(0.5) ? "1" : "2"};\n  constructor(private a: number, readonly b = ${p.number()}, protected c?: string, d = 3) { this.double = this.a * 2 + d }\n  get sum() { return this.a + this.b }\n}`);
    p.tell(`new ${c}(${p.number()}).sum`, `Object.keys(new ${c}(1)).join()`, `JSON.stringify(new ${c}(${p.number()}, 2, "c"))`);
    if (p.is(0.5)) {
      const d = p.name("D");
      p.say(`class ${d} extends ${c} {\n  own = ${p.number()};\n  constructor(public e: number) { super(e, 1); this.own += this.e }\n}`);
      p.tell(`JSON.stringify(new ${d}(${p.number()}))`);
    }
  },
  abstractClass(p) {
    const [a, b] = [p.name("A"), p.name("B")];
    p.say(
      `abstract class ${a} {\n  abstract size(): number;\n  abstract readonly kind: string;\n  declare later: number;\n  static made = 0;\n  constructor() { ${a}.made++ }\n  twice() { return this.size() * 2 }\n}`,
      `class ${b} extends ${a} {\n  override readonly kind = "b";\n  definite!: number;\n  optional?: string;\n  override size() { return ${p.number()} }\n}`,
    );
    p.tell(`new ${b}().twice()`, `Object.keys(new ${b}()).join()`, `${a}.made`, `"later" in new ${b}()`);
  },
  overloads(p) {
    const f = p.name("f");
    p.say(`function ${f}(x: number): number;\nfunction ${f}(x: string): string;\nfunction ${f}(this: void, x: any) { return typeof x === "number" ? x + ${p.number()} : x + "!" }`);
    p.tell(`${f}(${p.number()})`, `${f}("a" as string)`);
  },
  accessors(p) {
    const c = p.name("C");
    p.say(`class ${c} {\n  accessor q = ${p.number()};\n  static accessor s = ${p.number()};\n  #hidden = ${p.number()};\n  static { this.s += 1 }\n  static has(x: object) { return #hidden in x }\n  get hidden() { return this.#hidden }\n}`);
    p.tell(`new ${c}().q`, `${c}.s`, `${c}.has(new ${c}())`, `Object.keys(new ${c}()).join()`, `new ${c}().hidden`);
  },
  types(p) {
    const x = p.name("x");
    p.say(
      `let ${x}!: number;`,
      `${x} = <number>${p.number()};`,
      `const ${x}o = { n: ${p.number()}, l: [1, 2] } as const satisfies { n: number; l: readonly number[] };`,
      `type ${x.toUpperCase()} = typeof ${x}o[\"n\"];`,
      `declare const ${x}never: number;`,
      `const ${x}g = <T,>(value: T, ...rest: T[]): T => rest[0] ?? value;`,
    );
    p.tell(`${x}o.n`, `${x}g<number>(${p.number()}, ${x})`, `${x}! + 1`);
    p.numbers.push(`${x}o.n`);
  },
  alias(p) {
    const n = p.name("N");
    p.say(`namespace ${n} { export namespace Deep { export const v = ${p.number()}; } }`, `import ${n}Alias = ${n}.Deep;`);
    p.tell(`${n}Alias.v`);
  },
  using(p) {
    const log = p.name("log");
    p.say(`const ${log}: string[] = [];\n{\n  using r = { [Symbol.dispose]() { ${log}.push("r") } };\n  ${log}.push("in");\n}`);
    p.tell(`${log}.join()`);
  },
  ownDecorators(p) {
    const [d, c] = [p.name("seen"), p.name("C")];
    p.say(
      `const ${d}: string[] = [];\nconst mark${d} = (what: string) => (_t: object, key?: string | symbol, _d?: unknown) => void ${d}.push(what + String(key));`,
      `@mark${d}("class")\nclass ${c} {\n  @mark${d}("a") @mark${d}("b") field = ${p.number()};\n  @mark${d}("m") method() { return 1 }\n  @mark${d}("s") static still = 2;\n  #own = 3;\n  get own() { return this.#own }\n}`,
    );
    p.tell(`${d}.join()`, `new ${c}().field`, `new ${c}().own`, `${c}.still`);
  },
  elsewhere(p) {
    const e = p.name("far");
    p.elsewhere.push(
      p.pick([
        `export enum ${e} { A = ${Math.floor(p.random() * 9)}, B }`,
        `export namespace ${e} { export const A = ${Math.floor(p.random() * 9)}; export const B = A + 1; }`,
        `export class ${e} { static A = 1; static B = ${e}.A + ${Math.floor(p.random() * 9)}; }`,
        `export const ${e} = { A: 1, B: ${Math.floor(p.random() * 9)} } as const;`,
      ]),
    );
    p.imports.push(e);
    p.tell(`${e}.A`, `${e}.B`);
  },
  typesElsewhere(p) {
    const t = p.name("t");
    p.say(`import type { Far as Far${t} } from "./far";`, `import { type Shape as Shape${t}, far as again${t} } from "./far";`, `const ${t}: Far${t} = again${t};`, `const s${t}: Shape${t} = { x: ${t} };`);
    p.tell(`${t} + s${t}.x`);
  },
  functions(p) {
    const f = p.name("f");
    p.say(`function* ${f}(this: unknown, n: number): Generator<number> { for (let i = 0; i < (n satisfies number); i++) yield i * ${p.number()} }`, `const { a: ${f}a = ${p.number()}, ...${f}rest }: { a?: number; b?: number } = { b: ${p.number()} };`);
    p.tell(`[...${f}(3)].join()`, `${f}a`, `JSON.stringify(${f}rest)`);
  },
};

/** The files of the program of a seed. */
function write(seed) {
  const p = new Program(seed);
  const names = Object.keys(forms);
  const count = 2 + Math.floor(p.random() * 5);
  for (let i = 0; i < count; i++) forms[p.pick(names)](p);
  const told = p.told.map((value) => `String(${value})`).join(", ");
  return {
    "product/product.config.ts": [
      `import { Plan, Product, Raw } from "@svc/product";`,
      `import { ${p.imports.join(", ")} } from "./far";`,
      ...p.declared,
      `const amount = Math.abs(Math.trunc(${p.number()}));`,
      `@Product({ name: "x", origin: "https://api.example.com" })`,
      `@Raw({ told: [${told}] })`,
      `export default class X {`,
      `  @Plan("p", { price: { amount, currency: "usd", interval: "month" }, limits: { requests: { rate: 1, interval: "minute" } } })`,
      `  p!: void;`,
      `}`,
      "",
    ].join("\n"),
    "product/far.ts": `${p.elsewhere.join("\n")}\n`,
  };
}

const scratch = mkdtempSync(join(tmpdir(), "svc-programs-"));
const compilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  experimentalDecorators: true,
  // Node 20 has no `Symbol.dispose`; a build has none either where the engine has not.
  lib: ["lib.esnext.d.ts"],
};

/** The registry by tsc and Node. Each program has a package of its own, which counts products. */
async function registryOf(name, sources) {
  const folder = join(scratch, name);
  mkdirSync(folder);
  const own = `../package.mjs?${name}`;
  for (const [path, text] of Object.entries(sources)) {
    const { outputText, diagnostics } = ts.transpileModule(text, { fileName: path, compilerOptions, reportDiagnostics: true });
    if (diagnostics.length > 0) throw new Error(`tsc: ${ts.flattenDiagnosticMessageText(diagnostics[0].messageText, " ")}`);
    const linked = outputText.replaceAll(`"@svc/product"`, JSON.stringify(own)).replaceAll(`"./far"`, `"./far.mjs"`);
    writeFileSync(join(folder, path.replace("product/", "").replace(/\.ts$/, ".mjs")), linked);
  }
  const at = (file) => pathToFileURL(join(folder, file)).href;
  const { readRegistry, recordInsteadOfThrow } = await import(new URL(own, at("x")).href);
  recordInsteadOfThrow();
  return readRegistry((await import(at("product.config.mjs"))).default);
}

try {
  buildSync({
    stdin: { contents: `export * from "./src/index.ts";\nexport { readRegistry, recordInsteadOfThrow } from "./src/registry.ts";`, resolveDir: packageFolder },
    bundle: true,
    format: "esm",
    target: "es2022",
    keepNames: true,
    logLevel: "error",
    outfile: join(scratch, "package.mjs"),
  });
  const { count, seed } = JSON.parse(readFileSync(0, "utf8"));
  const programs = {};
  for (let i = 0; i < count; i++) {
    const name = `seed-${seed + i}`;
    const sources = write(seed + i);
    try {
      programs[name] = { sources, registry: await registryOf(name, sources), error: null };
    } catch (error) {
      programs[name] = { sources, registry: null, error: String(error) };
    }
  }
  process.stdout.write(JSON.stringify(programs));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
