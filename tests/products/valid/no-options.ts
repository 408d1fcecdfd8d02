import { Backend, Entitlement, Meter, Plan, Product, Requests, Resource, Surface, Workflow } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class NoOptions {
  @Requests
  requests!: void;

  @Meter("compute")
  compute!: void;

  @Resource("slots")
  slots!: void;

  @Surface("api")
  api!: void;

  @Entitlement("basic")
  basic!: void;

  @Workflow("nightly")
  nightly!: void;

  @Backend("main")
  main!: void;

  @Plan("starter", { limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
