import { Feature, Plan, Product, Resource } from "@svc/product";

/** Team chat: 8.75 a seat and month, for as long as the seat is there. */
@Product({ origin: "https://api.seats.example" })
export default class TeamChat {
  @Resource("seats")
  seats!: void;

  @Feature("members", {
    plans: ["standard"],
    actions: [
      { id: "members.invite", kind: "mutation", resource: { resource: "seats", effect: "create" } },
      { id: "members.remove", kind: "mutation", resource: { resource: "seats", effect: "delete" } },
    ],
    routes: {
      "POST /v1/members": { action: "members.invite" },
      "DELETE /v1/members/{member}": { action: "members.remove" },
    },
  })
  members!: void;

  @Plan("standard", {
    limits: { requests: { rate: 600, interval: "minute" } },
    resources: { seats: { amountCents: 875 } },
  })
  standard!: void;
}
