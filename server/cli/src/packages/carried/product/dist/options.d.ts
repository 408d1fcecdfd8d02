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
    (value: undefined, context: ClassFieldDecoratorContext & {
        readonly static: false;
        readonly private: false;
    }): void;
}
export interface ProductOptions {
    /**
     * The http or https URL of the business-logic origin that the service calls.
     * Example: `origin: "https://api.example.com"`.
     */
    origin: string;
    /** Defaults to the class's name. Example: `name: "jobs"`. */
    name?: string;
    /** What people read as the product's name. Example: `displayName: "Acme Jobs"`. */
    displayName?: string;
    /** One or two sentences about the product. Example: `description: "Cron in the cloud."`. */
    description?: string;
    /**
     * Whether responses 400-499 count as successful and are billed (200-499 in place of 200-299). Default false.
     * Example: `billOn4xx: true`.
     */
    billOn4xx?: boolean;
}
export interface FrontendOptions {
    /** The entries of the navigation, in order. Example: `nav: [{ label: "Jobs", path: "/jobs" }]`. */
    nav?: readonly NavItem[];
    /** The pages, in order. Example: `pages: [{ path: "/jobs", title: "Jobs", components: [] }]`. */
    pages?: readonly Page[];
}
export interface NavItem {
    /** What the entry says. Example: `label: "Jobs"`. */
    label: string;
    /** An absolute path. Example: `path: "/jobs"`. */
    path: string;
    /** Key of a `@Capability` that shows the item. Example: `capability: "scheduling"`. */
    capability?: string;
}
export interface Page {
    /** An absolute path. Example: `path: "/jobs"`. */
    path: string;
    /** The page's heading. Example: `title: "Your jobs"`. */
    title?: string;
    /** Whether only those who are signed in see the page. Example: `requiresAuth: true`. */
    requiresAuth?: boolean;
    /** Key of a `@Capability` that opens the page. Example: `capability: "scheduling"`. */
    capability?: string;
    /**
     * What stands on the page, in order.
     * Example: `components: [{ component: "usage_card", props: { meter: "compute_ms" } }]`.
     */
    components?: readonly PageComponent[];
}
export interface PageComponent {
    /** Name of the component. Example: `component: "usage_card"`. */
    component: Known<"usage_card" | "feature_panel">;
    /** What the component gets. Example: `props: { meter: "compute_ms" }`. */
    props?: JsonObject;
    /** Key of a `@Capability` that opens the component. Example: `capability: "export"`. */
    capability?: string;
    /** What a subscriber without the capability sees. Example: `gateMode: "upsell"`. */
    gateMode?: "upsell" | "hide";
}
export type SurfaceType = "frontend" | "api" | "docs" | "widget" | "webhook" | "worker" | "agent" | "dashboard";
export interface SurfaceOptions {
    /** What people read as the surface's name. Example: `title: "API"`. */
    title?: string;
    /** An absolute path. Example: `path: "/docs"`. */
    path?: string;
    /** Key of a `@Capability` that opens the surface. Example: `capability: "export"`. */
    capability?: string;
}
export type Interval = "second" | "minute" | "hour" | "day" | "week" | "month";
/** `enforce` blocks what is over the limit; `track` only records it. */
export type Enforcement = "enforce" | "track";
export interface RequestsOptions {
    /** Default "Requests". Example: `display: "Calls"`. */
    display?: string;
    /** Default "request". Example: `unit: "call"`. */
    unit?: string;
    /** Requests assumed before a request is admitted: finite, 0 or more. Default 1. Example: `estimate: 1`. */
    estimate?: number;
    /** The interval by which requests are counted. Example: `window: "month"`. */
    window?: Interval;
    /** Whether what is over a limit is blocked or only recorded. Example: `enforcementType: "track"`. */
    enforcementType?: Enforcement;
}
/** How a meter's reports make one quantity per window. */
export type Aggregation = "sum" | "count" | "max" | "last" | "unique" | "time_weighted";
export interface MeterOptions {
    /** Defaults to the title-cased key. Example: `display: "Compute"`. */
    display?: string;
    /** Name of the unit. Example: `unit: "ms"`. */
    unit?: string;
    /** Units assumed before a request is admitted: finite, 0 or more. Example: `estimate: 250`. */
    estimate?: number;
    /** Units added to every metered route, on top of the route's own cost: 0 or more. Example: `routeDefault: 1`. */
    routeDefault?: number;
    /** Default "sum". Example: `aggregation: "max"`. */
    aggregation?: Aggregation;
    /**
     * Attributes by whose values the meter counts apart, at most eight, in the order in which `rates` nest them.
     * Example: `by: ["model", "kind"]`.
     */
    by?: readonly string[];
}
/** Meters by their keys, as `@Meters` takes them; a JSON file may hold them. */
export interface MetersByKey {
    readonly [meter: string]: MeterOptions;
}
export interface ResourceOptions {
    /** Defaults to the title-cased name. Example: `display: "Projects"`. */
    display?: string;
    /** How the count is known; `action_inferred` counts the effects of actions. Example: `countSource: "action_inferred"`. */
    countSource?: "action_inferred";
}
export interface CapabilityOptions {
    /** What people read as the capability's name. Example: `title: "Scheduling"`. */
    title?: string;
    /** A sentence about it. Example: `description: "Run jobs by the clock."`. */
    description?: string;
    /** Keys of `@Feature`s. Example: `includesFeatures: ["jobs"]`. */
    includesFeatures?: readonly string[];
    /** Names of `@Policy`s. Example: `includesPolicies: ["signed_in"]`. */
    includesPolicies?: readonly string[];
    /** Keys of other `@Capability`s, without a cycle. Example: `includesCapabilities: ["export"]`. */
    includesCapabilities?: readonly string[];
    /**
     * Whether it may change while a subscription runs (`runtime`) or is part of the contract (`contractual`).
     * Example: `mutationClass: "contractual"`.
     */
    mutationClass?: "runtime" | "contractual";
}
export interface FeatureOptions {
    /** A sentence about the feature. Example: `description: "Jobs that run by the clock."`. */
    description?: string;
    /** Keys of the `@Plan`s that have the feature. Example: `plans: ["starter", "scale"]`. */
    plans?: readonly string[];
    /** Names of `@Policy`s laid over the feature's routes. Example: `policies: ["signed_in"]`. */
    policies?: readonly string[];
    /**
     * What routes do, for their `action`.
     * Example: `actions: [{ id: "create_job", kind: "mutation", title: "Create a job" }]`.
     */
    actions?: readonly Action[];
    /**
     * Routes by `METHOD /path`, first match wins; path parameters are written `{name}`.
     * Example: `routes: { "POST /v1/jobs": { reports: "compute_ms" }, "GET /v1/jobs/{id}": {} }`.
     */
    routes?: Routes;
}
export interface Action {
    /** What a route's `action` names. Example: `id: "create_job"`. */
    id: string;
    /** What kind of action it is. Example: `kind: "mutation"`. */
    kind: Known<"mutation">;
    /** What people read as its name. Example: `title: "Create a job"`. */
    title?: string;
    /** What the action is done to. Example: `subject: { type: "job", from: "path_param", name: "id" }`. */
    subject?: ActionSubject;
    /** What the action does to a resource's count. Example: `resource: { resource: "jobs", effect: "create" }`. */
    resource?: ActionResource;
    /** How much of it is kept for audits. Example: `audit: "full"`. */
    audit?: Known<"full">;
}
export interface ActionSubject {
    /** What it is. Example: `type: "job"`. */
    type: string;
    /** Where its name comes from. Example: `from: "path_param"`. */
    from: "path_param";
    /** With `path_param`, the name of the path parameter. Example: `name: "id"`. */
    name: string;
}
export interface ActionResource {
    /** Name of a `@Resource`. Example: `resource: "jobs"`. */
    resource: string;
    /** What happens to the count. Example: `effect: "delete"`. */
    effect: "create" | "delete";
}
export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS";
export type RouteKey = `${HttpMethod} /${string}`;
export type Routes = {
    readonly [key in RouteKey]?: Route;
};
/** Units per request by meter key: 0 or more. */
export interface RouteCost {
    readonly [meter: string]: number;
}
export interface Route {
    /** Fixed costs that the gateway knows. Example: `cost: { credits: 10 }`. */
    cost?: RouteCost;
    /** Key of the meter whose value the upstream reports. Example: `report: "compute_ms"`. */
    report?: string | readonly string[];
    /** Keys of the meters whose values the upstream reports. Example: `reports: ["input_tokens", "output_tokens"]`. */
    reports?: string | readonly string[];
    /**
     * Units assumed before the request is admitted, by key of a meter bound to this route: finite, 0 or more.
     * Example: `estimates: { compute_ms: 250 }`.
     */
    estimates?: RouteCost;
    /** Id of an action of the feature. Example: `action: "create_job"`. */
    action?: string;
    /** Id of a `@Backend`. Example: `backend: "workers"`. */
    backend?: string;
    /**
     * Which responses are billed, in place of 200-299: `"200-299,404"` or `[200, 201]`.
     * Example: `onStatusCodes: "200-299,404"`.
     */
    onStatusCodes?: string | readonly number[];
    /** `true` clears all metering of the route, inherited and its own. Default false. Example: `unmetered: true`. */
    unmetered?: boolean;
    /**
     * `false` leaves out the inherited defaults: `@Requests` and meters with `routeDefault`. Default true.
     * Example: `inheritDefaultMeters: false`.
     */
    inheritDefaultMeters?: boolean;
}
/** A recurring price, or free. */
export type Price = AmountPrice | FreePrice;
export type AmountPrice = MonthlyPrice | YearlyPrice;
interface PriceCommon {
    /** US cents, integer, 0 to 2^53-1. Example: `amount: 1900`. */
    amount: number;
    /** The only currency there is. Example: `currency: "usd"`. */
    currency: "usd";
    /**
     * Whether it is charged when what it is for has ended (`arrears`), or before that begins. Default "arrears".
     * Example: `billed: "advance"`.
     */
    billed?: "arrears" | "advance";
    /** What the first ones cost instead. Example: `intro: { amount: 100, periods: 3 }`. */
    intro?: IntroPrice;
    free?: never;
}
/** The price of a subscription's beginning, once for each subscriber. */
export interface IntroPrice {
    /** US cents, integer, below the price itself. Example: `amount: 100`. */
    amount: number;
    /** How many times it is charged in place of the price, from the first on: integer, 1 to 1,200. Example: `periods: 3`. */
    periods: number;
}
export interface MonthlyPrice extends PriceCommon {
    /** How often it is charged. Example: `interval: "month"`. */
    interval: "month";
    usageInterval?: never;
}
export interface YearlyPrice extends PriceCommon {
    /** How often it is charged. Example: `interval: "year"`. */
    interval: "year";
    /** Bills usage each month, and the price once a year. Example: `usageInterval: "month"`. */
    usageInterval?: "month";
}
export interface FreePrice {
    /** The plan costs nothing, and says so. Example: `price: { free: true }`. */
    free: true;
    amount?: never;
    currency?: never;
    interval?: never;
    billed?: never;
    usageInterval?: never;
    intro?: never;
}
export interface RateLimit {
    /** Units of the dimension per interval, 0 or more. Example: `rate: 600`. */
    rate: number;
    /** The interval in which `rate` is allowed. Example: `interval: "minute"`. */
    interval: Interval;
    /** Default "enforce". Example: `enforcement: "track"`. */
    enforcement?: Enforcement;
    count?: never;
}
export interface Count {
    /** How many of the resource there may be: integer, 0 or more. Example: `count: 10`. */
    count: number;
    rate?: never;
    interval?: never;
    enforcement?: never;
}
/** Free units for each unit that another meter comes to in the period. */
export interface IncludedEach {
    /** Key of the other `@Meter`; its own free units don't go by this one. Example: `per: "members"`. */
    per: string;
    /** Free units for each of its units: 0 or more, at most nine digits behind the point. Example: `units: 500`. */
    units: number;
}
/** What every form of a price may have. */
interface PriceBounds {
    /**
     * Units per period before anything is charged, and before a tier begins: 0 or more, at most nine digits behind the point; or so many
     * for each unit of another meter. Default 0. Example: `includedUnits: 1_000_000`.
     */
    includedUnits?: number | IncludedEach;
    /** Least that the meter costs in a period, used or not: US cents, integer, 0 to 2^53-1. Example: `minCents: 4_950`. */
    minCents?: number;
    /** Most that the meter costs in a period: US cents, integer, 0 to 2^53-1. Example: `maxCents: 5_900`. */
    maxCents?: number;
}
export interface MeterOverage extends PriceBounds {
    /** Micro-dollars for `per` units, integer, 0 to 2^53-1. Not microcents. Example: `micros: 150_000`. */
    micros: number;
    /** Units that `micros` pays for: integer, 1 or more. Default 1. Example: `per: 1_000_000`. */
    per?: number;
    /** Whether each started `per` is charged whole; without it, in proportion. Example: `round: "up"`. */
    round?: "up";
    /** May be left out in `meter`. Example: `kind: "linear"`. */
    kind?: "linear";
    tiers?: never;
    rates?: never;
}
/** Micro-dollars by the values of a meter's attributes, nested in the order of its `by`. */
export interface Rates {
    readonly [value: string]: number | Rates;
}
/** A price by attribute: each combination of their values is a quantity of its own, and one without a rate is refused. */
export interface RatesOverage {
    /**
     * Micro-dollars for `per` units, integer, 0 to 2^53-1, by the value of the first attribute, inside by that of the second, and so on.
     * Example: `rates: { "m-large": { input: 1_250_000, output: 10_000_000 } }`.
     */
    rates: Rates;
    /** Units that each rate pays for: integer, 1 or more. Default 1. Example: `per: 1_000_000`. */
    per?: number;
    /** Whether each started `per` is charged whole; without it, in proportion. Example: `round: "up"`. */
    round?: "up";
    /** May be left out in `meter`. Example: `kind: "linear"`. */
    kind?: "linear";
    micros?: never;
    tiers?: never;
    includedUnits?: never;
    minCents?: never;
    maxCents?: never;
}
/** What a resource costs. */
export interface ResourcePrice {
    /** US cents for each, and period: integer, 0 or more. Example: `amountCents: 875`. */
    amountCents: number;
    /** How many are free. Default 0. Example: `included: 3`. */
    included?: number;
}
/** Free units that several meters use up together, in the order in which their usage is reported. */
export interface UnitPool {
    /** How many, in each period: 0 or more, at most nine digits behind the point. Example: `units: 3_000`. */
    units: number;
    /**
     * The meters, with how many of the pool's units one of theirs takes: integer, 1 or more.
     * Example: `meters: { linux: 1, windows: 2, macos: 10 }`.
     */
    meters: {
        readonly [meter: string]: number;
    };
}
export interface TieredOverage extends PriceBounds {
    /**
     * `graduated`: each unit at its own tier's rate. `volume`: all units at the rate of the tier reached.
     * Example: `kind: "graduated"`.
     */
    kind: "graduated" | "volume";
    /**
     * Ascending by `upTo`; the last has `upTo: null`.
     * Example: `tiers: [{ upTo: 1_000, micros: 20 }, { upTo: null, micros: 12 }]`.
     */
    tiers: readonly Tier[];
    micros?: never;
    per?: never;
    round?: never;
    rates?: never;
}
/** One price of the raw `meters` list. */
export type MeterPrice = LinearMeterPrice | RatesMeterPrice | TieredMeterPrice;
export interface LinearMeterPrice extends MeterOverage {
    /** Key of a `@Meter`, or `requests`. Example: `meter: "compute_ms"`. */
    meter: string;
    /** Each unit at the same rate. Example: `kind: "linear"`. */
    kind: "linear";
}
export interface RatesMeterPrice extends RatesOverage {
    /** Key of a `@Meter` with attributes. Example: `meter: "tokens"`. */
    meter: string;
    /** Each cell at its own rate. Example: `kind: "linear"`. */
    kind: "linear";
}
export interface TieredMeterPrice extends TieredOverage {
    /** Key of a `@Meter`, or `requests`. Example: `meter: "compute_ms"`. */
    meter: string;
}
/** A step of a price in tiers: a rate, a price of its own, or both. */
export type Tier = RatedTier | FlatTier;
interface TierCommon {
    /** Last unit of the tier, integer; `null` for the last tier, which has no end. Example: `upTo: 1_000`. */
    upTo: number | null;
}
export interface RatedTier extends TierCommon {
    /** Micro-dollars for `per` units, integer, 0 to 2^53-1. Example: `micros: 20`. */
    micros: number;
    /** Units that `micros` pays for: integer, 1 or more. Default 1. Example: `per: 1_000`. */
    per?: number;
    /** Whether each started `per` of the tier is charged whole; without it, in proportion. Example: `round: "up"`. */
    round?: "up";
    /** Micro-dollars for the tier itself, integer, 0 to 2^53-1. Example: `flatMicros: 35_000_000`. */
    flatMicros?: number;
}
export interface FlatTier extends TierCommon {
    /** Micro-dollars for the tier itself, however many of its units: integer, 0 to 2^53-1. Example: `flatMicros: 35_000_000`. */
    flatMicros: number;
    micros?: never;
    per?: never;
    round?: never;
}
/** Credit granted to subscribers of a plan. */
export type CreditGrantOptions = CreditCommon & (CreditOnce | CreditEachPeriod);
interface CreditOnce {
    /** Whether the credit is renewed each period. Default false. Example: `recurs: true`. */
    recurs?: false;
    rolloverPeriods?: never;
}
interface CreditEachPeriod {
    /** Whether the credit is renewed each period. Default false. Example: `recurs: true`. */
    recurs: true;
    /** Periods after its own for which what is left is kept: integer, 1 or more. Example: `rolloverPeriods: 2`. */
    rolloverPeriods?: number;
}
interface CreditCommon {
    /** US cents, integer, 0 to 2^53-1. Example: `amountCents: 500`. */
    amountCents: number;
    /** Default "included". Example: `kind: "promo"`. */
    kind?: "included" | "promo" | "prepaid" | "referral";
    /** What people read as its name. Example: `label: "Monthly credit"`. */
    label?: string;
    /** Days after which what is left expires: integer, 1 or more. Example: `expiresAfterDays: 30`. */
    expiresAfterDays?: number;
    /**
     * The meters whose usage it pays for, and no other's; without it, all usage. At least one.
     * Example: `meters: ["compute"]`.
     */
    meters?: readonly [string, ...string[]];
    /**
     * How an opaque plan shows the balance; without it, as a fraction.
     * Example: `display: svc.display.multiplier({ factor: 5 })`.
     */
    display?: MultiplierDisplay;
}
export type CreditGrant = CreditGrantOptions & {
    /** What `creditGrant` puts in. Example: `type: "credit"`. */
    type: "credit";
};
/** The same without the helper. */
export type CreditGrantLiteral = CreditGrantOptions & {
    /** May be left out. Example: `grants: [{ amountCents: 500 }]`. */
    type?: "credit";
};
export interface CapabilityGrantOptions {
    /** Most of each `@Resource`, by its name: integer, 0 or more. Example: `limits: { projects: 10 }`. */
    limits?: {
        readonly [resource: string]: number;
    };
}
export interface CapabilityGrant extends CapabilityGrantOptions {
    /** What `capabilityGrant` puts in. Example: `type: "capability"`. */
    type: "capability";
    /** Key of a `@Capability`. Example: `capability: "scheduling"`. */
    capability: string;
}
/** Credit to buy: a pack of one price, or as much as the buyer likes. */
export type TopUpOptions = PackOptions | OpenPackOptions;
interface TopUpCommon {
    /** The pack's key, unique in its plan; a purchase names it. Example: `sku: "credit_50"`. */
    sku: string;
    /** What people read as its name. Example: `label: "50 dollars of credit"`. */
    label: string;
    /** Days after which what is left expires: integer, 1 or more. Example: `expiresAfterDays: 365`. */
    expiresAfterDays?: number;
    /**
     * The meters whose usage it pays for, and no other's; without it, all usage. At least one.
     * Example: `meters: ["compute"]`.
     */
    meters?: readonly [string, ...string[]];
}
export interface PackOptions extends TopUpCommon {
    /** What the subscriber pays: US cents, integer, 0 to 2^53-1. Example: `priceCents: 5_000`. */
    priceCents: number;
    /** What the subscriber gets: US cents of credit, integer, 0 to 2^53-1. Example: `creditCents: 5_500`. */
    creditCents: number;
    minCents?: never;
    maxCents?: never;
    feeBasisPoints?: never;
}
export interface OpenPackOptions extends TopUpCommon {
    /** Least credit that one may buy at once: US cents, integer, 1 to 2^53-1. Example: `minCents: 500`. */
    minCents: number;
    /** Most credit that one may buy at once: US cents, integer, 1 to 2^53-1. Example: `maxCents: 100_000`. */
    maxCents: number;
    /** What is paid on top, in hundredths of a percent: integer, 0 to 10,000. Default 0. Example: `feeBasisPoints: 550`. */
    feeBasisPoints?: number;
    priceCents?: never;
    creditCents?: never;
}
export type TopUp = TopUpOptions & {
    /** What `topUp` puts in. Example: `type: "topUp"`. */
    type: "topUp";
};
export interface MultiplierOptions {
    /** Units shown for the whole grant, above 0. Example: `svc.display.multiplier({ factor: 5 })`. */
    factor: number;
}
export interface MultiplierDisplay extends MultiplierOptions {
    /** What `display.multiplier` puts in. Example: `kind: "multiplier"`. */
    kind: "multiplier";
}
export type Grant = CapabilityGrant | CreditGrant | CreditGrantLiteral | TopUp | string;
export interface SpendPolicy {
    /**
     * Whether subscribers see rated amounts (`transparent`) or only their allowances (`opaque`). Default "transparent".
     * Example: `spendPolicy: { disclosure: "opaque" }`.
     */
    disclosure?: "transparent" | "opaque";
}
/** Feature keys that are opened (`true`) or closed (`false`). */
export interface FeatureGates {
    readonly [feature: string]: boolean;
}
interface PlanCommon {
    /** Defaults to the member's name. Example: `name: "Starter"`. */
    name?: string;
    /** Left out: a plan that costs nothing. Example: `price: { amount: 1900, currency: "usd", interval: "month" }`. */
    price?: Price;
    /**
     * By dimension: rate limits on a meter or `requests`, counts on a `@Resource`. At least one rate limit is needed to publish.
     * Example: `limits: { requests: { rate: 600, interval: "minute" }, projects: { count: 10 } }`.
     */
    limits?: {
        readonly [dimension: string]: RateLimit | Count;
    };
    /** Most of each `@Resource`, by its name: integer, 0 or more. Example: `caps: { projects: 10 }`. */
    caps?: {
        readonly [resource: string]: number;
    };
    /**
     * Credit, capabilities and packs that come with the plan; other grants are texts.
     * Example: `grants: [creditGrant({ amountCents: 500, recurs: true }), "priority_support"]`.
     */
    grants?: readonly Grant[];
    /**
     * Free units that several meters use up together.
     * Example: `pools: { minutes: { units: 3_000, meters: { linux: 1, windows: 2 } } }`.
     */
    pools?: {
        readonly [pool: string]: UnitPool;
    };
    /**
     * What each of a `@Resource` costs that is there for a whole period; one that is there for a part of it costs that part.
     * Example: `resources: { seats: { amountCents: 875, included: 3 } }`.
     */
    resources?: {
        readonly [resource: string]: ResourcePrice;
    };
    /** Days, integer, 0 or more. Example: `trialDays: 14`. */
    trialDays?: number;
    /** Hard bound: US cents per month, integer, 0 to 2^53-1. Example: `maxMonthlySpendCents: 20_000`. */
    maxMonthlySpendCents?: number;
    /** Soft bound: US cents per month, integer, 0 to 2^53-1. Example: `minMonthlySpendCents: 1_000`. */
    minMonthlySpendCents?: number;
    /** Keys of `@Capability`s granted without limits. Example: `capabilities: ["export"]`. */
    capabilities?: readonly string[];
    /** Opens or closes features one by one. Example: `featureGates: { alerts: false }`. */
    featureGates?: FeatureGates;
    /**
     * What happens past what is granted: requests are refused (`block`), or billed.
     * Example: `overageBehavior: "allow_and_bill"`.
     */
    overageBehavior?: "block" | "allow_and_bill";
    /** Whether people may subscribe by themselves. Example: `selfServeEnabled: true`. */
    selfServeEnabled?: boolean;
    /** Whether the plan is of old and takes no new subscribers. Example: `legacy: true`. */
    legacy?: boolean;
    /** Whether the plan is closed: it keeps its subscribers and takes no new ones. Example: `archive: { at: "publish" }`. */
    archive?: boolean | {
        at?: "publish";
    };
    /** What subscribers see of what they spend. Example: `spendPolicy: { disclosure: "opaque" }`. */
    spendPolicy?: SpendPolicy;
    /** Platform JSON merged into this plan. Example: `raw: { badge: "popular" }`. */
    raw?: JsonObject;
}
interface PlanWithMeter {
    /**
     * Price of usage by meter key. Not together with `meters`.
     * Example: `meter: { compute_ms: { micros: 12, includedUnits: 1_000_000 } }`.
     */
    meter?: {
        readonly [meter: string]: MeterOverage | RatesOverage | TieredOverage;
    };
    meters?: never;
}
interface PlanWithMeters {
    /**
     * The platform's own list of meter prices. Not together with `meter`.
     * Example: `meters: [{ meter: "compute_ms", kind: "linear", micros: 12 }]`.
     */
    meters?: readonly MeterPrice[];
    meter?: never;
}
export type PlanOptions = PlanCommon & (PlanWithMeter | PlanWithMeters);
export interface EntitlementOptions {
    /** Keys of `@Capability`s. Example: `capabilities: ["scheduling"]`. */
    capabilities?: readonly string[];
    /** Features that it opens or closes. Example: `featureGates: { alerts: true }`. */
    featureGates?: FeatureGates;
    /** Limits that it brings, by dimension. Example: `limits: { requests: { rate: 600, interval: "minute" } }`. */
    limits?: {
        readonly [dimension: string]: RateLimit | Count;
    };
    /** Keys of `@Meter`s. Example: `meters: ["compute_ms"]`. */
    meters?: readonly string[];
}
export interface WorkflowOptions {
    /** What kind of workflow it is. Example: `kind: "scheduled_job"`. */
    kind?: string;
    /** What starts the workflow. Example: `trigger: { every: "hour" }`. */
    trigger?: string | JsonObject;
    /** Keys of `@Capability`s. Example: `capabilities: ["scheduling"]`. */
    capabilities?: readonly string[];
    /** Keys of `@Meter`s. Example: `meters: ["compute_ms"]`. */
    meters?: readonly string[];
    /**
     * Units assumed before a run, by key of a meter listed in `meters`: finite, 0 or more.
     * Example: `estimates: { compute_ms: 250 }`.
     */
    estimates?: RouteCost;
}
export interface BackendOptions {
    /** What people read as the backend's name. Example: `name: "Workers"`. */
    name?: string;
    /** A short name for addresses. Example: `slug: "workers"`. */
    slug?: string;
    /** An http or https URL. Example: `originUrl: "https://workers.example.com"`. */
    originUrl?: string;
    /** How the gateway reaches it. Example: `transport: { mode: "direct" }`. */
    transport?: {
        mode: "direct" | "tunnel";
    };
    /** Whether what it reports must be signed. Example: `verification: { required: true }`. */
    verification?: {
        required: boolean;
    };
    /** Keys of the `@Meter`s that this backend may report. Example: `meters: ["compute_ms"]`. */
    meters?: readonly string[];
    /** Whether routes without `backend` go here. Example: `default: true`. */
    default?: boolean;
}
export interface PolicyOptions {
    /** What the policy does. Example: `kind: "auth"`. */
    kind: "auth" | "rate_limit" | "custom";
    /** Plain JSON for the policy. Example: `config: { scheme: "bearer" }`. */
    config?: JsonObject;
}
export {};
