// row 21: every method by locale, each caught
import { Plan, Product } from "@svc/product";

const attempts = [() => (1).toLocaleString(), () => 1n.toLocaleString(), () => [1].toLocaleString(), () => new Date(0).toLocaleString(), () => "I".toLocaleLowerCase(), () => "i".toLocaleUpperCase(), () => "a".localeCompare("b")];
const told = attempts.map((attempt) => {
  try {
    return attempt();
  } catch {
    return "caught";
  }
});
//= ok product.displayName "caught,caught,caught,caught,caught,caught,caught"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
