// row 34: an async function that nobody awaits throws
import { Plan, Product } from "@svc/product";

const lose = async () => {
  await null;
  throw new Error("lost");
//@ UNCAUGHT_EXCEPTION
};
lose();

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
