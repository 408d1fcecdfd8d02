// row 23: a module of the host's by the old way
import { Plan, Product } from "@svc/product";

const os = require("os");
//@ BANNED_API

@Product({ name: "x", origin: "https://api.example.com", displayName: os.hostname() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
