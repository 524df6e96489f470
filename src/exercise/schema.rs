//! `exercise.toml` as it is written, before names are resolved. `docs/authors.md` explains every key.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, Visitor};
use toml::Spanned;

use super::{ElementType, Fill};

/// The version of the file's layout that this grader reads.
pub const FORMAT: i64 = 1;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ExerciseFile {
    pub format: Spanned<i64>,
    pub id: Spanned<String>,
    pub title: String,
    pub summary: String,
    pub task: String,
    pub compile: CompileTable,
    pub launch_budget: Option<Spanned<u64>>,
    #[serde(default)]
    pub constants: BTreeMap<String, i64>,
    pub regions: Vec<Spanned<RegionTable>>,
    pub buffers: Vec<BufferTable>,
    pub rows: Vec<Spanned<RowTable>>,
    pub configurations: Vec<Spanned<ConfigurationTable>>,
    #[serde(default)]
    pub instances: Vec<Spanned<InstanceTable>>,
    #[serde(default)]
    pub questions: Vec<Spanned<QuestionTable>>,
    #[serde(default)]
    pub examples: Vec<Spanned<ExampleTable>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CompileTable {
    pub arch: Spanned<String>,
    #[serde(default)]
    pub headers: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RegionTable {
    pub id: Spanned<String>,
    pub title: String,
    pub kernel: Option<String>,
    pub function: Option<String>,
    pub constant: Option<Spanned<String>>,
    pub snippet: Option<Spanned<String>>,
    /// The kernel that a snippet stands in.
    #[serde(rename = "in")]
    pub inside: Option<Spanned<String>>,
    pub min: Option<i64>,
    pub max: Option<i64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BufferTable {
    pub name: Spanned<String>,
    #[serde(rename = "type")]
    pub ty: TypeName,
    pub len: Spanned<Text>,
    #[serde(default)]
    pub reset: FillValue,
    #[serde(default)]
    pub read_only: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RowTable {
    pub kernel: Spanned<String>,
    pub label: Option<String>,
    pub grid: Spanned<Text>,
    pub block: Spanned<Text>,
    #[serde(default)]
    pub shared: Option<Spanned<Text>>,
    pub runs: Spanned<Text>,
    pub args: Vec<Spanned<ArgumentValue>>,
    pub expect: Vec<Spanned<ExpectTable>>,
    pub gated: bool,
    pub table: TableName,
    pub sweep: Option<Spanned<SweepTable>>,
    #[serde(default)]
    pub defines: BTreeMap<String, String>,
    pub barrier_skipped: Option<Spanned<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SweepTable {
    pub name: String,
    pub values: Vec<i64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ExpectTable {
    pub buffer: Spanned<String>,
    pub value: Option<Spanned<Text>>,
    pub oracle: Option<Spanned<String>>,
    #[serde(default)]
    pub args: Vec<Spanned<ArgumentValue>>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TableName {
    Sum,
    Tally,
    Sweep,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ConfigurationTable {
    pub name: Spanned<String>,
    pub title: String,
    /// What a configuration that nobody handed in is made from.
    #[serde(default)]
    pub made_from: Base,
    pub edit_file: Option<Spanned<String>>,
    #[serde(default)]
    pub set: BTreeMap<String, i64>,
    #[serde(default)]
    pub recognise: Vec<Spanned<RecogniseTable>>,
    #[serde(default = "once")]
    pub repeat: u32,
    pub expect_rule: Option<Spanned<ExpectRuleTable>>,
}

fn once() -> u32 {
    1
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Base {
    #[default]
    Template,
    Student,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RecogniseTable {
    pub constant: Option<String>,
    pub value: Option<i64>,
    pub region: Option<String>,
    pub edited: Option<bool>,
    #[serde(default)]
    pub words: Vec<String>,
    #[serde(default)]
    pub after: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ExpectRuleTable {
    pub rule: String,
    pub kernel: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct InstanceTable {
    pub name: String,
    pub configurations: Vec<String>,
    #[serde(default)]
    pub constants: BTreeMap<String, i64>,
    #[serde(default)]
    pub fills: BTreeMap<String, FillValue>,
    pub runs: u32,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct QuestionTable {
    pub id: Spanned<String>,
    pub text: String,
    pub kind: KindName,
    pub max: Option<Spanned<Text>>,
    pub configuration: Option<String>,
    pub kernel: Option<String>,
    pub repeats: Option<u32>,
    #[serde(default)]
    pub ideas: Vec<IdeaTable>,
    #[serde(default)]
    pub options: Vec<String>,
    pub right: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KindName {
    Count,
    Sentence,
    Choice,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct IdeaTable {
    pub id: String,
    pub title: String,
    pub any_of: Vec<Vec<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ExampleTable {
    pub path: String,
    pub title: String,
    pub expect: String,
}

/// An expression: a string, or a whole number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text(pub String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl Visitor<'_> for Reader {
            type Value = Text;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an expression in quotes, or a whole number")
            }
            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Text, E> {
                Ok(Text(value.to_string()))
            }
            fn visit_str<E: de::Error>(self, value: &str) -> Result<Text, E> {
                Ok(Text(value.to_owned()))
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

/// The name of an element type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TypeName(pub ElementType);

impl<'de> Deserialize<'de> for TypeName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        element_type(&name).map(TypeName).ok_or_else(|| unknown_type(&name))
    }
}

fn unknown_type<E: de::Error>(name: &str) -> E {
    E::custom(format!("unknown element type `{name}`, expected one of i32, u32, i64, u64, f32, f64"))
}

fn element_type(name: &str) -> Option<ElementType> {
    Some(match name {
        "i32" => ElementType::I32,
        "u32" => ElementType::U32,
        "i64" => ElementType::I64,
        "u64" => ElementType::U64,
        "f32" => ElementType::F32,
        "f64" => ElementType::F64,
        _ => return None,
    })
}

/// An argument: a buffer's name, or a scalar `{ u64 = "kElems" }`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArgumentValue {
    Buffer(String),
    Scalar(ElementType, String),
}

impl<'de> Deserialize<'de> for ArgumentValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = ArgumentValue;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a buffer's name, or a scalar such as { u64 = \"kElems\" }")
            }
            fn visit_str<E: de::Error>(self, value: &str) -> Result<ArgumentValue, E> {
                Ok(ArgumentValue::Buffer(value.to_owned()))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ArgumentValue, A::Error> {
                let Some((name, Text(value))) = map.next_entry::<String, Text>()? else {
                    return Err(de::Error::custom("an empty table; a scalar is { TYPE = \"expression\" }"));
                };
                let ty = element_type(&name).ok_or_else(|| unknown_type(&name))?;
                if map.next_key::<String>()?.is_some() {
                    return Err(de::Error::custom("a scalar has one type: { TYPE = \"expression\" }"));
                }
                Ok(ArgumentValue::Scalar(ty, value))
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

/// What a buffer holds before every launch: a word, or `{ random-below = 5 }`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FillValue(pub Fill);

impl Default for FillValue {
    fn default() -> Self {
        FillValue(Fill::Poison)
    }
}

impl<'de> Deserialize<'de> for FillValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = FillValue;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("one of \"zero\", \"ones\", \"iota\", \"poison\", or { random-below = 5 }")
            }
            fn visit_str<E: de::Error>(self, value: &str) -> Result<FillValue, E> {
                Ok(FillValue(match value {
                    "zero" => Fill::Zero,
                    "ones" => Fill::Ones,
                    "iota" => Fill::Iota,
                    "poison" => Fill::Poison,
                    other => return Err(E::invalid_value(de::Unexpected::Str(other), &self)),
                }))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<FillValue, A::Error> {
                match map.next_entry::<String, u32>()? {
                    Some((key, below)) if key == "random-below" && below >= 2 => {
                        Ok(FillValue(Fill::Random { below }))
                    }
                    _ => Err(de::Error::custom("expected { random-below = N } with N at least 2")),
                }
            }
        }
        deserializer.deserialize_any(Reader)
    }
}
