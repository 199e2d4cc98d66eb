//! "Did you mean" suggestions by edit distance.

/// The candidate nearest to `name`, if it is a likely misspelling: at most a third of the letters differ, or one in a name of two
/// letters; a transposition counts once. A single letter is only a misspelling of the same letter in the other case, and a number
/// is never a misspelling, nor is the empty name. Ties go to the first candidate.
///
/// ```
/// assert_eq!(minoan_diag::nearest("arith.adf", ["arith.addi", "arith.addf"]), Some("arith.addf"));
/// assert_eq!(minoan_diag::nearest("zebra", ["arith.addi"]), None);
/// assert_eq!(minoan_diag::nearest("%b", ["%0", "%a"]), None);
/// assert_eq!(minoan_diag::nearest("%b", ["%0", "%B"]), Some("%B"));
/// assert_eq!(minoan_diag::nearest("%12", ["%11", "%x12"]), None);
/// assert_eq!(minoan_diag::nearest("", ["a"]), None);
/// ```
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const MAX_LENGTH: usize = 100;
    let budget = (name.chars().count() / 3).max(1);
    let mut letters = name.chars().filter(|letter| letter.is_alphanumeric());
    let is_single = letters.clone().count() == 1;
    let is_number = letters.all(|letter| letter.is_ascii_digit());
    if name.is_empty()
        || name.len() > MAX_LENGTH
        || (is_number && name.chars().any(|letter| letter.is_ascii_digit()))
    {
        return None;
    }
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate.len() > MAX_LENGTH
            || candidate.len().abs_diff(name.len()) > 3 * budget
            || candidate == name
        {
            continue;
        }
        if is_single && !name.eq_ignore_ascii_case(candidate) {
            continue;
        }
        let distance = strsim::osa_distance(name, candidate);
        if distance <= budget && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}
