import { Product } from "@svc/product";
import { tarif } from "./kit";

const none = () => {};
const isOpen = false;

@Product({ origin: "https://api.example.com" })
export default class Acme {
  @(isOpen ? tarif("lite") : none)
//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ DECORATOR_NOT_APPLIED
  lite!: void;
  @tarif("starter")
  starter!: void;
}
