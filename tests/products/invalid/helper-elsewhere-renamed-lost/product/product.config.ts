import { Product } from "@svc/product";
import * as kit from "./kit";

const none = () => {};
const isOpen = false;

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @(isOpen ? kit.tarif("lite") : none)
//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ DECORATOR_NOT_APPLIED
  lite!: void;
  @kit.tarif("starter")
  starter!: void;
}
