//! TLS: what a server shows and how it renews it, whom a client trusts, and that no token goes anywhere in the clear unless told.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use svc_tests::api::{OPERATOR, Server};
use svc_tests::certificates::{Authority, Pair};
use svc_tests::program::svc;
use svc_tests::raw::http2::preface;
use svc_tests::raw::{connect, to_end};

const GET: &[u8] = b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n";
/// Connections of each kind that say nothing or half of it.
const PEERS: usize = 100;

/// A server that shows the pair in a folder, where its data lie too.
fn serve(folder: &Path, pair: &Pair, more: &[&str]) -> Server {
    pair.write(folder);
    let mut arguments = vec!["--data".to_owned(), folder.join("svc.db").display().to_string()];
    arguments.extend(Pair::arguments(folder));
    arguments.extend(more.iter().map(|text| (*text).to_owned()));
    let server = Server::start_with(&arguments);
    assert!(server.base.starts_with("https://"), "{}", server.base);
    server
}

/// `svc business create` at this address: what it printed, and its exit status.
fn create(url: &str, more: &[&str]) -> (String, Option<i32>) {
    let asked = Command::new(svc())
        .args(["business", "create", "Ada's", "--url", url, "--token", OPERATOR])
        .args(more)
        .env_clear()
        .output()
        .unwrap();
    let text = String::from_utf8([asked.stdout, asked.stderr].concat()).unwrap();
    (text, asked.status.code())
}

fn healthy(authority: &Authority, base: &str) -> Result<Vec<u8>, String> {
    let mut stream = authority.connect(base, &["http/1.1"])?;
    let answer = stream.say(GET).map_err(|error| error.to_string())?;
    if answer.starts_with(b"HTTP/1.1 200 ") { Ok(stream.shown()) } else { Err(format!("{answer:?}")) }
}

