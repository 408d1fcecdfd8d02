// The five class-definition errors that the class itself must throw in any JavaScript engine, and the error for a
// misplaced decorator. They read the sealed copies, never the author's own values; while recording they don't run.
// Must not know: any further rule (those are the engine's, which checks these five again).
import { hasOwn, isArray, matches, ownData, ownKeys, parse, sliceFrom } from "./primordials.js";
/** What a class definition throws. */
export class ProductError extends Error {
    // Fields, not assignments: those would fail where Error.prototype is frozen.
    name = "ProductError";
    /** Stable, upper snake case. */
    code;
    /** Where in the product, as in `features.jobs.routes.POST /v1/jobs.cost.compute`. */
    path;
    constructor(code, path, message) {
        super(message);
        this.code = code;
        this.path = path;
    }
}
/** The meter that `@Requests` declares. */
const REQUESTS_METER = "requests";
const INTEGER_LIKE = /^[0-9]+$/;
const ROUTE_KEY = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \/\S*$/;
/** Checks one decorator call; `copied` is the JSON text of its arguments. */
export function checkArguments(decorator, copied) {
    const args = parse(copied);
    if (decorator === "Requests") {
        const options = ownData(args, 0);
        return checkEstimate(field(options, "estimate"), REQUESTS_METER, `meters.${REQUESTS_METER}.estimate`);
    }
    if (decorator === "Meters") {
        return eachField(ownData(args, 0), (key, meter) => checkEstimate(field(meter, "estimate"), key, `meters.${key}.estimate`));
    }
    if (decorator !== "Meter" && decorator !== "Workflow" && decorator !== "Feature")
        return;
    const first = ownData(args, 0);
    const options = ownData(args, 1);
    const key = typeof first === "string" ? first : "";
    if (decorator === "Meter") {
        checkEstimate(field(options, "estimate"), key, `meters.${key}.estimate`);
    }
    else if (decorator === "Workflow") {
        checkEstimates(field(options, "estimates"), `workflows.${key}`);
    }
    else {
        eachField(field(options, "routes"), (routeKey, route) => checkRoute(key, routeKey, route));
    }
}
/** Checks what can be told only of the whole class; `declarations` is the JSON text of all its decorators. */
export function checkProduct(declarations) {
    const all = parse(declarations);
    const declared = keySet();
    const inherited = keySet();
    eachElement(all, ({ decorator, args }) => {
        if (decorator === "Requests") {
            declared[REQUESTS_METER] = inherited[REQUESTS_METER] = true;
        }
        else if (decorator === "Meter") {
            const key = ownData(args, 0);
            if (typeof key !== "string")
                return;
            declared[key] = true;
            if (field(ownData(args, 1), "routeDefault") !== undefined)
                inherited[key] = true;
        }
        else if (decorator === "Meters") {
            eachField(ownData(args, 0), (key, meter) => {
                declared[key] = true;
                if (field(meter, "routeDefault") !== undefined)
                    inherited[key] = true;
            });
        }
    });
    eachElement(all, ({ decorator, args }) => {
        const first = ownData(args, 0);
        const options = ownData(args, 1);
        const key = typeof first === "string" ? first : "";
        if (decorator === "Feature") {
            eachField(field(options, "routes"), (routeKey, route) => {
                const bound = metersOfRoute(route, inherited);
                const path = `features.${key}.routes.${routeKey}`;
                checkBound(field(route, "estimates"), declared, bound, path, `route "${routeKey}"`, `"cost" or "reports"`);
            });
        }
        else if (decorator === "Workflow") {
            const bound = keySet();
            addNames(bound, field(options, "meters"));
            checkBound(field(options, "estimates"), declared, bound, `workflows.${key}`, `workflow "${key}"`, `"meters"`);
        }
    });
}
export function misuseError(decorator, { misuse, member }) {
    const where = member === null ? "" : ` (on "${member}")`;
    return new ProductError("DECORATOR_MISUSE", member ?? "", `@${decorator}${where} ${MISUSE_TEXT[misuse]}`);
}
const MISUSE_TEXT = {
    method: "stands on a method, an accessor or a parameter; put it on a field of the class.",
    static: "stands on a static member; put it on an instance field of the class.",
    private: "stands on a private member; put it on a public field of the class.",
    symbolMember: "stands on a member named by a symbol; give the field a plain name.",
    numberMember: "stands on a member whose name is a number; give the field a plain name.",
    classDecoratorOnMember: "is a class decorator; put it above the class, not on a member.",
    memberDecoratorOnClass: "is a member decorator; put it on a field of the class, not above the class.",
    outsideClass: "is used outside a class; write it above a class or on a field of one.",
    finalised: "comes after @Product has finalised the class; write @Product once, above all other decorators of the class.",
    noMetadata: "got no decorator metadata from the compiler; import @svc/product before the class is defined, and use a compiler that passes context.metadata.",
};
function checkRoute(feature, routeKey, route) {
    const path = `features.${feature}.routes.${routeKey}`;
    if (matches(INTEGER_LIKE, routeKey)) {
        throw new ProductError("INTEGER_LIKE_KEY", path, `Route key "${routeKey}" of feature "${feature}" is integer-like, and JavaScript moves such keys out of order; write "METHOD /path", for example "GET /v1/items".`);
    }
    if (!matches(ROUTE_KEY, routeKey)) {
        throw new ProductError("ROUTE_KEY_FORM", path, `Route key "${routeKey}" of feature "${feature}" is not of the form "METHOD /path"; write an upper-case method, one space and an absolute path, for example "GET /v1/items".`);
    }
    const reported = keySet();
    addReports(reported, route);
    eachField(field(route, "cost"), (meter) => {
        if (reported[meter] !== true)
            return;
        throw new ProductError("METER_COST_AND_REPORT", `${path}.cost.${meter}`, `Meter "${meter}" is both a fixed cost and a dynamic report on route "${routeKey}"; keep it in "cost" or in "reports", not in both.`);
    });
    checkEstimates(field(route, "estimates"), path);
}
function checkEstimates(estimates, owner) {
    eachField(estimates, (meter, value) => checkEstimate(value, meter, `${owner}.estimates.${meter}`));
}
function checkEstimate(value, meter, path) {
    if (!isOddKind(value, "NaN"))
        return;
    throw new ProductError("ESTIMATE_NOT_A_NUMBER", path, `The estimate for meter "${meter}" is NaN; write a finite number that is 0 or more.`);
}
function checkBound(estimates, declared, bound, owner, what, option) {
    eachField(estimates, (meter) => {
        if (declared[meter] === true && bound[meter] === true)
            return;
        const fault = declared[meter] === true
            ? `a meter that is not bound there; add it to ${option}, or remove the estimate.`
            : `a meter that is not declared; declare it with @Meter("${meter}"), or remove the estimate.`;
        throw new ProductError("ESTIMATE_METER_UNBOUND", `${owner}.estimates.${meter}`, `The estimate for "${meter}" on ${what} names ${fault}`);
    });
}
function metersOfRoute(route, inherited) {
    const bound = keySet();
    if (field(route, "unmetered") === true)
        return bound;
    if (field(route, "inheritDefaultMeters") !== false) {
        const meters = ownKeys(inherited);
        for (let i = 0; i < meters.length; i++)
            bound[meters[i]] = true;
    }
    eachField(field(route, "cost"), (meter) => {
        bound[meter] = true;
    });
    addReports(bound, route);
    return bound;
}
function addReports(keys, route) {
    addNames(keys, field(route, "report"));
    addNames(keys, field(route, "reports"));
}
/** Adds a name, or each name of a list. */
function addNames(keys, names) {
    if (typeof names === "string")
        keys[names] = true;
    if (!isArray(names))
        return;
    eachElement(names, (name) => {
        if (typeof name === "string")
            keys[name] = true;
    });
}
// Reading the sealed copies.
const keySet = () => ({ __proto__: null });
const isMap = (value) => typeof value === "object" && value !== null && !isArray(value);
const isOddKind = (value, kind) => isMap(value) && ownData(value, "$odd") === kind;
function field(map, name) {
    return isMap(map) ? ownData(map, name) : undefined;
}
/** Calls `visit` with each of the author's keys, as the author wrote it, in order. */
function eachField(map, visit) {
    if (!isMap(map) || hasOwn(map, "$odd"))
        return;
    const keys = ownKeys(map);
    for (let i = 0; i < keys.length; i++) {
        const key = keys[i];
        visit(key[0] === "$" ? sliceFrom(key, 1) : key, ownData(map, key));
    }
}
function eachElement(list, visit) {
    for (let i = 0; i < list.length; i++)
        visit(list[i]);
}
