import { Feature, Meters, Plan, Product } from "@svc/product";

/** 3,000 weighted minutes free, one pool for all machines: an hour of macos takes as much of it as ten of linux. */
@Product({ origin: "https://api.builds.example" })
export default class Builds {
  @Meters({ linux: { unit: "minute" }, windows: { unit: "minute" }, macos: { unit: "minute" } })
  minutes!: void;

  @Feature("run", { plans: ["team"], routes: { "POST /v1/jobs": { reports: ["linux", "windows", "macos"] } } })
  run!: void;

  @Plan("team", {
    limits: { requests: { rate: 600, interval: "minute" } },
    pools: { minutes: { units: 3_000, meters: { linux: 1, windows: 2, macos: 10 } } },
    meter: { linux: { micros: 6_000 }, windows: { micros: 10_000 }, macos: { micros: 62_000 } },
  })
  team!: void;
}
