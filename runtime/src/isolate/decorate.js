// The helper that lowered decorators call, with TypeScript's own meaning: apply from the last to the first.
export default function decorate(decorators, target, key, descriptor) {
  // A number is the package's to refuse, which knows at which decorator.
  const kind = typeof key;
  if (arguments.length > 2 && kind !== "string" && kind !== "symbol" && kind !== "number" && kind !== "bigint") {
    throw new TypeError("a decorator stands on a member whose computed name is no text; a decorated member has a name");
  }
  let result = arguments.length < 3 ? target : descriptor === null ? (descriptor = Reflect.getOwnPropertyDescriptor(target, key)) : descriptor;
  for (let i = decorators.length - 1; i >= 0; i--) {
    const decorator = decorators[i];
    if (decorator) {
      if (typeof decorator !== "function") throw new TypeError("what stands behind `@` is not a function");
      const replaced = arguments.length < 3 ? decorator(result) : arguments.length > 3 ? decorator(target, key, result) : decorator(target, key);
      result = replaced || result;
    }
  }
  if (arguments.length > 3 && result) Reflect.defineProperty(target, key, result);
  return result;
}
