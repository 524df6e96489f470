//! Exports, read back by a parser or checked against the format's schema.

mod schema;

use std::fs;
use std::io::{Cursor, Read};
use std::path::Path;

use schema::violations;
use serde_json::{Value, json};
use warpgrade::record::Graded;
use warpgrade::report::{
    Audience, ClassEntry, Member, Shown, canvas, csv, gradescope, html, junit, moodle_feedback,
    moodle_worksheet, sarif,
};

fn fixture(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(path)).unwrap()
}

fn record(name: &str) -> Graded {
    serde_json::from_str(&fixture(&format!("records/{name}.json"))).unwrap()
}

const NAMES: [&str; 7] =
    ["compile-error", "day27-fence-below", "day27-right", "day62-races", "fault", "hostile", "rejected"];

fn rule_page(rule: &str) -> Option<String> {
    Some(format!("About {rule}."))
}

fn shown() -> Shown<'static> {
    Shown::new(Audience::Student, &rule_page)
}

fn member(name: &str, id: &str) -> Member {
    Member {
        name: name.into(),
        id: Some(id.into()),
        email: Some(format!("{id}@school.example")),
        login: Some(format!("u{id}")),
        ..Member::default()
    }
}

/// A class with names in several scripts, two of one name, a group, a formula for a name, and a fault.
fn class() -> Vec<ClassEntry> {
    let one = |key: &str, members: Vec<Member>, of: &str| ClassEntry {
        members,
        folder: Some(format!("{key}_assignsubmission_file")),
        ..ClassEntry::new(key, record(of))
    };
    let mut class = vec![
        one("thor", vec![member("Þór Łukasz", "12")], "day27-fence-below"),
        one("li-2", vec![member("李 小龍", "14")], "day27-right"),
        one("li-1", vec![member("李 小龍", "13")], "compile-error"),
        one("formula", vec![member("=HYPERLINK(\"http://evil.example\")", "15")], "hostile"),
        one("pair", vec![member("Ada", "16"), member("Grace", "17")], "day62-races"),
        one("unlucky", vec![member("\"Quote, Comma\"", "18")], "fault"),
        one("doc", vec![member("Noor", "19")], "rejected"),
    ];
    class[4].group = Some("Team @home".into());
    class[0].final_points = Some(9.45);
    class[0].late = true;
    class
}

