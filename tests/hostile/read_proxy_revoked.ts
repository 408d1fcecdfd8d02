// row 40: a Proxy that was revoked, and one that revokes itself while it is read
import { Plan, Product, Raw } from "@svc/product";

const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
const revoking = () => {
  const { proxy, revoke } = Proxy.revocable({ x: 1 }, { getPrototypeOf: () => (revoke(), Object.prototype) });
  return proxy;
};
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({
  a: revoked(),
//   ^^^^^^^^^ VALUE_NOT_PLAIN
  b: revoking(),
//   ^^^^^^^^^^ VALUE_NOT_PLAIN
})
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