#[test]
fn both_protocols_are_spoken_over_tls() {
    let (folder, authority) = (tempfile::tempdir().unwrap(), Authority::new("ours"));
    let pair = authority.sign(&["127.0.0.1"]);
    let server = serve(folder.path(), &pair, &[]);
    let mut first = authority.connect(&server.base, &["h2", "http/1.1"]).unwrap();
    assert_eq!(first.protocol(), "h2");
    // The server's own settings.
    assert_eq!(first.say(&preface(&[])).unwrap()[3], 4);
    assert_eq!(authority.connect(&server.base, &["http/1.1"]).unwrap().protocol(), "http/1.1");
    assert_eq!(healthy(&authority, &server.base).unwrap(), pair.der());
    // Nothing that both speak.
    let refused = authority.connect(&server.base, &["smtp"]).err().unwrap();
    assert!(refused.contains("NoApplicationProtocol"), "{refused}");
    let mut stream = authority.connect(&server.base, &["http/1.1"]).unwrap();
    let metrics = stream.say(b"GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n").unwrap();
    let metrics = String::from_utf8(metrics).unwrap();
    for line in
        ["svc_tls_certificate_expiry_timestamp_seconds 3786912000", "svc_tls_handshakes_total{outcome=\"done\"}"]
    {
        assert!(metrics.contains(line), "{metrics}");
    }
    drop((first, stream));
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn the_command_line_speaks_to_whom_it_trusts_alone() {
    let (folder, authority) = (tempfile::tempdir().unwrap(), Authority::new("ours"));
    let trusted = authority.write(folder.path().join("ours.pem"));
    let others = Authority::new("others").write(folder.path().join("others.pem"));
    let server = serve(folder.path(), &authority.sign(&["127.0.0.1", "localhost"]), &[]);
    let by_name = server.base.replace("127.0.0.1", "localhost");
    for url in [&server.base, &by_name] {
        let (told, exit) = create(url, &["--cacert", &trusted]);
        assert_eq!(exit, Some(0), "{told}");
    }
    for (more, hint) in [(&["--cacert", others.as_str()][..], "--cacert FILE"), (&[], "--cacert FILE")] {
        let (told, exit) = create(&server.base, more);
        assert_eq!(exit, Some(4), "{told}");
        assert!(
            told.contains("SERVICE_UNREACHABLE") && told.contains("UnknownIssuer") && told.contains(hint),
            "{told}"
        );
    }
    let (told, exit) = create(&server.base, &["--cacert", "nowhere.pem"]);
    assert!(exit == Some(4) && told.contains("nowhere.pem can't be read"), "{told}");
    let (told, exit) = create(&server.base, &["--cacert", &folder.path().join("key.pem").display().to_string()]);
    assert!(exit == Some(4) && told.contains("holds no certificate"), "{told}");
}

#[test]
fn the_command_line_speaks_to_nobody_with_another_name_or_an_ended_certificate() {
    let (folder, authority) = (tempfile::tempdir().unwrap(), Authority::new("ours"));
    let trusted = authority.write(folder.path().join("ours.pem"));
    let server = serve(folder.path(), &authority.sign(&["svc.example.com"]), &[]);
    let (told, exit) = create(&server.base, &["--cacert", &trusted]);
    assert_eq!(exit, Some(4), "{told}");
    assert!(told.contains("not valid for name") && told.contains("svc.example.com"), "{told}");
    assert!(told.contains("hint: ask it by a name that its certificate has"), "{told}");
    drop(server);
    // It is served, and said: there may be no other one yet.
    let server = serve(folder.path(), &authority.sign_until(&["127.0.0.1"], 2020), &["--rate-limit", "9"]);
    let (told, exit) = create(&server.base, &["--cacert", &trusted]);
    assert!(exit == Some(4) && told.contains("expired"), "{told}");
}

#[test]
fn no_token_goes_elsewhere_in_the_clear_unless_told() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(svc())
        .args(["serve", "--listen", "0.0.0.0:0", "--data", "svc.db", "--operator-token", OPERATOR])
        .env_clear()
        .current_dir(folder.path())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = String::new();
    let mut lines = BufReader::new(child.stderr.take().unwrap());
    while !said.contains("listening on ") {
        assert!(lines.read_line(&mut said).unwrap() > 0, "{said}");
    }
    assert!(said.contains("HTTP is spoken without TLS to other machines") && said.contains("--tls-cert"), "{said}");
    // This address is every one of the machine's, and not loopback's alone.
    let url = said.lines().last().unwrap().strip_prefix("listening on ").unwrap().to_owned();
    let (told, exit) = create(&url, &[]);
    assert_eq!(exit, Some(2), "{told}");
    assert!(told.contains("TOKEN_IN_CLEAR: the token would go to 0.0.0.0 in the clear"), "{told}");
    assert!(told.contains("--insecure-http"), "{told}");
    let (told, exit) = create(&url, &["--insecure-http"]);
    assert_eq!(exit, Some(0), "{told}");
    let (told, exit) = create(&url.replace("0.0.0.0", "127.0.0.1"), &[]);
    assert_eq!(exit, Some(0), "{told}");
    let (told, exit) = create("ftp://127.0.0.1", &[]);
    assert!(exit == Some(2) && told.contains("URL_FORM"), "{told}");
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_pair_that_does_not_fit_is_refused_at_the_start() {
    let (folder, authority) = (tempfile::tempdir().unwrap(), Authority::new("ours"));
    let (pair, other) = (authority.sign(&["127.0.0.1"]), authority.sign(&["127.0.0.1"]));
    let serve = |certificate: &str, key: &str, arguments: &[&str]| {
        std::fs::write(folder.path().join("cert.pem"), certificate).unwrap();
        std::fs::write(folder.path().join("key.pem"), key).unwrap();
        let told = Command::new(svc()).arg("serve").args(arguments).env_clear().current_dir(folder.path()).output();
        let told = told.unwrap();
        (String::from_utf8(told.stderr).unwrap(), told.status.code())
    };
    let both = ["--tls-cert", "cert.pem", "--tls-key", "key.pem"];
    let (told, exit) = serve(&pair.certificate, &other.key, &both);
    assert_eq!(exit, Some(4), "{told}");
    assert_eq!(told, "svc: TLS_PAIR: the key in key.pem is not the key of the first certificate in cert.pem\n");
    let (told, exit) = serve(&pair.certificate, &pair.certificate, &both);
    assert!(exit == Some(4) && told.contains("key.pem holds no private key"), "{told}");
    let (told, exit) = serve(&pair.certificate, &pair.key, &both[..2]);
    assert_eq!(exit, Some(2), "{told}");
    assert!(told.contains("a certificate without its key") && told.contains("--tls-key"), "{told}");
    let (told, exit) = serve(&pair.certificate, &pair.key, &["--tls-cert", "cert.pem", "--tls-key", "gone.pem"]);
    assert!(exit == Some(4) && told.contains("gone.pem can't be read: No such file"), "{told}");
}

#[test]
fn a_renewed_certificate_is_shown_and_a_bad_one_is_not_while_others_are_served() {
    let (folder, authority) = (tempfile::tempdir().unwrap(), Arc::new(Authority::new("ours")));
    let pairs = [authority.sign(&["127.0.0.1"]), authority.sign(&["127.0.0.1"]), authority.sign(&["127.0.0.1"])];
    let server = serve(folder.path(), &pairs[0], &[]);
    let (done, asked) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let asking: Vec<_> = (0..4)
        .map(|_| {
            let (done, asked, base) = (Arc::clone(&done), Arc::clone(&asked), server.base.clone());
            let authority = Arc::clone(&authority);
            std::thread::spawn(move || {
                while !done.load(Ordering::Acquire) {
                    healthy(&authority, &base).unwrap();
                    asked.fetch_add(1, Ordering::AcqRel);
                }
            })
        })
        .collect();
    let shown = || healthy(&authority, &server.base).unwrap();
    let shows = |pair: &Pair| {
        let began = Instant::now();
        while shown() != pair.der() {
            assert!(began.elapsed() < Duration::from_secs(30), "the new certificate is not shown");
            std::thread::sleep(Duration::from_millis(100));
        }
    };
    let said = |what: &str| server.log.lock().unwrap().iter().filter(|line| line.contains(what)).count();
    assert_eq!(shown(), pairs[0].der());
    pairs[1].write(folder.path());
    shows(&pairs[1]);
    // The key is another one's: said once, and nothing else changes.
    std::fs::write(folder.path().join("cert.pem"), &pairs[2].certificate).unwrap();
    let began = Instant::now();
    while said("the new certificate is not taken; the one before stays") == 0 {
        assert!(began.elapsed() < Duration::from_secs(30), "nothing is said");
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(shown(), pairs[1].der());
    // Told, it says it again.
    assert!(Command::new("kill").args(["-HUP", &server.child.id().to_string()]).status().unwrap().success());
    while said("is not taken") == 1 {
        assert!(began.elapsed() < Duration::from_secs(30), "nothing is said");
        std::thread::sleep(Duration::from_millis(100));
    }
    pairs[2].write(folder.path());
    shows(&pairs[2]);
    done.store(true, Ordering::Release);
    for one in asking {
        one.join().unwrap();
    }
    assert!(asked.load(Ordering::Acquire) > 20, "the others were hardly asked");
    assert_eq!(said("is not taken"), 2);
    assert_eq!(said("another certificate is shown from now on"), 2);
}

/// The first message of a client that speaks no more than this version, with what such clients offered.
fn hello(version: u8) -> Vec<u8> {
    let mut hello = vec![3, version];
    hello.extend([7; 32]);
    hello.push(0);
    // ECDHE with AES, and RSA with AES.
    hello.extend([0, 6, 0xc0, 0x09, 0xc0, 0x13, 0x00, 0x2f]);
    hello.extend([1, 0]);
    // The groups, the points' form, and the signatures.
    let extensions = [&[0, 10, 0, 4, 0, 2, 0, 23][..], &[0, 11, 0, 2, 1, 0], &[0, 13, 0, 4, 0, 2, 4, 3]].concat();
    hello.extend([0, u8::try_from(extensions.len()).unwrap()]);
    hello.extend(extensions);
    let length = u8::try_from(hello.len()).unwrap();
    let mut record = vec![22, 3, 1, 0, length + 4, 1, 0, 0, length];
    record.extend(hello);
    record
}

#[test]
fn what_is_no_tls_of_today_is_refused() {
    let (folder, authority) = (tempfile::tempdir().unwrap(), Authority::new("ours"));
    let server = serve(folder.path(), &authority.sign(&["127.0.0.1"]), &[]);
    let address = server.base.replace("https://", "");
    // TLS 1.0 and 1.1: a fatal alert, `protocol_version`.
    for version in [1, 2] {
        let mut stream = connect(&address);
        stream.write_all(&hello(version)).unwrap();
        let answer = to_end(&mut stream);
        assert_eq!((answer[0], &answer[5..7]), (21, &[2, 70][..]), "{answer:?}");
    }
    // HTTP in the clear is told what to do, by a problem document.
    for plain in [
        "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n",
        "POST /v1/businesses HTTP/1.1\r\nhost: x\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ] {
        let answer = svc_tests::raw::say(&address, plain);
        assert_eq!((answer.status, answer.code()), (400, "TLS_REQUIRED".to_owned()), "{answer:?}");
        assert!(answer.body.contains("https://"), "{answer:?}");
    }
    for nonsense in [&b"\0\0\0\0"[..], b"\x16garbage that is no record of TLS", b"\x80\x2e\x01\0\x02"] {
        let mut stream = connect(&address);
        stream.write_all(nonsense).unwrap();
        let answer = to_end(&mut stream);
        assert!(answer.is_empty() || answer[0] == 21, "{answer:?}");
    }
    healthy(&authority, &server.base).unwrap();
}

#[test]
fn handshakes_that_stand_still_hold_nobody_and_end() {
    let (folder, authority) = (tempfile::tempdir().unwrap(), Authority::new("ours"));
    let hasty = ["--first-byte-seconds", "2", "--head-seconds", "2", "--idle-seconds", "2"];
    let server = serve(folder.path(), &authority.sign(&["127.0.0.1"]), &hasty);
    let address = server.base.replace("https://", "");
    let files = || std::fs::read_dir(format!("/proc/{}/fd", server.child.id())).unwrap().count();
    let before = files();
    let whole = hello(3);
    // Nothing; a record's first byte; half a hello; a hello without what follows.
    for begun in [&[][..], &whole[..1], &whole[..20], &whole[..]] {
        let mut all: Vec<TcpStream> = (0..PEERS).map(|_| connect(&address)).collect();
        for stream in &mut all {
            stream.write_all(begun).unwrap();
        }
        let asked = Instant::now();
        healthy(&authority, &server.base).unwrap();
        assert!(asked.elapsed() < Duration::from_secs(2), "others wait for handshakes: {:?}", asked.elapsed());
        for stream in &mut all {
            to_end(stream);
        }
    }
    // Shaken hands, and then silence.
    let mut silent: Vec<_> = (0..PEERS).map(|_| authority.connect(&server.base, &["http/1.1"]).unwrap()).collect();
    for stream in &mut silent {
        let ended = stream.say(b"");
        assert!(ended.as_ref().map_or(true, Vec::is_empty), "{ended:?}");
    }
    drop(silent);
    let began = Instant::now();
    while files() > before + 6 {
        assert!(began.elapsed() < Duration::from_secs(20), "{} files are open, and {before} were", files());
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(server.terminate(), Some(0));
}
