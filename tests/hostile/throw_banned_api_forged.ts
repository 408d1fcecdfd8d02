// C2: an error that calls itself BannedApi has no longer a text than others
import { Plan, Product, Raw } from "@svc/product";

const error = new Error("m".repeat(20_000_000));
error.name = "BannedApi";
throw error;
//? BANNED_API
@Product({ name: "x", origin: "https://api.example.com" })
export default class X {
  @Plan("free", { limits: { requests: { rate: 1, interval: "minute" } } })
  free!: void;
}
