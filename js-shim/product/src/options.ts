// The types of everything authors pass to the decorators and helpers, with units, ranges and defaults.
// Must not know: how any of it is copied, checked or lowered; this file is types only.
//
// Keys of all kinds match ^[a-z][a-z0-9_.-]{0,63}$ unless said otherwise. One cent is 10,000 micro-dollars.

/** A plain JSON value; an object's property whose value is `undefined` is left out. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** A string with known values that editors offer; others are allowed. */
type Known<T extends string> = T | (string & {});

/** What `@Product`, `@Frontend` and `@Raw` return; fits both decorator dialects. */
export interface ProductClassDecorator {
  (target: abstract new (...args: never[]) => unknown, context?: ClassDecoratorContext): void;
}

/** What all other decorators return; fits fields of both decorator dialects, and nothing but fields. */
export interface ProductMemberDecorator {
  (target: object, key: string, descriptor?: undefined): void;
  (value: undefined, context: ClassFieldDecoratorContext & { readonly static: false; readonly private: false }): void;
}

// ---- Class decorators ----

export interface ProductOptions {
  /** The http or https URL of the business-logic origin that the service calls. */
  origin: string;
  /** Defaults to the class's name. */
  name?: string;
  displayName?: string;
  description?: string;
  /** Whether responses 400-499 count as successful and are billed (200-499 in place of 200-299). Default false. */
  billOn4xx?: boolean;
}

export interface FrontendOptions {
  nav?: readonly NavItem[];
  pages?: readonly Page[];
}

export interface NavItem {
  label: string;
  /** An absolute path, such as `/jobs`. */
  path: string;
  /** Key of a `@Capability` that shows the item. */
  capability?: string;
}

export interface Page {
  /** An absolute path, such as `/jobs`. */
  path: string;
  title?: string;
  requiresAuth?: boolean;
  /** Key of a `@Capability` that opens the page. */
  capability?: string;
  components?: readonly PageComponent[];
}

export interface PageComponent {
  component: Known<"usage_card" | "feature_panel">;
  /** Such as `{ meter: "compute" }` or `{ feature: "jobs" }`. */
  props?: JsonObject;
  /** Key of a `@Capability` that opens the component. */
  capability?: string;
  /** What a subscriber without the capability sees. */
  gateMode?: "upsell" | "hide";
}

// ---- Surfaces, meters, resources, capabilities ----

export type SurfaceType = "frontend" | "api" | "docs" | "widget" | "webhook" | "worker" | "agent" | "dashboard";

export interface SurfaceOptions {
  title?: string;
  /** An absolute path, such as `/docs`. */
  path?: string;
  /** Key of a `@Capability` that opens the surface. */
  capability?: string;
}

export type Interval = "second" | "minute" | "hour" | "day" | "week" | "month";

/** `enforce` blocks what is over the limit; `track` only records it. */
export type Enforcement = "enforce" | "track";

export interface RequestsOptions {
  /** Default "Requests". */
  display?: string;
  /** Default "request". */
  unit?: string;
  /** Requests assumed before a request is admitted: finite, 0 or more. Default 1. */
  estimate?: number;
  window?: Interval;
  enforcementType?: Enforcement;
}

/** How a meter's reports make one quantity per window. */
export type Aggregation = "sum" | "count" | "max" | "last" | "unique";

export interface MeterOptions {
  /** Defaults to the title-cased key. */
  display?: string;
  /** Name of the unit, such as "ms" or "token". */
  unit?: string;
  /** Units assumed before a request is admitted: finite, 0 or more. */
  estimate?: number;
  /** Units added to every metered route, on top of the route's own cost: 0 or more. */
  routeDefault?: number;
  /** Default "sum". */
  aggregation?: Aggregation;
}

export interface ResourceOptions {
  /** Defaults to the title-cased name. */
  display?: string;
  /** How the count is known; `action_inferred` counts the effects of actions. */
  countSource?: "action_inferred";
}

export interface CapabilityOptions {
  title?: string;
  description?: string;
  /** Keys of `@Feature`s. */
  includesFeatures?: readonly string[];
  /** Names of `@Policy`s. */
  includesPolicies?: readonly string[];
  /** Keys of other `@Capability`s, without a cycle. */
  includesCapabilities?: readonly string[];
  mutationClass?: "runtime" | "contractual";
}

// ---- Features and routes ----

export interface FeatureOptions {
  description?: string;
  /** Keys of the `@Plan`s that have the feature. */
  plans?: readonly string[];
  /** Names of `@Policy`s laid over the feature's routes. */
  policies?: readonly string[];
  actions?: readonly Action[];
  /** Routes by `METHOD /path`, first match wins; path parameters are written `{name}`. */
  routes?: Routes;
}

