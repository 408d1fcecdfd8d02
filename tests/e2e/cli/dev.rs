//! `svc dev`: real saves of real files, and what is said to each.

use super::{CONFIG, Place, tiny};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use svc_tests::raw;

/// Longest wait for what a save comes to: a machine of two cores that compiles beside.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long nothing is said to a save that changes nothing.
const SILENCE: Duration = Duration::from_millis(400);

/// A running `svc dev`.
struct Dev {
    child: Child,
    lines: Receiver<String>,
    first: String,
}

impl Dev {
    fn start(place: &Place) -> Dev {
        let mut command = place.command(&["dev", "--listen", "127.0.0.1:0"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let (tell, lines) = channel();
        std::thread::spawn(move || out.lines().map_while(Result::ok).try_for_each(|line| tell.send(line)));
        let mut dev = Dev { child, lines, first: String::new() };
        // The last line of the greeting.
        dev.first = dev.until(|line| line.starts_with("curl ") || line.contains("error"));
        dev
    }

    /// What is said up to a line.
    fn until(&self, is_last: impl Fn(&str) -> bool) -> String {
        let mut said = String::new();
        loop {
            let line = self.lines.recv_timeout(PATIENCE).unwrap_or_else(|error| panic!("{error}, after: {said}"));
            let done = is_last(&line);
            said += &line;
            said.push('\n');
            if done {
                return said;
            }
        }
    }

    /// What is said to the next save, without how long it took and where it is served.
    fn said(&self) -> String {
        let said = self.until(|line| line.starts_with('[') && line.ends_with(" ms]"));
        let is_told = |line: &&str| {
            !line.starts_with("served on ")
                && !line.starts_with('[')
                && !line.starts_with("curl ")
                && !line.starts_with("page ")
        };
        said.lines().filter(is_told).map(|line| format!("{line}\n")).collect()
    }

    /// The preview that is served.
    fn preview(&self) -> serde_json::Value {
        let curl = self.first.lines().last().unwrap();
        let token = curl.split("Bearer ").nth(1).unwrap().split('\'').next().unwrap();
        let url = curl.rsplit(' ').next().unwrap();
        let (address, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
        let headers = [format!("Host: {address}"), format!("Authorization: Bearer {token}")];
        let (status, body) = raw::get(address, &format!("/{path}"), &[&headers[0], &headers[1]]);
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).unwrap()
    }
}

impl Drop for Dev {
    fn drop(&mut self) {
        let _gone = self.child.kill();
        let _reaped = self.child.wait();
    }
}

fn priced() -> Place {
    let place = Place::with(
        r#"import { Meter, Plan, Product } from "@svc/product";
import { amount } from "./prices";

@Product({ origin: "https://api.example.com" })
export default class Tiny {
  @Meter("tokens", { unit: "tokens" }) tokens!: void;
  @Plan("pro", {
    price: { amount, currency: "usd", interval: "month" },
    limits: { requests: { rate: 60, interval: "minute" } },
    meter: { tokens: { micros: 500_000, includedUnits: 1_000 } },
  })
  pro!: void;
}
"#,
    );
    place.write("product/prices.ts", "export const amount = 1900;\n");
    place
}

#[test]
fn a_save_shows_what_it_changes_and_what_that_costs() {
    let place = priced();
    let dev = Dev::start(&place);
    assert!(dev.first.contains("example bills:\n  pro: $24.00 with 1,010 tokens\n"), "{}", dev.first);
    place.write("product/prices.ts", "export const amount = 2900;\n");
    insta::assert_snapshot!(dev.said(), @r#"
    warning[PRICED_METER_UNBOUND]: the plan "pro" prices the meter "tokens", which no route and no workflow feeds
      --> product/product.config.ts:10:14
       |
    10 |     meter: { tokens: { micros: 500_000, includedUnits: 1_000 } },
       |              ^^^^^^
    plans
      ~ pro
          ~ price $19.00 → $29.00/month (+53 %)  [economic, breaking]
    example bills:
      pro: $34.00 with 1,010 tokens
    "#);
}

#[test]
fn the_last_good_product_stays_and_is_served_while_the_files_are_broken() {
    let place = priced();
    let dev = Dev::start(&place);
    place.write("product/prices.ts", "export const amount = 19.5;\n");
    insta::assert_snapshot!(dev.said(), @r#"
    error[MONEY_NOT_AN_INTEGER]: `plans.pro.price.amount` is money in cents: an integer from 0 to 2^53 − 1, not the number 19.5
     --> product/product.config.ts:8:14
      |
    8 |     price: { amount, currency: "usd", interval: "month" },
      |              ^^^^^^
      |
      = help: write 19.5 dollars as 1950
    warning[PRICED_METER_UNBOUND]: the plan "pro" prices the meter "tokens", which no route and no workflow feeds
      --> product/product.config.ts:10:14
       |
    10 |     meter: { tokens: { micros: 500_000, includedUnits: 1_000 } },
       |              ^^^^^^
    1 error and 1 warning; the last good product stays
    "#);
    assert_eq!(dev.preview()["recurringFeeCents"], 1900);
    place.write("product/prices.ts", "export const amount = ;\n");
    assert!(dev.said().contains("SYNTAX_ERROR"));
    // Against the last good one, and not against nothing.
    place.write("product/prices.ts", "export const amount = 2100;\n");
    insta::assert_snapshot!(dev.said(), @r#"
    warning[PRICED_METER_UNBOUND]: the plan "pro" prices the meter "tokens", which no route and no workflow feeds
      --> product/product.config.ts:10:14
       |
    10 |     meter: { tokens: { micros: 500_000, includedUnits: 1_000 } },
       |              ^^^^^^
    plans
      ~ pro
          ~ price $19.00 → $21.00/month (+11 %)  [economic, breaking]
    example bills:
      pro: $26.00 with 1,010 tokens
    "#);
}

#[test]
fn editors_that_save_by_rename_are_seen() {
    let place = priced();
    let dev = Dev::start(&place);
    for amount in [2_000, 2_100, 2_200] {
        place.write("product/.prices.ts.swp", format!("export const amount = {amount};\n"));
        std::fs::rename(place.path("product/.prices.ts.swp"), place.path("product/prices.ts")).unwrap();
        let said = dev.said();
        assert!(said.contains(&format!("→ ${}.00", amount / 100)), "{said}");
    }
}

#[test]
fn new_deleted_and_moved_files_are_seen() {
    let place = priced();
    let dev = Dev::start(&place);
    std::fs::remove_file(place.path("product/prices.ts")).unwrap();
    assert!(dev.said().contains("IMPORT_NOT_FOUND"));
    // In a folder that is new itself.
    place.write("product/prices/index.ts", "export const amount = 2500;\n");
    assert!(dev.said().contains("→ $25.00"));
    place.write("product/prices/index.ts", "export const amount = 2600;\n");
    assert!(dev.said().contains("→ $26.00"));
    std::fs::rename(place.path("product"), place.path("elsewhere")).unwrap();
    assert!(dev.said().contains("PRODUCT_NOT_FOUND"));
    std::fs::rename(place.path("elsewhere"), place.path("product")).unwrap();
    place.write("product/prices/index.ts", "export const amount = 2700;\n");
    let said = dev.said();
    assert!(said.contains("→ $27.00"), "{said}");
}

#[test]
fn nothing_is_said_to_what_changes_no_source() {
    let place = priced();
    let dev = Dev::start(&place);
    place.write("product/notes.md", "a note");
    place.write("product-build.json", "{}");
    place.write("product/prices.ts", "export const amount = 1900;\n");
    assert!(dev.lines.recv_timeout(SILENCE).is_err());
    place.write("product/prices.ts", "export const amount = 2000;\n");
    assert!(dev.said().contains("→ $20.00"));
}

/// Saves of the test below; `DEV_SAVES` says otherwise (`make soak-dev`).
const SAVES: usize = 100;
/// How many more of each the program may have at the end than after the first tenth: what the runtime keeps for a while is among them.
const FILES_MORE_MAX: u64 = 3;
const THREADS_MORE_MAX: u64 = 3;
/// A worker that is kept ready may be on its way.
const CHILDREN_MORE_MAX: u64 = 3;
/// How much more memory it may take by then, in KiB: some that does not depend on the saves, and some for each of them.
const MEMORY_MORE_MAX_KIB: u64 = 8_192;
const MEMORY_PER_SAVE_MAX_KIB: u64 = 16;

/// What a process has of the system.
#[derive(Clone, Copy, Debug)]
struct Holds {
    files: u64,
    threads: u64,
    children: u64,
    memory_kib: u64,
}

impl Holds {
    fn of(process: u32) -> Holds {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
        let number = |name: &str| -> u64 {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
            line.split_whitespace().next().unwrap().parse().unwrap()
        };
        let parent = format!("PPid:\t{process}\n");
        let is_child =
            |path: PathBuf| std::fs::read_to_string(path.join("status")).is_ok_and(|it| it.contains(&parent));
        Holds {
            files: std::fs::read_dir(format!("/proc/{process}/fd")).unwrap().count() as u64,
            threads: number("Threads:"),
            children: std::fs::read_dir("/proc").unwrap().filter(|it| is_child(it.as_ref().unwrap().path())).count()
                as u64,
            memory_kib: number("VmRSS:"),
        }
    }

    fn told(self, when: &str) {
        let Holds { files, threads, children, memory_kib } = self;
        println!(
            "{when:>17}: {files} files open, {threads} threads, {children} child processes, {memory_kib} KiB resident"
        );
    }
}

/// One save of each way, in turn, and what is said to it.
fn save(place: &Place, number: usize) -> String {
    let prices = |amount: usize| format!("export const amount = {};\n", 1_000 + amount);
    let (file, folder) = ("product/prices.ts", "product/prices/index.ts");
    match number % 6 {
        0 => place.write(file, prices(number)),
        1 => {
            place.write("product/.prices.ts.swp", prices(number));
            std::fs::rename(place.path("product/.prices.ts.swp"), place.path(file)).unwrap();
        }
        2 => std::fs::remove_file(place.path(file)).unwrap(),
        // In a folder that is new itself.
        3 => place.write(folder, prices(number)),
        4 => std::fs::rename(place.path("product/prices"), place.path("product/moved")).unwrap(),
        _ => {
            std::fs::remove_dir_all(place.path("product/moved")).unwrap();
            place.write(file, prices(number));
        }
    }
    match number % 6 {
        2 | 4 => "IMPORT_NOT_FOUND".to_owned(),
        _ => format!("→ ${}.{:02}", (1_000 + number) / 100, number % 100),
    }
}

#[test]
fn many_saves_leave_nothing_behind() {
    let saves = std::env::var("DEV_SAVES").map_or(SAVES, |saves| saves.parse().unwrap());
    let place = priced();
    let dev = Dev::start(&place);
    let holds = || Holds::of(dev.child.id());
    holds().told("before");
    let mut early = holds();
    for number in 0..saves {
        let told = save(&place, number);
        let said = dev.said();
        assert!(said.contains(&told), "save {number} says no {told}: {said}");
        if number == saves / 10 {
            early = holds();
            early.told(&format!("after {number} saves"));
        }
    }
    let last = holds();
    last.told(&format!("after {saves} saves"));
    assert!(last.files <= early.files + FILES_MORE_MAX, "{early:?} {last:?}");
    assert!(last.threads <= early.threads + THREADS_MORE_MAX, "{early:?} {last:?}");
    assert!(last.children <= early.children + CHILDREN_MORE_MAX, "{early:?} {last:?}");
    let memory_max_kib = early.memory_kib + MEMORY_MORE_MAX_KIB + MEMORY_PER_SAVE_MAX_KIB * saves as u64;
    assert!(last.memory_kib <= memory_max_kib, "{early:?} {last:?}");
}

#[test]
fn a_product_with_a_mistake_is_waited_for() {
    let place = Place::with(&tiny("const broken = ;"));
    let dev = Dev::start(&place);
    assert!(dev.first.contains("SYNTAX_ERROR"), "{}", dev.first);
    place.write(CONFIG, tiny(""));
    assert!(dev.until(|line| line.starts_with("curl ")).contains("free: $0.00"));
}

#[test]
fn it_serves_this_machine_alone() {
    insta::assert_snapshot!(priced().run(&["dev", "--listen", "0.0.0.0:0"]), @"
    [stderr]
    svc: ADDRESS_NOT_LOCAL: 0.0.0.0:0 is not of this machine alone
      hint: `svc serve` serves others
    [exit status: 2]
    ");
}
