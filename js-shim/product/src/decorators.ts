// The decorators. Each copies its arguments in the call and declares them on the class it is applied to; all behave
// alike, so what a decorator's options mean stands only in their types.
// Must not know: the registry's text form, rules beyond calling the checks.

import { checkArguments, checkProduct, misuseError } from "./checks.ts";
import { copyArguments } from "./copy.ts";
import { isClassDeclaration, locate } from "./dialect.ts";
import type { Misplaced, Place, Sort } from "./dialect.ts";
import { declarationsOf, declare, finalise, isFinalised, isRecording, recordMisuse } from "./drafts.ts";
import type {
  BackendOptions,
  CapabilityOptions,
  EntitlementOptions,
  FeatureOptions,
  FrontendOptions,
  JsonObject,
  MeterOptions,
  MetersByKey,
  PlanOptions,
  PolicyOptions,
  ProductClassDecorator,
  ProductMemberDecorator,
  ProductOptions,
  RequestsOptions,
  ResourceOptions,
  SurfaceOptions,
  SurfaceType,
  WorkflowOptions,
} from "./options.ts";

/** Makes the class a product. It stands above all other decorators of the class, and once. */
export function Product(options: ProductOptions): ProductClassDecorator;
export function Product(): ProductClassDecorator {
  return decorator("Product", "class", arguments) as ProductClassDecorator;
}

/** Declares navigation and pages of the frontend. May be stacked. */
export function Frontend(options: FrontendOptions): ProductClassDecorator;
export function Frontend(): ProductClassDecorator {
  return decorator("Frontend", "class", arguments) as ProductClassDecorator;
}

/** Merges platform JSON that has no typed form into the IR under `raw`. May be stacked. */
export function Raw(json: JsonObject): ProductClassDecorator;
export function Raw(): ProductClassDecorator {
  return decorator("Raw", "class", arguments) as ProductClassDecorator;
}

/** Declares a surface that customers meet. */
export function Surface(type: SurfaceType, options?: SurfaceOptions): ProductMemberDecorator;
export function Surface(): ProductMemberDecorator {
  return decorator("Surface", "member", arguments) as ProductMemberDecorator;
}

/** Declares the meter `requests`: 1 for every successful request of a metered route. */
export function Requests(options?: RequestsOptions): ProductMemberDecorator;
export function Requests(): ProductMemberDecorator {
  return decorator("Requests", "member", arguments) as ProductMemberDecorator;
}

/** Declares a dimension that is billed or limited. */
export function Meter(key: string, options?: MeterOptions): ProductMemberDecorator;
export function Meter(): ProductMemberDecorator {
  return decorator("Meter", "member", arguments) as ProductMemberDecorator;
}

/** Declares meters by their keys, as data: an object, or an imported JSON file. */
export function Meters(meters: MetersByKey): ProductMemberDecorator;
export function Meters(): ProductMemberDecorator {
  return decorator("Meters", "member", arguments) as ProductMemberDecorator;
}

/** Declares a counted resource, capped per plan. */
export function Resource(name: string, options?: ResourceOptions): ProductMemberDecorator;
export function Resource(): ProductMemberDecorator {
  return decorator("Resource", "member", arguments) as ProductMemberDecorator;
}

/** Declares a bundle of features that plans grant. */
export function Capability(key: string, options?: CapabilityOptions): ProductMemberDecorator;
export function Capability(): ProductMemberDecorator {
  return decorator("Capability", "member", arguments) as ProductMemberDecorator;
}

/** Declares gateway routes, what they cost, and the plans that have them. */
export function Feature(key: string, options?: FeatureOptions): ProductMemberDecorator;
export function Feature(): ProductMemberDecorator {
  return decorator("Feature", "member", arguments) as ProductMemberDecorator;
}

/** Declares a plan: price, limits, grants, trial and caps. */
export function Plan(key: string, options?: PlanOptions): ProductMemberDecorator;
export function Plan(): ProductMemberDecorator {
  return decorator("Plan", "member", arguments) as ProductMemberDecorator;
}

/** Groups capabilities, feature gates, limits and meters for reuse. */
export function Entitlement(key: string, options?: EntitlementOptions): ProductMemberDecorator;
export function Entitlement(): ProductMemberDecorator {
  return decorator("Entitlement", "member", arguments) as ProductMemberDecorator;
}

/** Declares work that no HTTP request starts, such as an agent's task or a scheduled job. */
export function Workflow(key: string, options?: WorkflowOptions): ProductMemberDecorator;
export function Workflow(): ProductMemberDecorator {
  return decorator("Workflow", "member", arguments) as ProductMemberDecorator;
}

/** Declares a backend that routes bind to by its id. */
export function Backend(id: string, options?: BackendOptions): ProductMemberDecorator;
export function Backend(): ProductMemberDecorator {
  return decorator("Backend", "member", arguments) as ProductMemberDecorator;
}

/** Declares a policy layer. */
export function Policy(name: string, options: PolicyOptions): ProductMemberDecorator;
export function Policy(): ProductMemberDecorator {
  return decorator("Policy", "member", arguments) as ProductMemberDecorator;
}

type Apply = (first?: unknown, second?: unknown, third?: unknown) => void;
/** What a decorator without parentheses gives back: a class stays itself. */
type Applied = object | undefined;

const NO_ARGUMENTS = "[]";

function decorator(name: string, sort: Sort, args: ArrayLike<unknown>): Apply | Applied {
  // Written without parentheses (`@Requests requests`) the decorator itself is applied: a call with no arguments of the
  // author's. Where there is one argument, only a class tells of that; other functions are arguments like any other.
  if (args.length > 1 || (args.length === 1 && isClassDeclaration(args[0]))) {
    const third = args.length > 2 ? args[2] : undefined;
    const place = locate(sort, args.length, args[0], args.length > 1 ? args[1] : undefined, third);
    if (place.misuse !== "outsideClass") {
      apply(name, place, NO_ARGUMENTS);
      return args.length === 1 ? (args[0] as object) : undefined;
    }
  }
  const copied = copyArguments(args);
  if (!isRecording()) checkArguments(name, copied);
  return function (first, second, third) {
    apply(name, locate(sort, arguments.length, first, second, third), copied);
  };
}

function apply(name: string, place: Place | Misplaced, args: string): void {
  if (place.misuse !== undefined) return misuse(name, place);
  if (isFinalised(place)) return misuse(name, { misuse: "finalised", member: place.member });
  declare(place, name, args);
  if (name !== "Product") return;
  if (!isRecording()) checkProduct(declarationsOf(place));
  finalise(place);
}

function misuse(name: string, misplaced: Misplaced): void {
  if (!isRecording()) throw misuseError(name, misplaced);
  recordMisuse(name, misplaced);
}
