// row 19: the host's locale and zone in a title
import { Plan, Product, Surface } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Surface("api", {
    title: JSON.stringify(Intl.DateTimeFormat().resolvedOptions()),
//@ BANNED_API
  })
  api!: void;

  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
