import type { BackendOptions, CapabilityOptions, EntitlementOptions, FeatureOptions, FrontendOptions, JsonObject, MeterOptions, MetersByKey, PlanOptions, PolicyOptions, ProductClassDecorator, ProductMemberDecorator, ProductOptions, RequestsOptions, ResourceOptions, SurfaceOptions, SurfaceType, WorkflowOptions } from "./options.ts";
/** Makes the class a product. It stands above all other decorators of the class, and once. */
export declare function Product(options: ProductOptions): ProductClassDecorator;
/** Declares navigation and pages of the frontend. May be stacked. */
export declare function Frontend(options: FrontendOptions): ProductClassDecorator;
/** Merges platform JSON that has no typed form into the IR under `raw`. May be stacked. */
export declare function Raw(json: JsonObject): ProductClassDecorator;
/** Declares a surface that customers meet. */
export declare function Surface(type: SurfaceType, options?: SurfaceOptions): ProductMemberDecorator;
/** Declares the meter `requests`: 1 for every successful request of a metered route. */
export declare function Requests(options?: RequestsOptions): ProductMemberDecorator;
/** Declares a dimension that is billed or limited. */
export declare function Meter(key: string, options?: MeterOptions): ProductMemberDecorator;
/** Declares meters by their keys, as data: an object, or an imported JSON file. */
export declare function Meters(meters: MetersByKey): ProductMemberDecorator;
/** Declares a counted resource, capped per plan. */
export declare function Resource(name: string, options?: ResourceOptions): ProductMemberDecorator;
/** Declares a bundle of features that plans grant. */
export declare function Capability(key: string, options?: CapabilityOptions): ProductMemberDecorator;
/** Declares gateway routes, what they cost, and the plans that have them. */
export declare function Feature(key: string, options?: FeatureOptions): ProductMemberDecorator;
/** Declares a plan: price, limits, grants, trial and caps. */
export declare function Plan(key: string, options?: PlanOptions): ProductMemberDecorator;
/** Groups capabilities, feature gates, limits and meters for reuse. */
export declare function Entitlement(key: string, options?: EntitlementOptions): ProductMemberDecorator;
/** Declares work that no HTTP request starts, such as an agent's task or a scheduled job. */
export declare function Workflow(key: string, options?: WorkflowOptions): ProductMemberDecorator;
/** Declares a backend that routes bind to by its id. */
export declare function Backend(id: string, options?: BackendOptions): ProductMemberDecorator;
/** Declares a policy layer. */
export declare function Policy(name: string, options: PolicyOptions): ProductMemberDecorator;
