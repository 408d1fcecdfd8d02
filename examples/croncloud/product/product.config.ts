import {
  Backend,
  Capability,
  Entitlement,
  Feature,
  Frontend,
  Meter,
  Plan,
  Policy,
  Product,
  Raw,
  Requests,
  Resource,
  Surface,
  Workflow,
  capabilityGrant,
  creditGrant,
  svc,
  topUp,
} from "@svc/product";
import { app, site } from "./frontend";
import {
  BYTES_PER_GB,
  COMPUTE_MS_MICROS,
  EGRESS_GB_MICROS,
  ENTERPRISE_YEARLY_CENTS,
  MONTHLY_CENTS,
  REQUESTS_THOUSAND_MICROS,
  SCALE_CREDIT_CENTS,
  STARTER_CREDIT_CENTS,
  STARTER_INCLUDED_COMPUTE_MS,
  TEAM_CREDIT_CENTS,
} from "./prices";

@Product({
  name: "croncloud",
  origin: "https://api.croncloud.example",
  displayName: "CronCloud",
  description: "Scheduled jobs without servers.",
  billOn4xx: false,
})
@Frontend(app)
@Frontend(site)
@Raw({ support: { email: "help@croncloud.example", tiers: ["community", "priority"] } })
@Raw({ support: { hours: "24x7" }, compliance: { region: "eu" } })
export default class CronCloud {
  // Surfaces

  @Surface("frontend", { title: "Console", path: "/console", capability: "scheduling" })
  console!: void;

  @Surface("api", { title: "HTTP API", path: "/v1" })
  api!: void;

  @Surface("webhook", { title: "Run finished", path: "/hooks/run-finished", capability: "alerting" })
  @Surface("worker")
  background!: void;

  @Surface("docs")
  @Surface("widget")
  @Surface("agent")
  @Surface("dashboard")
  extras!: void;

  // Meters

  @Requests({ display: "API requests", unit: "request", estimate: 1, window: "minute", enforcementType: "enforce" })
  requests!: void;

  @Meter("compute_ms", { display: "Compute", unit: "ms", estimate: 250, aggregation: "sum" })
  compute!: void;

  @Meter("egress_bytes", { display: "Egress", unit: "byte" })
  egress!: void;

  @Meter("gateway_units", { display: "Gateway units", unit: "unit", routeDefault: 1 })
  gateway!: void;

  @Meter("runs", { unit: "run", aggregation: "count" })
  runs!: void;

  @Meter("peak_concurrency", { unit: "worker", aggregation: "max" })
  peak!: void;

  @Meter("stored_bytes", { unit: "byte", aggregation: "last" })
  stored!: void;

  @Meter("active_keys", { unit: "key", aggregation: "unique" })
  activeKeys!: void;

  // Resources

  @Resource("jobs", { display: "Jobs", countSource: "action_inferred" })
  jobCount!: void;

  @Resource("seats", { display: "Seats" })
  seats!: void;

  @Resource("webhooks")
  webhookCount!: void;

  // Backends and policies

  @Backend("primary", {
    name: "Primary",
    slug: "primary",
    originUrl: "https://primary.croncloud.example",
    transport: { mode: "direct" },
    verification: { required: true },
    meters: ["compute_ms", "egress_bytes", "peak_concurrency", "stored_bytes", "active_keys"],
    default: true,
  })
  primary!: void;

  @Backend("runner", {
    name: "Runner",
    slug: "runner",
    originUrl: "https://runner.croncloud.example",
    transport: { mode: "tunnel" },
    verification: { required: false },
    meters: ["compute_ms", "egress_bytes"],
    default: false,
  })
  runner!: void;

  @Policy("signed_in", { kind: "auth", config: { scheme: "bearer", scopes: ["jobs:read", "jobs:write"] } })
  signedIn!: void;

  @Policy("burst_guard", { kind: "rate_limit", config: { burst: 20 } })
  burstGuard!: void;

  @Policy("residency", { kind: "custom" })
  residency!: void;

  // Capabilities

  @Capability("scheduling", {
    title: "Scheduling",
    description: "Create, run and delete scheduled jobs.",
    includesFeatures: ["jobs"],
    includesPolicies: ["signed_in"],
    mutationClass: "runtime",
  })
  scheduling!: void;

  @Capability("observability", { title: "Observability", includesFeatures: ["history"], mutationClass: "contractual" })
  observability!: void;

