//! The guest's world: exactly the globals on the checked-in list, and not one intrinsic that can be changed.

use svc_builds::compile;
use svc_engine::sources::{ENTRY, Sources};
use svc_runtime::worker::WorkerConfig;
use svc_tests::program::{block_on, pool, root};

/// Walks all that is reachable from the global object, the package and the intrinsics that no name leads to.
const WALK: &str = r#"
import { Plan, Product } from "@svc/product";
const own = [function* () {}, async function* () {}, async () => {}, [].values(), new Map().keys(), "".matchAll(/x/g), Plan];
const { get, set } = Object.getOwnPropertyDescriptor(new Error(), "stack");
const open = [globalThis, ...own.map(Object.getPrototypeOf), Plan, get, set];
const seen = new Set();
const loose = [];
while (open.length > 0) {
  const value = open.pop();
  if (value === null || (typeof value !== "object" && typeof value !== "function") || seen.has(value)) continue;
  seen.add(value);
  open.push(Object.getPrototypeOf(value));
  for (const key of Reflect.ownKeys(value)) {
    const found = Reflect.getOwnPropertyDescriptor(value, key);
    open.push(found.value, found.get, found.set);
  }
}
for (const value of seen) if (!Object.isFrozen(value)) loose.push(Object.prototype.toString.call(value) + " " + value.name);
const names = Reflect.ownKeys(globalThis).filter((key) => typeof key === "string").sort().join(" ");
const symbols = Reflect.ownKeys(globalThis).filter((key) => typeof key === "symbol").map(String).join(" ");
@Product({ name: "x", origin: "https://api.example.com", displayName: loose.join("|"), description: names + "|" + symbols })
export default class X {
  @Plan("free", { limits: { requests: { rate: seen.size, interval: "minute" } } }) free;
}
"#;

#[test]
fn every_global_is_on_the_list_and_every_intrinsic_is_frozen() {
    let compiled =
        block_on(compile(&pool(WorkerConfig::default()), Sources::from([(ENTRY.to_owned(), WALK.to_owned())])))
            .unwrap();
    let manifest =
        compiled.ir.unwrap_or_else(|| panic!("{:#?} {:?}", compiled.diagnostics, compiled.failure)).manifest().unwrap();
    assert_eq!(manifest.product.display_name.as_deref(), Some(""), "intrinsics that are not frozen");
    let listed = std::fs::read_to_string(root().join("runtime/src/isolate/globals.txt")).unwrap();
    let mut listed: Vec<&str> = listed.lines().collect();
    listed.sort_unstable();
    assert_eq!(manifest.product.description, Some(format!("{}|", listed.join(" "))));
    let walked: u64 = manifest.plans[0].limits[0].rate.to_string().parse().unwrap();
    assert!(walked > 500, "only {walked} objects were walked");
}
