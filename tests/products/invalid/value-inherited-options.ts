import { Plan, Product, Resource } from "@svc/product";

// `__proto__` in a literal sets the prototype, so the object is no plain one.

@Product({ origin: "https://api.example.com" })
export default class ValueInheritedOptions {
  @Resource("slots")
  slots!: void;

  @Plan("starter", {
    limits: { requests: { rate: 60, interval: "minute" } },
    caps: { __proto__: { slots: 5 } } as never,
//        ^^^^^^^^^^^^^^^^^^^^^^^^^^^ VALUE_NOT_PLAIN
  })
  starter!: void;
}
