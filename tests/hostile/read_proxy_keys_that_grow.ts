// row 40: every reading finds more keys than the one before
import { Plan, Product, Raw } from "@svc/product";

const keys = [];
const growing = () => new Proxy({}, {
  ownKeys: () => keys.push(`k${keys.length}`) && keys,
  getOwnPropertyDescriptor: () => ({ value: growing(), enumerable: true, configurable: true }),
});
@Product({ name: "x", origin: "https://api.example.com" })
@Raw(growing())
//= BUILD_REGISTRY_TOO_LARGE | BUILD_TIMEOUT | BUILD_OUT_OF_MEMORY
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
