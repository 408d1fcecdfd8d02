// row 92: a tagged template with an escape that is none has no cooked text
import { Plan, Product } from "@svc/product";

const tag = (strings) => [strings[0] === undefined, strings.raw[0], Object.isFrozen(strings)].join();
const told = tag`\unicode`;
//= ok product.displayName "true,\\unicode,true"
@Product({ name: "x", origin: "https://api.example.com", displayName: told })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
