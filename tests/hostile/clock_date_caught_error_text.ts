// row 2: the text of the error itself must hold nothing of the clock
import { Plan, Product } from "@svc/product";

let told = "";
try {
  Date.now();
} catch (error) {
  told = `${error.name} ${error.message} ${error.stack} ${JSON.stringify(error)}`;
}
//= ok
@Product({ name: "x", origin: "https://api.example.com", displayName: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
