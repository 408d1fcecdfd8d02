//! How many of each kind a product may declare. The bounds are far above what real products have; they keep what a
//! manifest costs to check, store and read within what one product may take of a service that serves many.

use super::finding::{At, Finding, Findings, Place};
use crate::diagnostic::Code;
use crate::manifest::ir::{Manifest, MeterPrice, Plan, Rates};
use crate::source::Path;

/// Most surfaces.
pub const SURFACES_MAX: usize = 1_000;
/// Most meters.
pub const METERS_MAX: usize = 10_000;
/// Most resources.
pub const RESOURCES_MAX: usize = 1_000;
/// Most capabilities.
pub const CAPABILITIES_MAX: usize = 10_000;
/// Most features.
pub const FEATURES_MAX: usize = 10_000;
/// Most actions of one feature.
pub const ACTIONS_MAX: usize = 1_000;
/// Most routes, of all features together.
pub const ROUTES_MAX: usize = 20_000;
/// Most fixed costs of all routes together, those that come from `routeDefault` and `@Requests` among them.
pub const ROUTE_COSTS_MAX: usize = 200_000;
/// Most plans.
pub const PLANS_MAX: usize = 1_000;
/// Most rate limits of one plan.
pub const PLAN_LIMITS_MAX: usize = 1_000;
/// Most prices of one plan: one for each meter.
pub const PLAN_PRICES_MAX: usize = METERS_MAX;
/// Most tiers of one price.
pub const PRICE_TIERS_MAX: usize = 1_000;
/// Most rates of one price: one for each cell.
pub const PRICE_RATES_MAX: usize = 10_000;
/// Most grants of one plan.
pub const PLAN_GRANTS_MAX: usize = 1_000;
/// Most entitlements.
pub const ENTITLEMENTS_MAX: usize = 10_000;
/// Most workflows.
pub const WORKFLOWS_MAX: usize = 10_000;
/// Most backends.
pub const BACKENDS_MAX: usize = 1_000;
/// Most policies.
pub const POLICIES_MAX: usize = 1_000;
/// Most entries of the navigation.
pub const NAV_MAX: usize = 1_000;
/// Most pages.
pub const PAGES_MAX: usize = 1_000;
/// Most components of one page.
pub const PAGE_COMPONENTS_MAX: usize = 1_000;

/// Reports each kind of which there are too many. `routes` and `route_costs` are counted by whoever asks, since a manifest's
/// routes may not be lowered yet. Returns whether everything is within its bound.
pub(crate) fn check(manifest: &Manifest, routes: usize, route_costs: usize, findings: &mut Findings) -> bool {
    let mut counts = Counts { findings, within: true };
    for (what, count, most) in [
        ("surfaces", manifest.surfaces.len(), SURFACES_MAX),
        ("meters", manifest.meters.len(), METERS_MAX),
        ("resources", manifest.resources.len(), RESOURCES_MAX),
        ("capabilities", manifest.capabilities.len(), CAPABILITIES_MAX),
        ("features", manifest.features.len(), FEATURES_MAX),
        ("plans", manifest.plans.len(), PLANS_MAX),
        ("entitlements", manifest.entitlements.len(), ENTITLEMENTS_MAX),
        ("workflows", manifest.workflows.len(), WORKFLOWS_MAX),
        ("backends", manifest.backends.len(), BACKENDS_MAX),
        ("policies", manifest.policies.len(), POLICIES_MAX),
    ] {
        counts.note(count, most, || (Path::new([what]), format!("the product has {count} {what}")));
    }
    counts.note(routes, ROUTES_MAX, || (Path::new(["features"]), format!("the product has {routes} routes")));
    counts.note(route_costs, ROUTE_COSTS_MAX, || {
        (Path::new(["features"]), format!("the routes have {route_costs} costs, defaults of meters among them,"))
    });
    for feature in &manifest.features {
        let key = feature.key.as_str();
        counts.note(feature.actions.len(), ACTIONS_MAX, || {
            (
                Path::new(["features", key, "actions"]),
                format!("the feature {key:?} has {} actions", feature.actions.len()),
            )
        });
    }
    manifest.plans.iter().for_each(|plan| counts.plan(plan));
    counts.frontend(manifest);
    counts.within
}

struct Counts<'f> {
    findings: &'f mut Findings,
    within: bool,
}

impl Counts<'_> {
    fn note(&mut self, count: usize, most: usize, what: impl FnOnce() -> (Path, String)) {
        if count <= most {
            return;
        }
        self.within = false;
        self.findings.report(Code::TooManyDeclarations, || {
            let (path, what) = what();
            let message = format!("{what}; at most {most} are taken");
            Finding { code: Code::TooManyDeclarations, message, hint: None, path, place: Place::Path(At::Value) }
        });
    }

    fn plan(&mut self, plan: &Plan) {
        let key = plan.key.as_str();
        for (list, what, count, most) in [
            ("limits", "rate limits", plan.limits.len(), PLAN_LIMITS_MAX),
            ("meter", "prices", plan.meters.len(), PLAN_PRICES_MAX),
            ("grants", "grants", plan.grants.len(), PLAN_GRANTS_MAX),
        ] {
            self.note(count, most, || {
                (Path::new(["plans", key, list]), format!("the plan {key:?} has {count} {what}"))
            });
        }
        for price in &plan.meters {
            let (meter, tiers) = (price.meter().as_str(), price.tiers());
            if let MeterPrice::Rates { rates, .. } = price {
                let count = Rates::cells_of(rates).len();
                self.note(count, PRICE_RATES_MAX, || {
                    let what = format!("the price of {meter:?} in the plan {key:?} has {count} rates");
                    (Path::new(["plans", key, "meter", meter]), what)
                });
            }
            self.note(tiers.len(), PRICE_TIERS_MAX, || {
                let what = format!("the price of {meter:?} in the plan {key:?} has {} tiers", tiers.len());
                (Path::new(["plans", key, "meter", meter]), what)
            });
        }
    }

    fn frontend(&mut self, manifest: &Manifest) {
        let (nav, pages) = (manifest.frontend.nav.len(), manifest.frontend.pages.len());
        self.note(nav, NAV_MAX, || (Path::new(["frontend", "nav"]), format!("the navigation has {nav} entries")));
        self.note(pages, PAGES_MAX, || (Path::new(["frontend", "pages"]), format!("the frontend has {pages} pages")));
        for (index, page) in manifest.frontend.pages.iter().enumerate() {
            let count = page.components.len();
            self.note(count, PAGE_COMPONENTS_MAX, || {
                let path = Path::new(["frontend", "pages"]).join(index).join("components");
                (path, format!("the page {:?} has {count} components", page.path))
            });
        }
    }
}
