// row 56: a class with static properties of every name one might look for
import { Plan, Product } from "@svc/product";

export default class X {
  static declarations = [];
  static registry = { products: 1 };
  static [Symbol.for("svc.product")] = true;
  static toJSON() {
    return { registryVersion: 1 };
  }
}
//? DEFAULT_EXPORT_NOT_PRODUCT
