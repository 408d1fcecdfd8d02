// row 56: data that looks like the registry's own marks stays data
import { Plan, Product, Raw } from "@svc/product";

@Product({ name: "x", origin: "https://api.example.com" })
@Raw({ forged: { $odd: "NaN", $$odd: 1, $: { $odd: "Date" } } })
//= ok raw.forged {"$":{"$odd":"Date"},"$$odd":1,"$odd":"NaN"}
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
