// row 44: the package's own functions and objects take nothing, or at least nothing comes of it
import { Meter, Plan, Product, creditGrant, display, svc } from "@svc/product";

const patches = [
  () => Object.defineProperty(Plan, "call", { value: () => "stolen" }),
  () => Object.setPrototypeOf(Plan, null),
  () => (svc.display = { multiplier: () => "stolen" }),
  () => (display.multiplier = () => "stolen"),
  () => Object.defineProperty(creditGrant, Symbol.hasInstance, { value: () => true }),
  () => (Meter.prototype.stolen = 1),
];
for (const patch of patches) {
  try {
    patch();
  } catch {}
}
@Product({ name: "x", origin: "https://api.example.com" })
//= ok plans[0].grants[0].display.factor 5
export default class X {
  @Plan("free", {
    limits: { requests: { rate: 1, interval: "minute" } },
    grants: [creditGrant({ amountCents: 1, display: svc.display.multiplier({ factor: 5 }) })],
  })
  free!: void;
}
