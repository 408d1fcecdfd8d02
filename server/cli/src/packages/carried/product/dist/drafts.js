// Keeps what the decorators copied, per class and in declaration order, and the misuses of the whole run.
// Must not know: what any decorator's arguments mean, rules, how a class was decorated.
import { quote, sealedWeakMap, toWellFormed } from "./primordials.js";
const drafts = sealedWeakMap();
const finalisedClasses = sealedWeakMap();
let products = 0;
let misuses = "";
let recording = false;
/** For good: a run records or throws, never both. */
export function startRecording() {
    recording = true;
}
export const isRecording = () => recording;
export function isFinalised(place) {
    return drafts.get(place.identity)?.finalised === true;
}
/** Keeps one applied decorator. A stack is applied from bottom to top, so each goes in front of the one before. */
export function declare(place, decorator, args) {
    const { member } = place;
    const draft = draftOf(place.identity);
    const item = `{"decorator":${quote(decorator)},"member":${nameText(member)},"args":${args}}`;
    if (member === null) {
        draft.classText = join(item, draft.classText);
    }
    else if (member === draft.stackMember) {
        draft.stackText = join(item, draft.stackText);
    }
    else {
        draft.memberText = join(draft.memberText, draft.stackText);
        draft.stackMember = member;
        draft.stackText = item;
    }
}
/** Closes the class: it is a product now and takes no more decorators. */
export function finalise(place) {
    if (place.decorated === undefined)
        return;
    const draft = draftOf(place.identity);
    draft.finalised = true;
    draft.className = place.decorated.name;
    finalisedClasses.set(place.decorated.constructor, draft);
    products++;
}
/** The JSON array of what has been declared on a class so far. */
export function declarationsOf(place) {
    return declarationsText(draftOf(place.identity));
}
export function recordMisuse(decorator, misplaced) {
    const { member, misuse } = misplaced;
    misuses = join(misuses, `{"decorator":${quote(decorator)},"member":${nameText(member)},"reason":${quote(misuse)}}`);
}
/** The finished product that a class is; `undefined` if it is none. */
export function productOf(constructor) {
    const draft = finalisedClasses.get(constructor);
    if (draft === undefined)
        return undefined;
    return { className: nameText(draft.className), declarations: declarationsText(draft) };
}
/** How many classes `@Product` finalised in this run. */
export const productCount = () => products;
/** The JSON array of the misuses of this run, in the order in which they happened. */
export const misusesText = () => `[${misuses}]`;
function draftOf(identity) {
    const known = drafts.get(identity);
    if (known !== undefined)
        return known;
    const draft = {
        classText: "",
        memberText: "",
        stackMember: null,
        stackText: "",
        className: "",
        finalised: false,
    };
    drafts.set(identity, draft);
    return draft;
}
function declarationsText(draft) {
    return `[${join(join(draft.classText, draft.memberText), draft.stackText)}]`;
}
function join(left, right) {
    return left === "" ? right : right === "" ? left : `${left},${right}`;
}
/** A name as JSON text; half a surrogate pair, which JSON readers refuse, becomes U+FFFD. */
function nameText(name) {
    return name === null ? "null" : quote(toWellFormed(name));
}
