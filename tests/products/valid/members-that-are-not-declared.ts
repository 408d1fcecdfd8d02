import { Plan, Product } from "@svc/product";

// Plain members of the class mean nothing to the product.

@Product({ origin: "https://api.example.com" })
export default class MembersThatAreNotDeclared {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;

  plain = 42;
  static shared = new Map<string, number>();
  #secret = "kept";

  get secret() {
    return this.#secret;
  }

  async *stream() {
    yield this.plain;
  }
}