export interface Action {
  /** What a route's `action` names. */
  id: string;
  /** Such as `mutation`. */
  kind: Known<"mutation">;
  title?: string;
  subject?: ActionSubject;
  resource?: ActionResource;
  audit?: Known<"full">;
}

export interface ActionSubject {
  type: string;
  from: "path_param";
  /** With `path_param`, the name of the path parameter. */
  name: string;
}

export interface ActionResource {
  /** Name of a `@Resource`. */
  resource: string;
  effect: "create" | "delete";
}

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS";
export type RouteKey = `${HttpMethod} /${string}`;
export type Routes = { readonly [key in RouteKey]?: Route };

/** Units per request by meter key: 0 or more. */
export interface RouteCost {
  readonly [meter: string]: number;
}

export interface Route {
  /** Fixed costs that the gateway knows. */
  cost?: RouteCost;
  /** Key of the meter whose value the upstream reports. */
  report?: string | readonly string[];
  /** Keys of the meters whose values the upstream reports. */
  reports?: string | readonly string[];
  /** Units assumed before the request is admitted, by key of a meter bound to this route: finite, 0 or more. */
  estimates?: RouteCost;
  /** Id of an action of the feature. */
  action?: string;
  /** Id of a `@Backend`. */
  backend?: string;
  /** Which responses are billed, in place of 200-299: `"200-299,404"` or `[200, 201]`. */
  onStatusCodes?: string | readonly number[];
  /** `true` clears all metering of the route, inherited and its own. Default false. */
  unmetered?: boolean;
  /** `false` leaves out the inherited defaults: `@Requests` and meters with `routeDefault`. Default true. */
  inheritDefaultMeters?: boolean;
}

// ---- Plans ----

/** A recurring price, or free. */
export type Price = AmountPrice | FreePrice;

export interface AmountPrice {
  /** US cents, integer, 0 to 2^53-1. */
  amount: number;
  currency: "usd";
  interval: "month" | "year";
  free?: never;
}

export interface FreePrice {
  free: true;
  amount?: never;
  currency?: never;
  interval?: never;
}

export interface RateLimit {
  /** Units of the dimension per interval, 0 or more. */
  rate: number;
  interval: Interval;
  /** Default "enforce". */
  enforcement?: Enforcement;
  count?: never;
}

export interface Count {
  /** How many of the resource there may be: integer, 0 or more. */
  count: number;
  rate?: never;
  interval?: never;
  enforcement?: never;
}

export interface MeterOverage {
  /** Micro-dollars for `per` units, integer, 0 to 2^53-1. Not microcents. */
  micros: number;
  /** Units that `micros` pays for: integer, 1 or more. Default 1. */
  per?: number;
  /** Units per period before anything is charged: 0 or more, at most nine digits behind the point. Default 0. */
  includedUnits?: number;
}

/** One price of the raw `meters` list. */
export type MeterPrice = LinearMeterPrice | TieredMeterPrice;

export interface LinearMeterPrice extends MeterOverage {
  /** Key of a `@Meter`, or `requests`. */
  meter: string;
  kind: "linear";
  tiers?: never;
}

export interface TieredMeterPrice {
  /** Key of a `@Meter`, or `requests`. */
  meter: string;
  /** `graduated`: each unit at its own tier's rate. `volume`: all units at the rate of the tier reached. */
  kind: "graduated" | "volume";
  /** Ascending by `upTo`; the last has `upTo: null`. */
  tiers: readonly Tier[];
  micros?: never;
  per?: never;
  includedUnits?: never;
}

export interface Tier {
  /** Last unit of the tier, integer; `null` for the last tier, which has no end. */
  upTo: number | null;
  /** Micro-dollars for `per` units, integer, 0 to 2^53-1. */
  micros: number;
  /** Units that `micros` pays for: integer, 1 or more. Default 1. */
  per?: number;
}

/** Credit granted to subscribers of a plan. */
export interface CreditGrantOptions {
  /** US cents, integer, 0 to 2^53-1. */
  amountCents: number;
  /** Default "included". */
  kind?: "included" | "promo" | "prepaid" | "referral";
  /** Whether the credit is renewed each period. Default false. */
  recurs?: boolean;
  label?: string;
  /** Days after which what is left expires: integer, 1 or more. */
  expiresAfterDays?: number;
  /** How an opaque plan shows the balance; without it, as a fraction. */
  display?: MultiplierDisplay;
}

