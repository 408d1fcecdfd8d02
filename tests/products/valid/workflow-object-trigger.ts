import { Capability, Plan, Product, Workflow } from "@svc/product";

@Product({ origin: "https://api.example.com" })
export default class WorkflowObjectTrigger {
  @Capability("agents")
  agents!: void;

  @Workflow("triage", {
    kind: "agent_task",
    trigger: { on: "ticket.created", filter: { priority: ["high"], retries: 3, quiet: false } },
    capabilities: ["agents"],
  })
  triage!: void;

  @Plan("starter", { capabilities: ["agents"], limits: { requests: { rate: 60, interval: "minute" } } })
  starter!: void;
}
