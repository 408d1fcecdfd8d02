// row 32: a length that no engine allows is an ordinary RangeError, the same everywhere
import { Plan, Product } from "@svc/product";

const attempts = [() => new Array(-1), () => "x".repeat(-1), () => new Uint8Array(-1), () => "x".repeat(2 ** 30), () => (1).toFixed(101), () => "x".padEnd(2 ** 30), () => 1n << (1n << 40n)];
const told = attempts.map((attempt) => {
  try {
    attempt();
  } catch (error) {
    return error.constructor.name;
  }
});
//= ok product.displayName "RangeError,RangeError,RangeError,RangeError,RangeError,RangeError,RangeError"
@Product({ name: "x", origin: "https://api.example.com", displayName: told.join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