export interface CreditGrant extends CreditGrantOptions {
  type: "credit";
}

/** The same without the helper. */
export interface CreditGrantLiteral extends CreditGrantOptions {
  type?: "credit";
}

export interface CapabilityGrantOptions {
  /** Most of each `@Resource`, by its name: integer, 0 or more. */
  limits?: { readonly [resource: string]: number };
}

export interface CapabilityGrant extends CapabilityGrantOptions {
  type: "capability";
  /** Key of a `@Capability`. */
  capability: string;
}

export interface TopUpOptions {
  sku: string;
  label: string;
  /** What the subscriber pays: US cents, integer, 0 to 2^53-1. */
  priceCents: number;
  /** What the subscriber gets: US cents of credit, integer, 0 to 2^53-1. */
  creditCents: number;
}

export interface TopUp extends TopUpOptions {
  type: "topUp";
}

export interface MultiplierOptions {
  /** Units shown for the whole grant, above 0. */
  factor: number;
}

export interface MultiplierDisplay extends MultiplierOptions {
  kind: "multiplier";
}

export type Grant = CapabilityGrant | CreditGrant | CreditGrantLiteral | TopUp | string;

export interface SpendPolicy {
  /** Whether subscribers see rated amounts (`transparent`) or only their allowances (`opaque`). Default "transparent". */
  disclosure?: "transparent" | "opaque";
}

/** Feature keys that are opened (`true`) or closed (`false`). */
export interface FeatureGates {
  readonly [feature: string]: boolean;
}

interface PlanCommon {
  /** Defaults to the member's name. */
  name?: string;
  /** Left out: a plan that costs nothing. */
  price?: Price;
  /** By dimension: rate limits on a meter or `requests`, counts on a `@Resource`. At least one rate limit is needed to publish. */
  limits?: { readonly [dimension: string]: RateLimit | Count };
  /** Most of each `@Resource`, by its name: integer, 0 or more. */
  caps?: { readonly [resource: string]: number };
  grants?: readonly Grant[];
  /** Days, integer, 0 or more. */
  trialDays?: number;
  /** Hard bound: US cents per month, integer, 0 to 2^53-1. */
  maxMonthlySpendCents?: number;
  /** Soft bound: US cents per month, integer, 0 to 2^53-1. */
  minMonthlySpendCents?: number;
  /** Keys of `@Capability`s granted without limits. */
  capabilities?: readonly string[];
  featureGates?: FeatureGates;
  overageBehavior?: "block" | "allow_and_bill";
  selfServeEnabled?: boolean;
  legacy?: boolean;
  archive?: boolean | { at?: "publish" };
  spendPolicy?: SpendPolicy;
  /** Platform JSON merged into this plan. */
  raw?: JsonObject;
}

interface PlanWithMeter {
  /** Price of usage by meter key. Not together with `meters`. */
  meter?: { readonly [meter: string]: MeterOverage };
  meters?: never;
}

interface PlanWithMeters {
  /** The platform's own list of meter prices. Not together with `meter`. */
  meters?: readonly MeterPrice[];
  meter?: never;
}

export type PlanOptions = PlanCommon & (PlanWithMeter | PlanWithMeters);

// ---- Entitlements, workflows, backends, policies ----

export interface EntitlementOptions {
  /** Keys of `@Capability`s. */
  capabilities?: readonly string[];
  featureGates?: FeatureGates;
  limits?: { readonly [dimension: string]: RateLimit | Count };
  /** Keys of `@Meter`s. */
  meters?: readonly string[];
}

export interface WorkflowOptions {
  /** Such as "agent_task" or "scheduled_job". */
  kind?: string;
  /** What starts the workflow, such as `"cron"` or `{ every: "hour" }`. */
  trigger?: string | JsonObject;
  /** Keys of `@Capability`s. */
  capabilities?: readonly string[];
  /** Keys of `@Meter`s. */
  meters?: readonly string[];
  /** Units assumed before a run, by key of a meter listed in `meters`: finite, 0 or more. */
  estimates?: RouteCost;
}

export interface BackendOptions {
  name?: string;
  slug?: string;
  /** An http or https URL. */
  originUrl?: string;
  transport?: { mode: "direct" | "tunnel" };
  verification?: { required: boolean };
  /** Keys of the `@Meter`s that this backend may report. */
  meters?: readonly string[];
  /** Whether routes without `backend` go here. */
  default?: boolean;
}

export interface PolicyOptions {
  kind: "auth" | "rate_limit" | "custom";
  /** Plain JSON for the policy. */
  config?: JsonObject;
}
