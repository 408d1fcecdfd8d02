import { Plan, Product, Raw } from "@svc/product";

@Product({ origin: "https://api.example.com" })
@Raw({ hooks: [1, function onPublish() {} as never] })
//                ^^^^^^^^^^^^^^^^^^^^^^^ VALUE_NOT_PLAIN
export default class ValueFunctionNested {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
