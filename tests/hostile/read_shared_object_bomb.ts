// row 41: forty levels of an object that holds the next one twice
import { Plan, Product, Raw } from "@svc/product";

const bomb = () => {
  let object = [1];
  for (let i = 0; i < 40; i++) object = [object, object];
  return object;
};
@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ a: bomb() })
//? VALUE_NOT_PLAIN
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
