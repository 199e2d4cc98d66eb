//! Words and tokens of each language, from the tables of its front end.

use minoan::language::Language;
use minoan::{iexpr, ir, knossos, relay};

/// The byte ranges of the comments of a text.
pub(crate) fn comments(language: &dyn Language, text: &str) -> Vec<(u32, u32)> {
    match language.name() {
        "knossos" => knossos::comments(text),
        "relay" => relay::comments(text),
        "iexpr" => iexpr::comments(text),
        "mlir" => ir::text::comments(text),
        _ => Vec::new(),
    }
}

/// The words that cannot be names.
pub(crate) fn keywords(language: &str) -> Vec<&'static str> {
    match language {
        "knossos" => {
            let more = ["gdef", "lam", "Bool", "Tensor", "Tuple", "LM", "Any", "false"];
            knossos::RESERVED.into_iter().filter(|word| *word != "$dummy").chain(more).collect()
        }
        "relay" => relay::KEYWORDS.into_iter().chain(["True", "False", "Tensor", "ref"]).collect(),
        "iexpr" => vec!["i"],
        _ => Vec::new(),
    }
}

/// Whether a character may be in a name, after the sigil.
pub(crate) fn continues_name(language: &str, c: char) -> bool {
    match language {
        "knossos" => c.is_alphanumeric() || "_':!$%&*+.,/<=>?@\\^|-~".contains(c),
        "relay" => c.is_ascii_alphanumeric() || "_./".contains(c),
        "mlir" => c.is_ascii_alphanumeric() || "_.$-".contains(c),
        _ => c.is_alphanumeric() || c == '_',
    }
}

/// Whether a character marks the kind of the name that follows it.
pub(crate) fn is_sigil(language: &str, c: char) -> bool {
    match language {
        "relay" => "%@".contains(c),
        "mlir" => "%@^!#".contains(c),
        _ => false,
    }
}

/// The reason why a text is not a valid name; `None` if it is valid.
pub(crate) fn name_error(language: &str, name: &str) -> Option<String> {
    let starts_with_digit = name.starts_with(|c: char| c.is_ascii_digit());
    let is_number = name.chars().all(|c| c.is_ascii_digit());
    if name.is_empty() {
        return Some("a name has at least one character".to_owned());
    }
    if let Some(c) = name.chars().find(|&c| !continues_name(language, c)) {
        return Some(format!("'{name}' is not a name: it contains '{c}'"));
    }
    // Values of MLIR and Relay may be numbered.
    if starts_with_digit && !(is_number && matches!(language, "mlir" | "relay")) {
        return Some(format!("'{name}' is not a name: it begins with a digit"));
    }
    keywords(language).contains(&name).then(|| format!("'{name}' is a reserved word"))
}
