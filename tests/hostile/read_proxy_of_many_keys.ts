// row 40: more keys than are copied
import { Plan, Product, Raw } from "@svc/product";

const many = () => {
  const keys = Array.from({ length: 300_000 }, (_, i) => `k${i}`);
  return new Proxy({}, { ownKeys: () => keys });
};
@Product({ name: "x", origin: "https://api.example.com" })
@Raw(many())
//   ^^^^^^ VALUE_NOT_PLAIN
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