  @Capability("alerting", { title: "Alerting", includesFeatures: ["alerts"], includesCapabilities: ["observability"] })
  alerting!: void;

  // Features

  @Feature("jobs", {
    description: "Scheduled jobs.",
    plans: ["free", "starter", "scale", "team", "enterprise", "classic"],
    policies: ["signed_in", "burst_guard"],
    actions: [
      {
        id: "create_job",
        kind: "mutation",
        title: "Create a job",
        resource: { resource: "jobs", effect: "create" },
      },
      {
        id: "delete_job",
        kind: "mutation",
        title: "Delete a job",
        subject: { type: "job", from: "path_param", name: "job_id" },
        resource: { resource: "jobs", effect: "delete" },
        audit: "full",
      },
    ],
    routes: {
      "GET /v1/jobs": {},
      "POST /v1/jobs": {
        cost: { gateway_units: 10 },
        report: "compute_ms",
        estimates: { compute_ms: 500, requests: 1 },
        action: "create_job",
        onStatusCodes: [200, 201, 202],
      },
      "GET /v1/jobs/search": { cost: { gateway_units: 4 }, onStatusCodes: "200-299,404" },
      "GET /v1/jobs/{job_id}": {},
      "DELETE /v1/jobs/{job_id}": { action: "delete_job" },
      "POST /v1/jobs/{job_id}/run": {
        cost: { runs: 1 },
        reports: ["compute_ms", "egress_bytes"],
        estimates: { compute_ms: 2_000 },
        backend: "runner",
      },
      "GET /v1/health": { unmetered: true },
    },
  })
  jobs!: void;

  @Feature("history", {
    description: "Past runs and their logs.",
    plans: ["starter", "scale", "team", "enterprise", "classic"],
    routes: {
      "GET /v1/runs": { inheritDefaultMeters: false, cost: { gateway_units: 1 } },
      "GET /v1/runs/{run_id}/log": { reports: "egress_bytes", backend: "primary" },
      "GET /v1/stats": { reports: ["peak_concurrency", "stored_bytes"] },
    },
  })
  history!: void;

  @Feature("alerts", {
    description: "Tell someone when a run fails.",
    plans: ["scale", "enterprise"],
    policies: ["residency"],
    actions: [
      {
        id: "create_webhook",
        kind: "mutation",
        title: "Add a webhook",
        resource: { resource: "webhooks", effect: "create" },
      },
    ],
    routes: {
      "PUT /v1/webhooks/{webhook_id}": { action: "create_webhook" },
      "PATCH /v1/webhooks/{webhook_id}": {},
    },
  })
  alerts!: void;

  // Entitlements and workflows

  @Entitlement("base_access", {
    capabilities: ["scheduling"],
    featureGates: { jobs: true, alerts: false },
    limits: { requests: { rate: 60, interval: "minute" }, seats: { count: 1 } },
    meters: ["requests", "compute_ms"],
  })
  baseAccess!: void;

  @Workflow("nightly_report", {
    kind: "scheduled_job",
    trigger: { every: "day", at: "02:00" },
    capabilities: ["observability"],
    meters: ["compute_ms", "runs"],
    estimates: { compute_ms: 30_000, runs: 1 },
  })
  nightlyReport!: void;

  @Workflow("triage", { kind: "agent_task", trigger: "run.failed", meters: ["compute_ms"] })
  triage!: void;

  // Plans

  @Plan("free", {
    name: "Free",
    price: { free: true },
    limits: { requests: { rate: 60, interval: "minute", enforcement: "enforce" }, jobs: { count: 3 } },
    grants: [capabilityGrant("scheduling")],
    overageBehavior: "block",
    selfServeEnabled: true,
  })
  free!: void;

  @Plan("starter", {
    name: "Starter",
    price: { amount: MONTHLY_CENTS.starter, currency: "usd", interval: "month" },
    spendPolicy: { disclosure: "transparent" },
    limits: {
      requests: { rate: 600, interval: "minute" },
      compute_ms: { rate: 50_000_000, interval: "day", enforcement: "track" },
    },
    caps: { jobs: 50, seats: 3 },
    meter: {
      compute_ms: { micros: COMPUTE_MS_MICROS, includedUnits: STARTER_INCLUDED_COMPUTE_MS },
      egress_bytes: { micros: EGRESS_GB_MICROS, per: BYTES_PER_GB, includedUnits: BYTES_PER_GB },
    },
    grants: [
      creditGrant({ amountCents: STARTER_CREDIT_CENTS, kind: "included", recurs: true, label: "Monthly credit" }),
      { amountCents: 1_000, kind: "promo", label: "Welcome", expiresAfterDays: 30 },
    ],
    trialDays: 14,
    maxMonthlySpendCents: 20_000,
    minMonthlySpendCents: 0,
    capabilities: ["scheduling", "observability"],
    featureGates: { jobs: true, alerts: false },
    overageBehavior: "allow_and_bill",
    selfServeEnabled: true,
  })
  starter!: void;

