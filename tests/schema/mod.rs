//! A validator for the part of JSON Schema (draft 7) that the schemas here use; a keyword that it does not know is a
//! panic, so that no document passes unread.

use serde_json::Value;

/// Everything in `document` that `schema` forbids, each with its path.
pub fn violations(schema: &Value, document: &Value) -> Vec<String> {
    let mut found = Vec::new();
    Validator { root: schema }.check(schema, document, "$", &mut found);
    found
}

struct Validator<'s> {
    root: &'s Value,
}

impl Validator<'_> {
    fn check(&self, schema: &Value, value: &Value, path: &str, found: &mut Vec<String>) {
        let rules = match schema {
            Value::Bool(true) => return,
            Value::Bool(false) => return found.push(format!("{path}: not allowed")),
            Value::Object(rules) => rules,
            other => panic!("not a schema: {other}"),
        };
        for (keyword, rule) in rules {
            match keyword.as_str() {
                "$schema" | "$id" | "title" | "description" | "default" | "definitions" => {}
                "$ref" => {
                    let pointer = rule.as_str().unwrap().strip_prefix('#').expect("references are local");
                    self.check(self.root.pointer(pointer).expect("a definition"), value, path, found);
                }
                "type" => {
                    let allowed: Vec<&str> = match rule {
                        Value::String(one) => vec![one],
                        many => many.as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect(),
                    };
                    if !allowed.iter().any(|kind| is(kind, value)) {
                        found.push(format!("{path}: not {}", allowed.join(" or ")));
                    }
                }
                "enum" if !rule.as_array().unwrap().contains(value) => {
                    found.push(format!("{path}: {value} not in {rule}"))
                }
                "enum" => {}
                "required" => {
                    for name in rule.as_array().unwrap() {
                        if value.is_object() && value.get(name.as_str().unwrap()).is_none() {
                            found.push(format!("{path}: lacks {name}"));
                        }
                    }
                }
                "properties" => {
                    for (name, part) in value.as_object().into_iter().flatten() {
                        if let Some(schema) = rule.get(name) {
                            self.check(schema, part, &format!("{path}.{name}"), found);
                        }
                    }
                }
                "additionalProperties" => {
                    for (name, part) in value.as_object().into_iter().flatten() {
                        if rules.get("properties").is_none_or(|known| known.get(name).is_none()) {
                            self.check(rule, part, &format!("{path}.{name}"), found);
                        }
                    }
                }
                "items" => {
                    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.check(rule, item, &format!("{path}[{index}]"), found);
                    }
                }
                "minItems" => self.least(value.as_array().map(|items| items.len() as f64), rule, path, found),
                "minimum" => self.least(value.as_f64(), rule, path, found),
                "maximum" => {
                    self.least(value.as_f64().map(|v| -v), &Value::from(-rule.as_f64().unwrap()), path, found)
                }
                "uniqueItems" => {
                    let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
                    if rule == true && (1..items.len()).any(|index| items[..index].contains(&items[index])) {
                        found.push(format!("{path}: the same item twice"));
                    }
                }
                "format" => {
                    let text = value.as_str().unwrap_or_default();
                    let reference = text.chars().all(|c| c.is_ascii_graphic() && !"<>\"{}|\\^`".contains(c));
                    match rule.as_str().unwrap() {
                        "uri" if !(reference && text.contains(':')) => found.push(format!("{path}: no URI")),
                        "uri-reference" if !reference => found.push(format!("{path}: no URI reference")),
                        "uri" | "uri-reference" => {}
                        other => panic!("format {other} is not known here ({path})"),
                    }
                }
                "anyOf" | "oneOf" => {
                    let fits = |schema: &&Value| {
                        let mut inside = Vec::new();
                        self.check(schema, value, path, &mut inside);
                        inside.is_empty()
                    };
                    let fitting = rule.as_array().unwrap().iter().filter(fits).count();
                    if fitting == 0 || (keyword == "oneOf" && fitting > 1) {
                        found.push(format!("{path}: fits {fitting} of {keyword}"));
                    }
                }
                other => panic!("keyword {other} is not known here ({path})"),
            }
        }
    }

    fn least(&self, value: Option<f64>, least: &Value, path: &str, found: &mut Vec<String>) {
        if value.is_some_and(|value| value < least.as_f64().unwrap()) {
            found.push(format!("{path}: out of range"));
        }
    }
}

fn is(kind: &str, value: &Value) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        other => panic!("type {other} is not known here"),
    }
}
