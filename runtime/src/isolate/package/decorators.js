import { checkArguments, checkProduct, misuseError } from "product/@svc/checks.ts";
import { copyArguments } from "product/@svc/copy.ts";
import { isClassDeclaration, locate } from "product/@svc/dialect.ts";
import { declarationsOf, declare, finalise, isFinalised, isRecording, recordMisuse } from "product/@svc/drafts.ts";
export function Product() {
 return decorator("Product", "class", arguments);
}
export function Frontend() {
 return decorator("Frontend", "class", arguments);
}
export function Raw() {
 return decorator("Raw", "class", arguments);
}
export function Surface() {
 return decorator("Surface", "member", arguments);
}
export function Requests() {
 return decorator("Requests", "member", arguments);
}
export function Meter() {
 return decorator("Meter", "member", arguments);
}
export function Meters() {
 return decorator("Meters", "member", arguments);
}
export function Resource() {
 return decorator("Resource", "member", arguments);
}
export function Capability() {
 return decorator("Capability", "member", arguments);
}
export function Feature() {
 return decorator("Feature", "member", arguments);
}
export function Plan() {
 return decorator("Plan", "member", arguments);
}
export function Entitlement() {
 return decorator("Entitlement", "member", arguments);
}
export function Workflow() {
 return decorator("Workflow", "member", arguments);
}
export function Backend() {
 return decorator("Backend", "member", arguments);
}
export function Policy() {
 return decorator("Policy", "member", arguments);
}
const NO_ARGUMENTS = "[]";
function decorator(name, sort, args) {
 if (args.length > 1 || args.length === 1 && isClassDeclaration(args[0])) {
  const third = args.length > 2 ? args[2] : undefined;
  const place = locate(sort, args.length, args[0], args.length > 1 ? args[1] : undefined, third);
  if (place.misuse !== "outsideClass") {
   apply(name, place, NO_ARGUMENTS);
   return args.length === 1 ? args[0] : undefined;
  }
 }
 const copied = copyArguments(args);
 if (!isRecording()) checkArguments(name, copied);
 return function(first, second, third) {
  apply(name, locate(sort, arguments.length, first, second, third), copied);
 };
}
function apply(name, place, args) {
 if (place.misuse !== undefined) return misuse(name, place);
 if (isFinalised(place)) return misuse(name, {
  misuse: "finalised",
  member: place.member
 });
 declare(place, name, args);
 if (name !== "Product") return;
 if (!isRecording()) checkProduct(declarationsOf(place));
 finalise(place);
}
function misuse(name, misplaced) {
 if (!isRecording()) throw misuseError(name, misplaced);
 recordMisuse(name, misplaced);
}
