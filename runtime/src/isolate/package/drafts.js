import { quote, sealedWeakMap, toWellFormed } from "product/@svc/primordials.ts";
const drafts = sealedWeakMap();
const finalisedClasses = sealedWeakMap();
let products = 0;
let misuses = "";
let recording = false;
export function startRecording() {
 recording = true;
}
export const isRecording = () => recording;
export function isFinalised(place) {
 return drafts.get(place.identity)?.finalised === true;
}
export function declare(place, decorator, args) {
 const { member } = place;
 const draft = draftOf(place.identity);
 const item = `{"decorator":${quote(decorator)},"member":${nameText(member)},"args":${args}}`;
 if (member === null) {
  draft.classText = join(item, draft.classText);
 } else if (member === draft.stackMember) {
  draft.stackText = join(item, draft.stackText);
 } else {
  draft.memberText = join(draft.memberText, draft.stackText);
  draft.stackMember = member;
  draft.stackText = item;
 }
}
export function finalise(place) {
 if (place.decorated === undefined) return;
 const draft = draftOf(place.identity);
 draft.finalised = true;
 draft.className = place.decorated.name;
 finalisedClasses.set(place.decorated.constructor, draft);
 products++;
}
export function declarationsOf(place) {
 return declarationsText(draftOf(place.identity));
}
export function recordMisuse(decorator, misplaced) {
 const { member, misuse } = misplaced;
 misuses = join(misuses, `{"decorator":${quote(decorator)},"member":${nameText(member)},"reason":${quote(misuse)}}`);
}
export function productOf(constructor) {
 const draft = finalisedClasses.get(constructor);
 if (draft === undefined) return undefined;
 return {
  className: nameText(draft.className),
  declarations: declarationsText(draft)
 };
}
export const productCount = () => products;
export const misusesText = () => `[${misuses}]`;
function draftOf(identity) {
 const known = drafts.get(identity);
 if (known !== undefined) return known;
 const draft = {
  classText: "",
  memberText: "",
  stackMember: null,
  stackText: "",
  className: "",
  finalised: false
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
function nameText(name) {
 return name === null ? "null" : quote(toWellFormed(name));
}
