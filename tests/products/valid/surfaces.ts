import { Capability, Plan, Product, Surface } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class Surfaces {
  @Surface("frontend", { title: "Console", path: "/console" })
  console!: void;

  @Surface("api", { path: "/v1" })
  api!: void;

  @Surface("docs", { title: "Docs" })
  docs!: void;

  @Surface("widget", {})
  widget!: void;

  @Surface("webhook", { capability: "alerting" })
  webhook!: void;

  @Surface("worker")
  worker!: void;

  @Surface("agent")
  agent!: void;

  @Surface("dashboard")
  dashboard!: void;

  @Capability("alerting")
  alerting!: void;

  @Plan("starter", { capabilities: ["alerting"], limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
