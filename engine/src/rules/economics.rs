//! What a product charges, where it would not be what its author means: usage that is counted otherwise than it is written,
//! prices that fall, and what nobody can buy or use. Reads the IR alone.

use super::finding::{At, Findings};
use super::grants::same_sku;
use crate::diagnostic::Code;
use crate::manifest::ir::{Aggregation, Feature, Key, Manifest, Meter, MeterPrice, Plan, Route};
use crate::money::curve::{Curve, ExactNanos, exact_steps};
use crate::money::units::Units;
use crate::source::Path;
use crate::work;
use std::collections::{BTreeMap, BTreeSet};

/// Most steps from plans over capabilities to features, and from meters to the features that use them, that are taken to
/// find included units that nobody can use. Past them the warning is no longer looked for.
const REACH_STEPS_MAX: usize = 1_000_000;

/// Reports what is charged otherwise than it seems.
pub(crate) fn check(manifest: &Manifest, findings: &mut Findings) {
    let meters = manifest.meters.iter().map(|meter| (&meter.key, meter)).collect();
    let mut economics = Economics { manifest, meters, findings };
    manifest.meters.iter().for_each(|meter| economics.route_default(meter));
    manifest.meters.iter().for_each(|meter| economics.estimated_level(meter));
    manifest.routes.iter().filter(|route| route.metered).for_each(|route| economics.route(route));
    economics.default_backends();
    for plan in &manifest.plans {
        economics.falling_prices(plan);
        economics.free_by_cells(plan);
        economics.closed(plan);
    }
    economics.unusable_units();
}

/// Reports packs of one plan that have one `sku`. Assembly has done so at the very pack; this is for an IR that comes alone.
pub(crate) fn packs(manifest: &Manifest, findings: &mut Findings) {
    for plan in &manifest.plans {
        let mut skus = BTreeSet::new();
        for (index, grant) in plan.grants.iter().enumerate() {
            if let Some(sku) = grant.sku()
                && !skus.insert(sku)
            {
                findings.say(Code::DuplicateSku, At::Value, || {
                    let path = Path::new(["plans", plan.key.as_str(), "grants"]).join(index).join("sku");
                    (path, same_sku(sku), None)
                });
            }
        }
    }
}

struct Economics<'a, 'f> {
    manifest: &'a Manifest,
    meters: BTreeMap<&'a Key, &'a Meter>,
    findings: &'f mut Findings,
}

