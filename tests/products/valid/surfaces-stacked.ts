import { Capability, Plan, Product, Surface } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class SurfacesStacked {
  @Surface("docs", { title: "Docs" })
  @Surface("widget", { capability: "help" })
  @Surface("agent")
  help!: void;

  @Surface("docs")
  more!: void;

  @Capability("help")
  helping!: void;

  @Plan("starter", { capabilities: ["help"], limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
