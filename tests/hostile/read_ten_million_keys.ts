// row 42: a flat object of ten million keys
import { Plan, Product, Raw } from "@svc/product";

const wide = () => {
  const object = {};
  for (let i = 0; i < 10_000_000; i++) object[`k${i}`] = i;
  return object;
};
@Product({ name: "x", origin: "https://api.example.com" })
@Raw(wide())
//= BUILD_OUT_OF_MEMORY | BUILD_TIMEOUT
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
