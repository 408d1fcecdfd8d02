// row 41: forty levels of an array that holds the next one twice
import { Meter, Plan, Product } from "@svc/product";

const bomb = () => {
  let list = [1];
  for (let i = 0; i < 40; i++) list = [list, list];
  return list;
};
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Meter("m", { display: bomb() })
//                       ^^^^^^ WRONG_TYPE
  m!: void;

  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