impl<'a> Economics<'a, '_> {
    /// Units of a default that the meter does not count as they are.
    fn route_default(&mut self, meter: &Meter) {
        let Some(units) = meter.route_default else { return };
        let path = || Path::new(["meters", meter.key.as_str(), "routeDefault"]);
        self.uncounted(meter, units, || "every metered route".to_owned(), path);
    }

    /// An estimate of a level that lasts: what a lost report would have set is not guessed.
    fn estimated_level(&mut self, meter: &Meter) {
        if let Some(units) = meter.estimate.filter(|_| meter.aggregation == Aggregation::TimeWeighted) {
            let key = meter.key.as_str();
            self.findings.say(Code::TimeWeightedValue, At::Value, || {
                let message = format!("the meter {key:?}, whose level lasts, is estimated at {units}");
                (Path::new(["meters", key, "estimate"]), message, lasting_hint())
            });
        }
    }

    fn route(&mut self, route: &Route) {
        for (key, units) in &route.estimates {
            if self.aggregation(key) == Some(Aggregation::TimeWeighted) {
                self.findings.say(Code::TimeWeightedValue, At::Value, || {
                    let key = key.as_str();
                    let message = format!(
                        "the route {:?} estimates the meter {key:?}, whose level lasts, at {units}",
                        route.name()
                    );
                    (route_path(route).join("estimates").join(key), message, lasting_hint())
                });
            }
        }
        for (key, units) in &route.costs {
            // What is inherited is said once, at the meter.
            if let Some(meter) = self.meters.get(key).copied().filter(|meter| meter.route_default != Some(*units)) {
                let owner = || format!("the route {:?}", route.name());
                self.uncounted(meter, *units, owner, || route_path(route).join("cost").join(key.as_str()));
            }
        }
        for key in &route.reports {
            if self.meters.get(key).is_some_and(|meter| meter.resource.is_some()) {
                self.findings.say(Code::TimeWeightedValue, At::Value, || {
                    let (route_name, key) = (route.name(), key.as_str());
                    let message = format!("the route {route_name:?} reports {key:?}, which counts a resource");
                    let hint = "the service counts it, by what routes' actions do to the resource";
                    (route_path(route).join("reports").join(key), message, Some(hint.to_owned()))
                });
            }
            if self.aggregation(key) == Some(Aggregation::Unique) {
                self.findings.say(Code::UniqueMeterOnRoute, At::Value, || {
                    let message = format!(
                        "the route {:?} reports the meter {:?}, which counts distinct keys; what a route reports has none",
                        route.name(),
                        key.as_str()
                    );
                    (route_path(route).join("reports").join(key.as_str()), message, unique_hint())
                });
            }
        }
    }

    /// A fixed cost that its meter does not count as it is written.
    fn uncounted(&mut self, meter: &Meter, units: Units, owner: impl FnOnce() -> String, path: impl FnOnce() -> Path) {
        let key = meter.key.as_str();
        match meter.aggregation {
            _ if !meter.by.is_empty() => self.findings.say(Code::AttributesUnsaid, At::Value, || {
                let message = format!(
                    "{} costs {units} of the meter {key:?}, which counts by attributes; a fixed cost names none",
                    owner()
                );
                (path(), message, Some("let the route report it, with its attributes".to_owned()))
            }),
            Aggregation::Count if units != Units::ONE => self.findings.say(Code::CountMeterCost, At::Value, || {
                let message =
                    format!("{} costs {units} of the meter {key:?}, which counts reports: each counts as 1", owner());
                let hint = "let the cost be 1, or declare a meter that sums";
                (path(), message, Some(hint.to_owned()))
            }),
            Aggregation::Unique => self.findings.say(Code::UniqueMeterOnRoute, At::Value, || {
                let message = format!(
                    "{} costs {units} of the meter {key:?}, which counts distinct keys; a fixed cost has none",
                    owner()
                );
                (path(), message, unique_hint())
            }),
            Aggregation::TimeWeighted => self.findings.say(Code::TimeWeightedValue, At::Value, || {
                let message = format!("{} costs {units} of the meter {key:?}, whose level lasts", owner());
                (path(), message, lasting_hint())
            }),
            _ => {}
        }
    }

    fn aggregation(&self, meter: &Key) -> Option<Aggregation> {
        self.meters.get(meter).map(|meter| meter.aggregation)
    }

    fn default_backends(&mut self) {
        let mut defaults = self.manifest.backends.iter().filter(|backend| backend.default);
        let Some(first) = defaults.next() else { return };
        for other in defaults {
            self.findings.say(Code::DefaultBackendTwice, At::Key, || {
                let (first, other) = (first.id.as_str(), other.id.as_str());
                let message = format!("both {first:?} and {other:?} are the default backend; routes go to one");
                (Path::new(["backends", other, "default"]), message, None)
            });
        }
    }

    fn falling_prices(&mut self, plan: &Plan) {
        for price in &plan.meters {
            let meter = price.meter();
            let is_whole = matches!(self.aggregation(meter), Some(Aggregation::Count | Aggregation::Unique));
            let Some((tier, less, more)) = falls(price, is_whole) else { continue };
            self.findings.say(Code::PriceFalls, At::Value, || {
                let (plan, meter) = (plan.key.as_str(), meter.as_str());
                let message = format!("in the plan {plan:?} {less} units of the meter {meter:?} cost more than {more}");
                let path = Path::new(["plans", plan, "meter", meter, "tiers"]).join(tier).join("micros");
                (path, message, Some("`graduated` charges each unit at the price of its own tier".to_owned()))
            });
        }
    }

    /// Free units that go by a meter with attributes: which of its cells is not said.
    fn free_by_cells(&mut self, plan: &Plan) {
        for price in &plan.meters {
            let Some(per) = price.included().per() else { continue };
            if self.meters.get(per).is_some_and(|meter| !meter.by.is_empty()) {
                self.findings.say(Code::AttributesUnsaid, At::Value, || {
                    let (plan, meter, per) = (plan.key.as_str(), price.meter().as_str(), per.as_str());
                    let message = format!("the free units of {meter:?} go by {per:?}, which counts by attributes");
                    let path = Path::new(["plans", plan, "meter", meter, "includedUnits", "per"]);
                    (path, message, None)
                });
            }
        }
    }

    /// A plan that subscribers may take by themselves, but that takes none.
    fn closed(&mut self, plan: &Plan) {
        let closed_by = if plan.legacy { "legacy" } else { "archive" };
        if plan.self_serve_enabled && (plan.legacy || plan.archive.is_some()) {
            self.findings.say(Code::PlanUnsubscribable, At::Key, || {
                let key = plan.key.as_str();
                let message = format!(
                    "nobody can subscribe to the plan {key:?}, which is open to self-service: `{closed_by}` closes it"
                );
                let hint = "write `selfServeEnabled: false` where that is meant";
                (Path::new(["plans", key, closed_by]), message, Some(hint.to_owned()))
            });
        }
    }

    /// Units that a plan includes of a meter that only routes of other plans use.
    fn unusable_units(&mut self) {
        let users = self.users();
        let by_workflow: BTreeSet<&Key> =
            self.manifest.workflows.iter().flat_map(|workflow| &workflow.meters).collect();
        let mut reach = Reach::of(self.manifest);
        for plan in &self.manifest.plans {
            let included = plan.meters.iter().filter_map(included).filter(|(meter, _)| {
                users.contains_key(meter)
                    && !by_workflow.contains(meter)
                    && !matches!(self.aggregation(meter), Some(Aggregation::Unique | Aggregation::TimeWeighted))
            });
            let included: Vec<(&Key, Units)> = included.collect();
            if included.is_empty() {
                continue;
            }
            let opened = reach.opened(plan);
            for (meter, units) in included {
                let features = users.get(meter).into_iter().flatten();
                let is_used = reach.any(features, |feature| opened.contains(feature));
                if is_used == Some(false) {
                    self.unusable(plan, meter, units);
                }
            }
        }
    }

    fn unusable(&mut self, plan: &Plan, meter: &Key, units: Units) {
        self.findings.say(Code::IncludedUnitsUnusable, At::Value, || {
            let (plan, meter) = (plan.key.as_str(), meter.as_str());
            let message = format!(
                "the plan {plan:?} includes {units} units of the meter {meter:?}, and no route of its features uses it"
            );
            let hint = "give the plan a feature whose routes use the meter";
            (Path::new(["plans", plan, "meter", meter, "includedUnits"]), message, Some(hint.to_owned()))
        });
    }

    /// The features whose routes cost or report each meter.
    fn users(&self) -> BTreeMap<&'a Key, BTreeSet<&'a Key>> {
        let mut users: BTreeMap<&Key, BTreeSet<&Key>> = BTreeMap::new();
        for route in self.manifest.routes.iter().filter(|route| route.metered) {
            for meter in route.costs.keys().chain(&route.reports) {
                users.entry(meter).or_default().insert(&route.feature);
            }
        }
        users
    }
}

