// Tells how a decorator was applied: TypeScript's legacy form `(target, key, descriptor?)` or the TC39 form
// `(value, context)`, on which class and member, and whether a decorator of its sort can stand there.
// Must not know: what decorators mean, what is done with a misuse, registries.
import { isWellFormed, ownData, ownDescriptor } from "./primordials.js";
const misplaced = (misuse, member) => ({ misuse, member });
const isObject = (value) => typeof value === "object" && value !== null;
/** `count` is how many arguments the decorator function was called with; `first` to `third` are those. */
export function locate(sort, count, first, second, third) {
    if (count === 2 && isObject(second) && isContext(second))
        return locateStandard(sort, first, second);
    if (count === 1 && isClass(first))
        return locateLegacyClass(sort, first);
    if ((count === 2 || count === 3) && (isObject(first) || typeof first === "function")) {
        return locateLegacyMember(sort, first, second, third);
    }
    return misplaced("outsideClass", null);
}
function isContext(value) {
    return typeof ownData(value, "kind") === "string" && typeof ownData(value, "addInitializer") === "function";
}
/** A function with a prototype object of its own; both dialects decorate only such. */
function isClass(value) {
    return typeof value === "function" && isObject(ownData(value, "prototype"));
}
function isPrototypeOfClass(value) {
    const constructor = ownData(value, "constructor");
    return typeof constructor === "function" && ownData(constructor, "prototype") === value;
}
function locateStandard(sort, value, context) {
    const kind = ownData(context, "kind");
    const name = ownData(context, "name");
    const metadata = ownData(context, "metadata");
    if (kind === "class") {
        if (sort !== "class")
            return misplaced("memberDecoratorOnClass", null);
        if (!isClass(value))
            return misplaced("outsideClass", null);
        if (!isObject(metadata))
            return misplaced("noMetadata", null);
        const className = typeof name === "string" ? name : nameOf(value);
        return { misuse: undefined, identity: metadata, member: null, decorated: { constructor: value, name: className } };
    }
    const member = memberName(name);
    if (sort !== "member")
        return misplaced("classDecoratorOnMember", member);
    if (kind !== "field")
        return misplaced("method", member);
    if (ownData(context, "static") === true)
        return misplaced("static", member);
    if (ownData(context, "private") === true)
        return misplaced("private", member);
    if (isNumber(name))
        return misplaced("numberMember", null);
    if (member === null)
        return misplaced("symbolMember", null);
    if (!isObject(metadata))
        return misplaced("noMetadata", member);
    return { misuse: undefined, identity: metadata, member, decorated: undefined };
}
function locateLegacyClass(sort, value) {
    if (sort !== "class")
        return misplaced("memberDecoratorOnClass", null);
    const identity = ownData(value, "prototype");
    return { misuse: undefined, identity, member: null, decorated: { constructor: value, name: nameOf(value) } };
}
function locateLegacyMember(sort, target, key, descriptor) {
    const onClass = isClass(target);
    if (!onClass && !isPrototypeOfClass(target))
        return misplaced("outsideClass", null);
    const member = memberName(key);
    if (isNumber(key))
        return misplaced("numberMember", null);
    // A constructor's parameter has no key, only a position.
    const isMember = typeof key === "string" || typeof key === "symbol" || typeof descriptor === "number";
    if (!isMember)
        return misplaced("outsideClass", null);
    if (sort !== "member")
        return misplaced("classDecoratorOnMember", member);
    // Fields alone come without a descriptor; methods and accessors have one, parameters have a position in its place.
    if (descriptor !== undefined)
        return misplaced("method", member);
    if (onClass)
        return misplaced("static", member);
    if (member === null)
        return misplaced("symbolMember", null);
    return { misuse: undefined, identity: target, member, decorated: undefined };
}
/** A computed name that is a number, as compilers hand it over. By the standard it would be its text. */
function isNumber(key) {
    return typeof key === "number" || typeof key === "bigint";
}
/** A member's name; `null` for a symbol, and for a text that is none (half a surrogate pair). */
function memberName(key) {
    return typeof key === "string" && isWellFormed(key) ? key : null;
}
function nameOf(value) {
    const name = ownData(value, "name");
    return typeof name === "string" ? name : "";
}
/** Whether a value is a class, and not a function of another sort: only a class's `prototype` can't be assigned. */
export function isClassDeclaration(value) {
    try {
        return isClass(value) && ownDescriptor(value, "prototype")?.writable === false;
    }
    catch {
        return false;
    }
}
