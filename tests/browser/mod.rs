//! A headless Chromium, driven over its debugging pipe with the DevTools protocol: no driver, no crate, no port.

pub mod checks;

use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use base64::Engine;
use serde_json::{Value, json};

const PATIENCE: Duration = Duration::from_secs(60);

/// A file's address as the browser itself writes it.
fn address(file: &Path) -> String {
    let mut url = "file://".to_owned();
    for byte in file.display().to_string().bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'=' | b'+' => {
                url.push(byte.into());
            }
            other => url.push_str(&format!("%{other:02X}")),
        }
    }
    url
}

/// How a page is looked at.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    pub width: u32,
    pub dark: bool,
}

/// What happened while a page was open that should not have.
#[derive(Debug, Default, PartialEq)]
pub struct Trouble {
    /// Console messages, exceptions, policy violations.
    pub messages: Vec<String>,
    /// Requests other than the page itself.
    pub requests: Vec<String>,
}

pub struct Browser {
    child: Child,
    to: File,
    from: Receiver<Value>,
    early: VecDeque<Value>,
    next: u64,
    session: String,
    _folder: tempfile::TempDir,
}

impl Browser {
    /// Starts Chromium; `None`, with a printed line, where there is none and `WARPGRADE_REQUIRE_BROWSER` is not set.
    pub fn start() -> Option<Browser> {
        let setup = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser/setup.sh");
        let found = Command::new("bash").arg(setup).output().expect("bash runs");
        if !found.status.success() {
            let why = String::from_utf8_lossy(&found.stderr);
            assert!(std::env::var_os("WARPGRADE_REQUIRE_BROWSER").is_none(), "no browser: {why}");
            eprintln!("skipped, for want of a browser: {}", why.trim());
            return None;
        }
        let chromium = String::from_utf8(found.stdout).unwrap().trim().to_owned();
        let folder = tempfile::tempdir().unwrap();
        // The browser reads commands on descriptor 3 and writes answers on 4; named pipes need no unsafe code here.
        let (to, from) = (folder.path().join("to"), folder.path().join("from"));
        assert!(Command::new("mkfifo").args([&to, &from]).status().unwrap().success());
        let line = r#"exec "$0" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
            --disable-extensions --hide-scrollbars --remote-debugging-pipe --user-data-dir="$3" about:blank 3<"$1" 4>"$2""#;
        let child = Command::new("sh")
            .args(["-c", line, &chromium])
            .args([&to, &from])
            .arg(folder.path().join("profile"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Both sides open in the shell's order, so that neither waits for ever.
        let to = File::options().write(true).open(to).unwrap();
        let reader = BufReader::new(File::open(from).unwrap());
        let (send, receive) = channel();
        std::thread::spawn(move || {
            for message in reader.split(0).map_while(Result::ok) {
                let Ok(message) = serde_json::from_slice(&message) else { continue };
                if send.send(message).is_err() {
                    break;
                }
            }
        });
        let mut browser = Browser {
            child,
            to,
            from: receive,
            early: VecDeque::new(),
            next: 0,
            session: String::new(),
            _folder: folder,
        };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let id = target["targetId"].as_str().unwrap().to_owned();
        let attached = browser.call("Target.attachToTarget", json!({"targetId": id, "flatten": true}));
        browser.session = attached["sessionId"].as_str().unwrap().to_owned();
        for domain in ["Page.enable", "Runtime.enable", "Log.enable", "Network.enable"] {
            browser.call(domain, json!({}));
        }
        Some(browser)
    }

    /// One command of the protocol and its result; events that come before it are kept.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.next += 1;
        let id = self.next;
        let mut message = json!({"id": id, "method": method, "params": parameters});
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        self.to.write_all(message.to_string().as_bytes()).unwrap();
        self.to.write_all(&[0]).unwrap();
        let until = Instant::now() + PATIENCE;
        loop {
            let answer = self.receive(until, method);
            if answer["id"] == json!(id) {
                assert!(answer.get("error").is_none(), "{method}: {}", answer["error"]);
                return answer["result"].clone();
            }
            self.early.push_back(answer);
        }
    }

    fn receive(&mut self, until: Instant, waiting_for: &str) -> Value {
        let left = until.saturating_duration_since(Instant::now());
        self.from.recv_timeout(left).unwrap_or_else(|error| panic!("no answer to {waiting_for}: {error}"))
    }

    /// Opens a file as it looks to one reader, and says what went wrong while it loaded.
    pub fn open(&mut self, file: &Path, look: Look) -> Trouble {
        let metrics =
            json!({"width": look.width, "height": 900, "deviceScaleFactor": 1, "mobile": look.width < 600});
        self.call("Emulation.setDeviceMetricsOverride", metrics);
        let scheme = if look.dark { "dark" } else { "light" };
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.call("Emulation.setEmulatedMedia", json!({"media": "screen", "features": features}));
        self.early.clear();
        let url = address(file);
        self.call("Page.navigate", json!({"url": url}));
        let until = Instant::now() + PATIENCE;
        while !self.early.iter().any(|event| event["method"] == "Page.loadEventFired") {
            let event = self.receive(until, "the page's load");
            self.early.push_back(event);
        }
        // Whatever the page starts late is in before this answer.
        self.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done, 30)))");
        self.trouble(&url)
    }

    /// What the events so far complain of.
    pub fn trouble(&mut self, page: &str) -> Trouble {
        let mut trouble = Trouble::default();
        for event in std::mem::take(&mut self.early) {
            let at = &event["params"];
            match event["method"].as_str().unwrap_or_default() {
                "Runtime.consoleAPICalled" | "Runtime.exceptionThrown" | "Log.entryAdded" => {
                    trouble.messages.push(at.to_string());
                }
                "Network.requestWillBeSent" => {
                    let url = at["request"]["url"].as_str().unwrap_or_default();
                    if url != page && url != "data:," {
                        trouble.requests.push(url.to_owned());
                    }
                }
                _ => {}
            }
        }
        trouble
    }

    /// The value of an expression in the page.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let asked = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let answer = self.call("Runtime.evaluate", asked);
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    /// The whole page as a PNG.
    pub fn picture(&mut self) -> Vec<u8> {
        let asked = json!({"format": "png", "captureBeyondViewport": true, "optimizeForSpeed": false});
        decoded(&self.call("Page.captureScreenshot", asked)["data"])
    }

    /// The page as it prints.
    #[allow(dead_code, reason = "not every test that shares this file prints")]
    pub fn pdf(&mut self) -> Vec<u8> {
        decoded(&self.call("Page.printToPDF", json!({"printBackground": false}))["data"])
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn decoded(data: &Value) -> Vec<u8> {
    base64::engine::general_purpose::STANDARD.decode(data.as_str().expect("base64 text")).expect("base64")
}
