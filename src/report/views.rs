//! What a caller says about a view besides the record.

use super::audience::Audience;

/// Where the explanation of a rule comes from: Markdown by the rule's name, `None` for an unknown rule.
pub trait RulePages: Sync {
    /// The page of `rule`, in Markdown. Ours, not a student's, and still never passed on as live HTML.
    fn page(&self, rule: &str) -> Option<String>;
}

impl<F: Fn(&str) -> Option<String> + Sync> RulePages for F {
    fn page(&self, rule: &str) -> Option<String> {
        self(rule)
    }
}

/// For whom a view is made, and what surrounds it.
pub struct Shown<'a> {
    pub audience: Audience,
    pub rules: &'a dyn RulePages,
    /// The student's name, where the page should carry it.
    pub student: Option<&'a str>,
}

impl<'a> Shown<'a> {
    /// A view for `audience`, with `rules` explained and no name on it.
    pub fn new(audience: Audience, rules: &'a dyn RulePages) -> Self {
        Self { audience, rules, student: None }
    }
}
