import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class KeyProtoJson {
  @Plan("starter", {
    limits: JSON.parse('{ "requests": { "rate": 60, "interval": "minute" }, "__proto__": { "rate": 1, "interval": "day" } }'),
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ KEY_FORM
  })
  starter!: void;
}
