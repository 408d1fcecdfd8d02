// Tells how a decorator was applied: TypeScript's legacy form `(target, key, descriptor?)` or the TC39 form
// `(value, context)`, on which class and member, and whether a decorator of its sort can stand there.
// Must not know: what decorators mean, what is done with a misuse, registries.

import { isWellFormed, ownData, ownDescriptor } from "./primordials.ts";

/** Why a decorator can't stand where it was applied. */
export type MisuseReason =
  | "method"
  | "static"
  | "private"
  | "symbolMember"
  | "numberMember"
  | "classDecoratorOnMember"
  | "memberDecoratorOnClass"
  | "outsideClass"
  | "finalised"
  | "noMetadata";

/** What a decorator is made for. */
export type Sort = "class" | "member";

/** A place where the decorator may stand. `identity` is one object per class, the same for all its decorators. */
export interface Place {
  readonly misuse: undefined;
  readonly identity: object;
  /** The member's name; `null` for the class itself. */
  readonly member: string | null;
  /** The class and its name, when it is the class that was decorated. */
  readonly decorated: { readonly constructor: object; readonly name: string } | undefined;
}

export interface Misplaced {
  readonly misuse: MisuseReason;
  readonly member: string | null;
}

const misplaced = (misuse: MisuseReason, member: string | null): Misplaced => ({ misuse, member });

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** `count` is how many arguments the decorator function was called with; `first` to `third` are those. */
export function locate(sort: Sort, count: number, first: unknown, second: unknown, third: unknown): Place | Misplaced {
  if (count === 2 && isObject(second) && isContext(second)) return locateStandard(sort, first, second);
  if (count === 1 && isClass(first)) return locateLegacyClass(sort, first);
  if ((count === 2 || count === 3) && (isObject(first) || typeof first === "function")) {
    return locateLegacyMember(sort, first, second, third);
  }
  return misplaced("outsideClass", null);
}

function isContext(value: object): boolean {
  return typeof ownData(value, "kind") === "string" && typeof ownData(value, "addInitializer") === "function";
}

/** A function with a prototype object of its own; both dialects decorate only such. */
function isClass(value: unknown): value is object {
  return typeof value === "function" && isObject(ownData(value, "prototype"));
}

function isPrototypeOfClass(value: object): boolean {
  const constructor = ownData(value, "constructor");
  return typeof constructor === "function" && ownData(constructor, "prototype") === value;
}

function locateStandard(sort: Sort, value: unknown, context: object): Place | Misplaced {
  const kind = ownData(context, "kind");
  const name = ownData(context, "name");
  const metadata = ownData(context, "metadata");
  if (kind === "class") {
    if (sort !== "class") return misplaced("memberDecoratorOnClass", null);
    if (!isClass(value)) return misplaced("outsideClass", null);
    if (!isObject(metadata)) return misplaced("noMetadata", null);
    const className = typeof name === "string" ? name : nameOf(value);
    return { misuse: undefined, identity: metadata, member: null, decorated: { constructor: value, name: className } };
  }
  const member = memberName(name);
  if (sort !== "member") return misplaced("classDecoratorOnMember", member);
  if (kind !== "field") return misplaced("method", member);
  if (ownData(context, "static") === true) return misplaced("static", member);
  if (ownData(context, "private") === true) return misplaced("private", member);
  if (isNumber(name)) return misplaced("numberMember", null);
  if (member === null) return misplaced("symbolMember", null);
  if (!isObject(metadata)) return misplaced("noMetadata", member);
  return { misuse: undefined, identity: metadata, member, decorated: undefined };
}

function locateLegacyClass(sort: Sort, value: object): Place | Misplaced {
  if (sort !== "class") return misplaced("memberDecoratorOnClass", null);
  const identity = ownData(value, "prototype") as object;
  return { misuse: undefined, identity, member: null, decorated: { constructor: value, name: nameOf(value) } };
}

function locateLegacyMember(sort: Sort, target: object, key: unknown, descriptor: unknown): Place | Misplaced {
  const onClass = isClass(target);
  if (!onClass && !isPrototypeOfClass(target)) return misplaced("outsideClass", null);
  const member = memberName(key);
  if (isNumber(key)) return misplaced("numberMember", null);
  // A constructor's parameter has no key, only a position.
  const isMember = typeof key === "string" || typeof key === "symbol" || typeof descriptor === "number";
  if (!isMember) return misplaced("outsideClass", null);
  if (sort !== "member") return misplaced("classDecoratorOnMember", member);
  // Fields alone come without a descriptor; methods and accessors have one, parameters have a position in its place.
  if (descriptor !== undefined) return misplaced("method", member);
  if (onClass) return misplaced("static", member);
  if (member === null) return misplaced("symbolMember", null);
  return { misuse: undefined, identity: target, member, decorated: undefined };
}

/** A computed name that is a number, as compilers hand it over. By the standard it would be its text. */
function isNumber(key: unknown): boolean {
  return typeof key === "number" || typeof key === "bigint";
}

/** A member's name; `null` for a symbol, and for a text that is none (half a surrogate pair). */
function memberName(key: unknown): string | null {
  return typeof key === "string" && isWellFormed(key) ? key : null;
}

function nameOf(value: object): string {
  const name = ownData(value, "name");
  return typeof name === "string" ? name : "";
}

/** Whether a value is a class, and not a function of another sort: only a class's `prototype` can't be assigned. */
export function isClassDeclaration(value: unknown): boolean {
  try {
    return isClass(value) && ownDescriptor(value, "prototype")?.writable === false;
  } catch {
    return false;
  }
}
