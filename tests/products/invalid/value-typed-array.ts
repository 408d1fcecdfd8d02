import { Plan, Product, Raw } from "@svc/product";

@Product({ origin: "https://api.example.com" })
@Raw({ bytes: new Uint8Array(4) as never })
//            ^^^^^^^^^^^^^^^^^ VALUE_NOT_PLAIN
export default class ValueTypedArray {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
