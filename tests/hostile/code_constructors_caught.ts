// row 58: all four, each caught
import { Plan, Product } from "@svc/product";

const makers = [() => {}, async () => {}, function* () {}, async function* () {}];
const told = makers.map((maker) => {
  try {
    return typeof maker.constructor("");
  } catch {
    return "caught";
  }
});
//= ok product.displayName "caught,caught,caught,caught"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