  @Plan("scale", {
    name: "Scale",
    price: { amount: MONTHLY_CENTS.scale, currency: "usd", interval: "month" },
    spendPolicy: { disclosure: "opaque" },
    limits: {
      requests: { rate: 100, interval: "second" },
      egress_bytes: { rate: 500_000_000_000, interval: "month", enforcement: "track" },
    },
    meter: {
      requests: { micros: REQUESTS_THOUSAND_MICROS, per: 1_000, includedUnits: 1_000_000 },
      compute_ms: { micros: COMPUTE_MS_MICROS },
    },
    grants: [
      creditGrant({
        amountCents: SCALE_CREDIT_CENTS,
        kind: "included",
        recurs: true,
        display: svc.display.multiplier({ factor: 20 }),
      }),
      capabilityGrant("scheduling", { limits: { jobs: 1_000, webhooks: 20 } }),
      capabilityGrant("alerting"),
      "priority_support",
    ],
    capabilities: ["observability"],
    overageBehavior: "allow_and_bill",
  })
  scale!: void;

  @Plan("team", {
    name: "Team",
    price: { amount: MONTHLY_CENTS.team, currency: "usd", interval: "month" },
    spendPolicy: { disclosure: "opaque" },
    limits: { requests: { rate: 50_000, interval: "hour" } },
    caps: { seats: 10, jobs: 250 },
    meter: { compute_ms: { micros: COMPUTE_MS_MICROS } },
    grants: [
      creditGrant({ amountCents: TEAM_CREDIT_CENTS, recurs: true }),
      creditGrant({ amountCents: 2_000, kind: "referral", label: "Brought a friend", expiresAfterDays: 90 }),
    ],
    capabilities: ["scheduling", "observability"],
    overageBehavior: "allow_and_bill",
    selfServeEnabled: true,
  })
  team!: void;

  @Plan("enterprise", {
    name: "Enterprise",
    price: { amount: ENTERPRISE_YEARLY_CENTS, currency: "usd", interval: "year" },
    limits: { requests: { rate: 100_000_000, interval: "week", enforcement: "track" }, seats: { count: 500 } },
    caps: { jobs: 100_000 },
    meters: [
      { meter: "requests", kind: "linear", micros: REQUESTS_THOUSAND_MICROS, per: 1_000, includedUnits: 50_000_000 },
      {
        meter: "compute_ms",
        kind: "graduated",
        tiers: [
          { upTo: 100_000_000, micros: COMPUTE_MS_MICROS },
          { upTo: 1_000_000_000, micros: 9 },
          { upTo: null, micros: 6 },
        ],
      },
      {
        meter: "egress_bytes",
        kind: "volume",
        tiers: [
          { upTo: 1_000 * BYTES_PER_GB, micros: EGRESS_GB_MICROS, per: BYTES_PER_GB },
          { upTo: null, micros: 50_000, per: BYTES_PER_GB },
        ],
      },
    ],
    grants: [
      topUp({ sku: "credit_1000", label: "1,000 dollars of credit", priceCents: 100_000, creditCents: 110_000 }),
      creditGrant({ amountCents: 500_000, kind: "prepaid", label: "Commitment" }),
    ],
    minMonthlySpendCents: 50_000,
    maxMonthlySpendCents: 5_000_000,
    capabilities: ["scheduling", "observability", "alerting"],
    featureGates: { jobs: true, history: true, alerts: true },
    overageBehavior: "allow_and_bill",
    selfServeEnabled: false,
    legacy: false,
    archive: false,
    raw: { invoicing: { terms: "net-30", purchaseOrder: true } },
  })
  enterprise!: void;

  // No longer sold; those who have it keep it.
  @Plan("classic", {
    limits: { requests: { rate: 10, interval: "second" } },
    capabilities: ["scheduling"],
    legacy: true,
    archive: { at: "publish" },
    selfServeEnabled: false,
  })
  classic!: void;
}
