// row 60: the stacks of errors that the engine makes: from JSON, from null, from a regular expression, from the package
import { Plan, Product } from "@svc/product";

const attempts = [() => JSON.parse("{"), () => null.x, () => new RegExp("("), () => Plan.call(), () => Symbol() + "", () => BigInt(0.5), () => "x".repeat(-1), () => decodeURIComponent("%")];
const told = attempts.map((attempt) => {
  try {
    attempt();
    return "";
  } catch (error) {
    return `${error.name}: ${error.message} ${error.stack}`;
  }
});
//= ok
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join("\n") })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
