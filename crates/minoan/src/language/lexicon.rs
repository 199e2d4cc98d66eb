//! Lexical rules of a language, for editors.

/// The names, words and comments of a language.
#[derive(Clone, Debug)]
pub struct Lexicon {
    /// The byte ranges of the comments of a text.
    pub comments: fn(&str) -> Vec<(u32, u32)>,
    /// The words that cannot be names.
    pub keywords: Vec<&'static str>,
    /// Whether a character may be in a name, after the sigil.
    pub continues_name: fn(char) -> bool,
    /// The characters that mark the kind of the name that follows them.
    pub sigils: &'static str,
    /// Whether a name may be a number.
    pub has_numbered_names: bool,
    /// Whether functions of one name may have different types.
    pub has_overloads: bool,
}

impl Default for Lexicon {
    /// Names of letters, digits and underscores; neither keywords nor comments.
    fn default() -> Self {
        Self {
            comments: |_| Vec::new(),
            keywords: Vec::new(),
            continues_name: |c| c.is_alphanumeric() || c == '_',
            sigils: "",
            has_numbered_names: false,
            has_overloads: false,
        }
    }
}

impl Lexicon {
    /// Whether a character marks the kind of the name that follows it.
    pub fn is_sigil(&self, c: char) -> bool {
        self.sigils.contains(c)
    }

    /// Checks that a text without a sigil is a valid name.
    ///
    /// # Errors
    /// The reason why it is not.
    pub fn check_name(&self, name: &str) -> Result<(), String> {
        let starts_with_digit = name.starts_with(|c: char| c.is_ascii_digit());
        let is_number = name.chars().all(|c| c.is_ascii_digit());
        if name.is_empty() {
            return Err("a name has at least one character".to_owned());
        }
        if let Some(c) = name.chars().find(|&c| !(self.continues_name)(c)) {
            return Err(format!("'{name}' is not a name: it contains '{c}'"));
        }
        if starts_with_digit && !(is_number && self.has_numbered_names) {
            return Err(format!("'{name}' is not a name: it begins with a digit"));
        }
        if self.keywords.contains(&name) { Err(format!("'{name}' is a reserved word")) } else { Ok(()) }
    }
}
