// Keeps what the decorators copied, per class and in declaration order, and the misuses of the whole run.
// Must not know: what any decorator's arguments mean, rules, how a class was decorated.

import type { Misplaced, Place } from "./dialect.ts";
import { quote, sealedWeakMap, toWellFormed } from "./primordials.ts";

/** One class while its decorators run. All texts are JSON items joined by commas. */
interface Draft {
  /** Class decorators, top to bottom. */
  classText: string;
  /** Decorators of the members before the present one. */
  memberText: string;
  /** The present member and its decorators, top to bottom. */
  stackMember: string | null;
  stackText: string;
  className: string;
  finalised: boolean;
}

/** A finished product, as JSON texts. */
export interface ProductText {
  readonly className: string;
  readonly declarations: string;
}

const drafts = sealedWeakMap<Draft>();
const finalisedClasses = sealedWeakMap<Draft>();

let products = 0;
let misuses = "";
let recording = false;

/** For good: a run records or throws, never both. */
export function startRecording(): void {
  recording = true;
}

export const isRecording = (): boolean => recording;

export function isFinalised(place: Place): boolean {
  return drafts.get(place.identity)?.finalised === true;
}

/** Keeps one applied decorator. A stack is applied from bottom to top, so each goes in front of the one before. */
export function declare(place: Place, decorator: string, args: string): void {
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

/** Closes the class: it is a product now and takes no more decorators. */
export function finalise(place: Place): void {
  if (place.decorated === undefined) return;
  const draft = draftOf(place.identity);
  draft.finalised = true;
  draft.className = place.decorated.name;
  finalisedClasses.set(place.decorated.constructor, draft);
  products++;
}

/** The JSON array of what has been declared on a class so far. */
export function declarationsOf(place: Place): string {
  return declarationsText(draftOf(place.identity));
}

export function recordMisuse(decorator: string, misplaced: Misplaced): void {
  const { member, misuse } = misplaced;
  misuses = join(
    misuses,
    `{"decorator":${quote(decorator)},"member":${nameText(member)},"reason":${quote(misuse)}}`,
  );
}

/** The finished product that a class is; `undefined` if it is none. */
export function productOf(constructor: object): ProductText | undefined {
  const draft = finalisedClasses.get(constructor);
  if (draft === undefined) return undefined;
  return { className: nameText(draft.className), declarations: declarationsText(draft) };
}

/** How many classes `@Product` finalised in this run. */
export const productCount = (): number => products;

/** The JSON array of the misuses of this run, in the order in which they happened. */
export const misusesText = (): string => `[${misuses}]`;

function draftOf(identity: object): Draft {
  const known = drafts.get(identity);
  if (known !== undefined) return known;
  const draft: Draft = {
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

function declarationsText(draft: Draft): string {
  return `[${join(join(draft.classText, draft.memberText), draft.stackText)}]`;
}

function join(left: string, right: string): string {
  return left === "" ? right : right === "" ? left : `${left},${right}`;
}

/** A name as JSON text; half a surrogate pair, which JSON readers refuse, becomes U+FFFD. */
function nameText(name: string | null): string {
  return name === null ? "null" : quote(toWellFormed(name));
}
