// row 83: a file is named in one form of a letter, and asked for in the other
import { Plan, Product } from "@svc/product";
import { one } from "./prix\u0065\u0301";
//@ IMPORT_NOT_FOUND
import { two } from "./prix%65";
//@ IMPORT_NOT_FOUND
import { three } from "./ｐｒｉｘ";
//@ IMPORT_NOT_FOUND
import { four } from "./prix?v=1";
//@ IMPORT_NOT_FOUND
import { five } from "./prix#f";
//@ IMPORT_NOT_FOUND
import { six } from "./prix\0";
//@ IMPORT_NOT_FOUND

@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free = [one, two, three, four, five, six];
}