fn rows(text: &str) -> Vec<Vec<String>> {
    let mut reader = ::csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

fn no_formula(rows: &[Vec<String>]) {
    for cell in rows.iter().flatten() {
        let number = cell.parse::<f64>().is_ok() || cell == "-";
        assert!(number || !cell.starts_with(['=', '+', '-', '@', '\t', '\r']), "{cell}");
        assert!(!cell.contains(['\u{202e}', '\u{1b}']), "{cell}");
    }
}

#[test]
fn sarif_is_valid() {
    let schema: Value = serde_json::from_str(&fixture("schema/sarif-2.1.0.json")).unwrap();
    let records: Vec<(&str, Graded)> = NAMES.iter().map(|name| (*name, record(name))).collect();
    let all: Vec<(&str, &Graded)> = records.iter().map(|(name, graded)| (*name, graded)).collect();
    let log: Value = serde_json::from_str(&sarif(&all, &shown()).unwrap()).unwrap();
    assert_eq!(violations(&schema, &log), Vec::<String>::new());
    assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], false, "there is a fault among them");

    let one: Value =
        serde_json::from_str(&sarif(&[("", &record("day27-fence-below"))], &shown()).unwrap()).unwrap();
    let results = one["runs"][0]["results"].as_array().unwrap();
    let fix = &results[0];
    assert_eq!((&fix["ruleId"], &fix["level"]), (&json!("fence-after-announcement"), &json!("error")));
    assert_eq!(fix["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "blocks8192.cu");
    let related = fix["relatedLocations"].as_array().unwrap();
    assert_eq!(related.len(), 2);
    assert_eq!(related[1]["physicalLocation"]["region"]["startLine"], 50);
    let flows = fix["codeFlows"][0]["threadFlows"].as_array().unwrap();
    let orders: Vec<i64> = flows
        .iter()
        .flat_map(|flow| flow["locations"].as_array().unwrap())
        .map(|l| l["executionOrder"].as_i64().unwrap())
        .collect();
    assert_eq!(orders, [1, 2, 3, 4, 5]);
    // What the exercise ships or asks for is nobody's failure.
    assert_eq!(results.iter().filter(|result| result["kind"] == "fail").count(), 1);
}

#[test]
fn a_fingerprint_outlives_moved_lines() {
    let moved = |by: u32| {
        let mut graded = record("day62-races");
        for finding in graded.configurations[0].verdicts.iter_mut().flat_map(|v| &mut v.findings) {
            finding.first.at.line += by;
            finding.second.as_mut().unwrap().at.line += by;
        }
        let log: Value = serde_json::from_str(&sarif(&[("", &graded)], &shown()).unwrap()).unwrap();
        let results = log["runs"][0]["results"].as_array().unwrap().clone();
        results.iter().map(|result| result["partialFingerprints"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(moved(0), moved(7));
    let all = moved(0);
    assert!((1..all.len()).all(|index| !all[..index].contains(&all[index])), "each bug has its own");
}

#[test]
fn the_schema_check_sees_mistakes() {
    let schema: Value = serde_json::from_str(&fixture("schema/sarif-2.1.0.json")).unwrap();
    let good = sarif(&[("", &record("day27-fence-below"))], &shown()).unwrap();
    let spoilt: [fn(&mut Value); 5] = [
        |log| log["version"] = json!("3"),
        |log| log["runs"][0]["results"][0]["level"] = json!("fatal"),
        |log| log["runs"][0]["results"][0]["message"] = json!({}),
        |log| {
            log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = json!(0)
        },
        |log| {
            log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] =
                json!("a b")
        },
    ];
    for spoil in spoilt {
        let mut log: Value = serde_json::from_str(&good).unwrap();
        spoil(&mut log);
        assert_ne!(violations(&schema, &log), Vec::<String>::new());
    }
}

#[test]
fn gradescope_results_are_valid_and_total_the_score() {
    let schema: Value = serde_json::from_str(&fixture("schema/gradescope-results.json")).unwrap();
    for name in NAMES {
        let graded = record(name);
        let results: Value = serde_json::from_str(&gradescope(&graded, &shown()).unwrap()).unwrap();
        assert_eq!(violations(&schema, &results), Vec::<String>::new(), "{name}");
        let tests = results["tests"].as_array().unwrap();
        let sum: f64 = tests.iter().map(|test| test["score"].as_f64().unwrap()).sum();
        match &graded.score {
            Some(score) => assert!(
                (sum - score.points).abs() < 1e-9 && results["score"] == json!(score.points),
                "{name}"
            ),
            None => assert!(results.get("score").is_none() && tests.is_empty(), "a fault is nobody's zero"),
        }
        assert!(!results["output"].as_str().unwrap().contains("1000003"), "hidden data");
    }
}

#[test]
fn junit_tells_failures_from_errors() {
    let class = class();
    let text = junit(&class, Audience::Student).unwrap();
    let report = quick_junit::Report::deserialize_from_str(&text).unwrap();
    assert_eq!(report.test_suites.len(), class.len());
    let of = |key: &str| report.test_suites.iter().find(|suite| suite.name.as_str() == key).unwrap();
    assert_eq!((of("unlucky").errors, of("unlucky").failures), (1, 0));
    assert_eq!((of("doc").errors, of("doc").failures), (0, 1));
    // blocks-8192 and the sentence lose points, and one kernel is undefined; the asked-for bug does not count.
    assert_eq!((of("thor").errors, of("thor").failures, of("thor").skipped), (0, 3, 1));
    assert_eq!(of("li-2").failures, 0);

    // A second, plain XML parser: well-formed, and no live markup from the hostile record.
    let mut reader = quick_xml::Reader::from_str(&text);
    let mut names = std::collections::BTreeSet::new();
    loop {
        match reader.read_event().unwrap() {
            quick_xml::events::Event::Eof => break,
            quick_xml::events::Event::Start(tag) | quick_xml::events::Event::Empty(tag) => {
                names.insert(String::from_utf8(tag.name().as_ref().to_vec()).unwrap());
            }
            _ => {}
        }
    }
    let known = ["error", "failure", "skipped", "testcase", "testsuite", "testsuites"];
    assert_eq!(names, known.map(str::to_owned).into());
}

#[test]
fn the_plain_table_is_sorted_whole_and_harmless() {
    let rows = rows(&csv(&class()).unwrap());
    no_formula(&rows);
    assert_eq!(rows.len(), 8);
    let column = |title: &str| rows[0].iter().position(|cell| cell == title).unwrap();
    let names: Vec<&str> = rows[1..].iter().map(|row| row[column("name")].as_str()).collect();
    assert_eq!(names[0], "\"Quote, Comma\"");
    assert_eq!(names[1], "'=HYPERLINK(\"http://evil.example\")");
    assert_eq!(&names[5..], ["李 小龍", "李 小龍"]);
    let keys: Vec<&str> = rows[6..].iter().map(|row| row[0].as_str()).collect();
    assert_eq!(keys, ["li-1", "li-2"], "one name, two rows, by key");
    let fault = rows.iter().find(|row| row[column("status")] == "fault").unwrap();
    assert_eq!(fault[column("points")], "", "a fault is nobody's zero");
    let thor = rows.iter().find(|row| row[0] == "thor").unwrap();
    assert_eq!(
        [
            thor[column("points")].as_str(),
            &thor[column("late")],
            &thor[column("rules")],
            &thor[column("criterion:blocks-8192")]
        ],
        ["9.45", "yes", "fence-after-announcement", "1.50"]
    );
    // The same class in another order gives the same file.
    let mut turned = class();
    turned.reverse();
    assert_eq!(csv(&turned).unwrap(), csv(&class()).unwrap());
}

#[test]
fn canvas_reads_its_gradebook() {
    let rows = rows(&canvas(&class(), "Day 27 (4711)").unwrap());
    no_formula(&rows);
    assert_eq!(rows[0], ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Day 27 (4711)"]);
    assert_eq!(rows[1], ["    Points Possible", "", "", "", "", "15.00"]);
    assert_eq!(rows.len(), 2 + 8, "both members of the pair have a row");
    let of = |id: &str| rows.iter().find(|row| row[1] == id).unwrap();
    assert_eq!((of("12")[5].as_str(), of("14")[5].as_str(), of("18")[5].as_str()), ("9.45", "15.00", ""));
    assert_eq!(of("16")[5], of("17")[5]);
}

#[test]
fn moodle_reads_its_worksheet_and_feedback() {
    let class = class();
    let text = moodle_worksheet(&class).unwrap();
    let rows = rows(&text);
    no_formula(&rows);
    assert_eq!(
        text.lines().next().unwrap(),
        "Identifier,Full name,Email address,Status,Group,Grade,Maximum Grade,Grade can be changed,\
         Last modified (submission),Last modified (grade),Feedback comments"
    );
    let thor = rows.iter().find(|row| row[0] == "Participant 12").unwrap();
    assert_eq!((thor[1].as_str(), thor[5].as_str(), thor[6].as_str()), ("Þór Łukasz", "9.45", "15.00"));
    assert!(thor[10].contains("fence after announcement"));

    let bytes = moodle_feedback(&class, |entry| {
        Ok(vec![("report.html".into(), html(&entry.graded, &shown())?.into_bytes())])
    })
    .unwrap();
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    assert_eq!(archive.len(), class.len());
    let mut page = String::new();
    archive.by_name("thor_assignsubmission_file/report.html").unwrap().read_to_string(&mut page).unwrap();
    assert!(page.starts_with("<!doctype html>"));
}
