//! The outcome that a mutant or an example must have, as its author writes it.

use super::{Expected, ExpectedRule};

/// Why an expectation cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "cannot read the expectation `{item}`: {problem}; an item is `exit N`, `percent LOW..HIGH`, `notice KIND`, \
     `says WORDS`, `defined KERNEL`, `exact KERNEL`, `wrong KERNEL` or `[CONFIGURATION/]KERNEL: RULE`"
)]
pub struct ExpectedError {
    pub item: String,
    pub problem: String,
}

impl Expected {
    /// Reads the `// expect: ITEM; ITEM; …` lines with which a mutant begins. Returns the expectation and the 1-based
    /// line of a mistake with it.
    ///
    /// # Errors
    /// An item that is none of the forms named in [`ExpectedError`].
    pub fn from_source(text: &str) -> Result<Self, (u32, ExpectedError)> {
        let mut expected = Expected::default();
        for (number, line) in (1u32..).zip(text.lines()) {
            let Some(comment) = line.trim_start_matches('\u{feff}').trim().strip_prefix("//") else { break };
            if let Some(items) = comment.trim().strip_prefix("expect:") {
                expected.add(items).map_err(|error| (number, error))?;
            }
        }
        Ok(expected)
    }

    /// Reads one line of items, separated by `;`.
    ///
    /// # Errors
    /// As [`Expected::from_source`].
    pub fn parse(items: &str) -> Result<Self, ExpectedError> {
        let mut expected = Expected::default();
        expected.add(items)?;
        Ok(expected)
    }

    /// Whether nothing is expected: an author's oversight in a mutant.
    pub fn is_empty(&self) -> bool {
        *self == Expected::default()
    }

    fn add(&mut self, items: &str) -> Result<(), ExpectedError> {
        for item in items.split(';').map(str::trim).filter(|item| !item.is_empty()) {
            self.add_item(item).map_err(|problem| ExpectedError { item: item.to_owned(), problem })?;
        }
        Ok(())
    }

    fn add_item(&mut self, item: &str) -> Result<(), String> {
        if let Some((place, rule)) = item.rsplit_once(": ") {
            let (configuration, kernel) = match place.split_once('/') {
                Some((configuration, kernel)) => (Some(configuration.trim().to_owned()), kernel),
                None => (None, place),
            };
            let (kernel, rule) = (kernel.trim().to_owned(), rule.trim().to_owned());
            self.rules.push(ExpectedRule { configuration, kernel, rule });
            return Ok(());
        }
        let (word, rest) = item.split_once(char::is_whitespace).ok_or("it has one word only")?;
        let rest = rest.trim().to_owned();
        match word {
            "exit" => self.exit = Some(rest.parse().map_err(|_| "an exit code is a whole number")?),
            "percent" => self.percent = Some(percent(&rest)?),
            "notice" => self.notices.push(rest),
            "says" => self.says.push(rest),
            "defined" => self.defined.push(rest),
            "exact" => self.exact.push(rest),
            "wrong" => self.wrong.push(rest),
            other => return Err(format!("`{other}` is unknown")),
        }
        Ok(())
    }
}

fn percent(text: &str) -> Result<(f64, f64), String> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|value| (0.0..=100.0).contains(value));
    let bounds = match text.split_once("..") {
        Some((low, high)) => number(low).zip(number(high)),
        None => number(text).map(|both| (both, both)),
    };
    bounds
        .filter(|(low, high)| low <= high)
        .ok_or_else(|| "a range is `LOW..HIGH` in percent, 0 to 100".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_comment_lines_are_read() {
        let text = "// expect: exit 1; sumRacy: missing-fence; percent 20..40\n// A note.\n\
                    // expect: b/k -DX: missing-barrier; notice compile-error\n\nint x; // expect: exit 9\n";
        let expected = Expected::from_source(text).unwrap();
        assert_eq!(expected.exit, Some(1));
        assert_eq!(expected.percent, Some((20.0, 40.0)));
        assert_eq!(expected.notices, ["compile-error"]);
        assert_eq!(expected.rules[0].configuration, None);
        assert_eq!(expected.rules[1].configuration.as_deref(), Some("b"));
        assert_eq!(expected.rules[1].kernel, "k -DX");
    }

    #[test]
    fn mistakes_name_the_item_and_the_line() {
        let (line, error) = Expected::from_source("// about\n// expect: exit zero\n").unwrap_err();
        assert_eq!(line, 2);
        assert!(error.to_string().contains("`exit zero`"), "{error}");
        for wrong in ["percent 90..10", "percent 0..101", "maybe so", "exit"] {
            assert!(Expected::parse(wrong).is_err(), "{wrong} was accepted");
        }
    }
}