fn lasting_hint() -> Option<String> {
    Some("a report sets it, in absolute units, and it holds until the next".to_owned())
}

fn unique_hint() -> Option<String> {
    Some("send it as a measured value with a `uniqueKey`".to_owned())
}

fn route_path(route: &Route) -> Path {
    Path::new(["features", route.feature.as_str(), "routes", &route.name()])
}

fn included(price: &MeterPrice) -> Option<(&Key, Units)> {
    let units = price.included().fixed().filter(|units| *units != Units::ZERO)?;
    Some((price.meter(), units))
}

/// The first tier of a volume price at whose beginning the whole gets cheaper, and two quantities of which the larger costs
/// less: a unit apart where that is enough, else a billionth.
fn falls(price: &MeterPrice, is_whole: bool) -> Option<(usize, Units, Units)> {
    let MeterPrice::Volume { tiers, included_units, .. } = price else { return None };
    let steps = if is_whole { &[Units::ONE][..] } else { &[Units::ONE, Units::from_steps(1)] };
    let curve = Curve::volume(tiers).at_most(price);
    let nothing = ExactNanos::default();
    let cost = |units| curve.cost(&exact_steps(Units::ZERO), &exact_steps(units), &nothing);
    let free = included_units.fixed().unwrap_or_default();
    tiers.iter().enumerate().find_map(|(index, tier)| {
        let less = Units::from_whole(tier.up_to?);
        let more = steps.iter().filter_map(|step| less.checked_add(*step)).find(|more| cost(*more) < cost(less))?;
        Some((index + 1, less.checked_add(free)?, more.checked_add(free)?))
    })
}

