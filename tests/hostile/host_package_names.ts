// row 56: what the package exports, and no more
import { Plan, Product } from "@svc/product";

import * as shim from "@svc/product";
//= ok product.displayName "Backend,Capability,Entitlement,Feature,Frontend,Meter,Meters,Plan,Policy,Product,ProductError,Raw,Requests,Resource,Surface,Workflow,capabilityGrant,creditGrant,display,percent,svc,topUp"
@Product({ name: "x", origin: "https://api.example.com", displayName: Object.keys(shim).join() })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
