import { Plan, Product, Raw } from "@svc/product";

@Product({ origin: "https://api.example.com" })
@Raw({ labels: { über: "above" } })
//               ^^^^^ TEXT_FORM
export default class TextNotComposedRaw {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