/// From plans to the features they open, for a bounded number of steps.
struct Reach<'a> {
    capabilities: BTreeMap<&'a Key, (&'a [Key], &'a [Key])>,
    by_plan: BTreeMap<&'a Key, Vec<&'a Key>>,
    steps_left: usize,
}

impl<'a> Reach<'a> {
    fn of(manifest: &'a Manifest) -> Self {
        let capabilities = manifest.capabilities.iter().map(|capability| {
            let brings = (capability.includes_features.as_slice(), capability.includes_capabilities.as_slice());
            (&capability.key, brings)
        });
        let mut by_plan: BTreeMap<&Key, Vec<&Key>> = BTreeMap::new();
        for Feature { key, plans, .. } in &manifest.features {
            plans.iter().for_each(|plan| by_plan.entry(plan).or_default().push(key));
        }
        Reach { capabilities: capabilities.collect(), by_plan, steps_left: REACH_STEPS_MAX }
    }

    fn step(&mut self) -> Option<()> {
        work::step();
        self.steps_left = self.steps_left.checked_sub(1)?;
        Some(())
    }

    /// Features that list the plan, that its capabilities bring, or that its gates open; those it closes are left out.
    fn opened(&mut self, plan: &'a Plan) -> BTreeSet<&'a Key> {
        let mut opened: BTreeSet<&Key> = self.by_plan.get(&plan.key).into_iter().flatten().copied().collect();
        let mut open: Vec<&Key> = plan.capabilities.iter().collect();
        let mut seen = BTreeSet::new();
        while let Some(key) = open.pop() {
            if self.step().is_none() {
                break;
            }
            if seen.insert(key)
                && let Some((features, inner)) = self.capabilities.get(key).copied()
            {
                opened.extend(features.iter().take_while(|_| self.step().is_some()));
                open.extend(inner);
            }
        }
        for (feature, is_open) in &plan.feature_gates {
            if *is_open {
                opened.insert(feature)
            } else {
                opened.remove(feature)
            };
        }
        opened
    }

    /// Whether any fits; nothing where there are no steps left to tell.
    fn any<T>(&mut self, all: impl Iterator<Item = T>, fits: impl Fn(T) -> bool) -> Option<bool> {
        for one in all {
            self.step()?;
            if fits(one) {
                return Some(true);
            }
        }
        (self.steps_left > 0).then_some(false)
    }
}
