fn main() {
    let dir = std::env::args().nth(1).unwrap();
    let mut sources = std::collections::BTreeMap::new();
    for e in std::fs::read_dir(format!("{dir}/product")).unwrap() {
        let p = e.unwrap().path();
        sources.insert(format!("product/{}", p.file_name().unwrap().to_str().unwrap()), std::fs::read_to_string(&p).unwrap());
    }
    match svc_runtime::try_it(&sources) {
        svc_runtime::Outcome::Collected { registry, classes } => {
            let r = svc_engine::registry::Registry::parse(&registry).unwrap();
            let f = svc_engine::manifest::finalize(&r, &classes);
            for d in &f.diagnostics { println!("{}", serde_json::to_string(d).unwrap()); }
            if let Some(m) = f.manifest { println!("{}", svc_engine::manifest::canonical::hash(&m).unwrap()); println!("{}", serde_json::to_string_pretty(&m).unwrap()); }
        }
        other => println!("{other:#?}"),
    }
    std::process::exit(0);
}
