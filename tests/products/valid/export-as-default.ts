import { Plan, Product } from "@svc/product";

@Product({ origin: "https://api.example.com" })
class ExportAsDefault {
  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}

export { ExportAsDefault as default };
