// row 74: a file and a folder of one name: the file wins
import { Plan, Product } from "@svc/product";

import { told } from "./lib";
import { told as inner } from "./lib/index";
//= ok product.displayName "file,folder"
@Product({ name: "x", origin: "https://api.example.com", displayName: [told, inner].join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
