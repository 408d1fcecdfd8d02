//! A breakpoint of each kind of place that a product has, and where it lands.

use super::Place;

/// Every kind of place, each marked with its name behind `//@`.
const PLACES: &str = r#"import { Meter, Plan, Product } from "@svc/product";
import { cents } from "./lib/helper";

let count = 0; //@ top
const double = (n: number): number => n * 2; //@ arrow
for (const n of [1, 2, 3]) {
  count += n; //@ loop
}
const late = await Promise.resolve(4); //@ await

function limits() {
  return { requests: { rate: 60, interval: "minute" } } as const; //@ function
}

@Product({ origin: "https://api.example.com" })
export default class Places {
  plain = double(count); //@ field
  static first = double(late); //@ staticField
  static {
    count += Places.first; //@ block
  }
  static get twice() {
    return count * 2; //@ getter
  }
  @Meter("n", { unit: "n" }) n!: void; //@ decorator
  @Plan("free", {
    limits: limits(), //@ argument
    trialDays: cents(3),
  })
  free!: void;
}

const made = new Places().plain + Places.twice;
"#;

const HELPER: &str = r#"// Far from the entry.
export function cents(amount: number): number {
  const doubled = amount * 2;
  return doubled;
}
"#;

fn line_of(mark: &str) -> usize {
    PLACES.lines().position(|line| line.ends_with(&format!("//@ {mark}"))).unwrap() + 1
}

/// What is said to a breakpoint on a line, a run, and this.
fn stopped_at(file: &str, line: usize, more: &str) -> String {
    let place = Place::with(PLACES);
    place.write("product/lib/helper.ts", HELPER);
    let script = format!(".break {file}:{line}{more}\n.run\n");
    let told = place.run_with(&["repl", "-q"], &script).done();
    let (_, said) = told.stdout.split_once("> .run\n").unwrap();
    said.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn the_product_stops_at_each_kind_of_place() {
    let marks = [
        "top",
        "arrow",
        "loop",
        "await",
        "function",
        "field",
        "staticField",
        "block",
        "getter",
        "decorator",
        "argument",
    ];
    let told: Vec<String> =
        marks.iter().map(|mark| format!("{mark}: {}", stopped_at("product.config.ts", line_of(mark), ""))).collect();
    insta::assert_snapshot!(told.join("\n"), @"
    top: stopped at product/product.config.ts:4:13, in the top level
    arrow: stopped at product/product.config.ts:5:7, in the top level
    loop: stopped at product/product.config.ts:7:3, in the top level
    await: stopped at product/product.config.ts:9:14, in the top level
    function: stopped at product/product.config.ts:12:3, in limits
    field: stopped at product/product.config.ts:17:11, in <instance_members_initializer>
    staticField: stopped at product/product.config.ts:18:18, in <static_initializer>
    block: stopped at product/product.config.ts:20:5, in <static_initializer>
    getter: stopped at product/product.config.ts:23:5, in get twice
    decorator: stopped at product/product.config.ts:25:4, in the top level
    argument: stopped at product/product.config.ts:27:13, in the top level
    ");
    assert_eq!(stopped_at("lib/helper.ts", 3, ""), "stopped at product/lib/helper.ts:3:19, in cents");
    assert_eq!(stopped_at("helper.ts", 1, ""), "stopped at product/lib/helper.ts:3:19, in cents");
}

#[test]
fn a_column_chooses_inside_a_line() {
    let line = format!("{}:37", line_of("arrow"));
    assert!(PLACES.lines().nth(line_of("arrow") - 1).unwrap().len() > 37);
    let place = Place::with(PLACES);
    place.write("product/lib/helper.ts", HELPER);
    let told = place.run_with(&["repl", "-q"], &format!(".break product.config.ts:{line}\n.run\nn\n")).done();
    assert!(told.stdout.contains("breakpoint 1: product/product.config.ts:5:39\n"), "{told}");
    assert!(told.stdout.contains(", in double\n"), "{told}");
}

#[test]
fn a_condition_stops_a_loop_where_it_holds() {
    let place = Place::with(PLACES);
    place.write("product/lib/helper.ts", HELPER);
    let script = format!(".break product.config.ts:{} if n === 3\n.run\ncount\n", line_of("loop"));
    let told = place.run_with(&["repl", "-q"], &script).done();
    assert!(told.stdout.ends_with("> count\n3\n"), "{told}");
}
