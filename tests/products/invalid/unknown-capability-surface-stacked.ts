import { Capability, Plan, Product, Surface } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class UnknownCapabilitySurfaceStacked {
  @Surface("docs", { capability: "help" })
  @Surface("widget", { capability: "helps" })
//                                 ^^^^^^^ UNKNOWN_CAPABILITY
  help!: void;

  @Capability("help")
  helping!: void;

  @Plan("starter", { capabilities: ["help"], limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
