//! "Did you mean" suggestions by edit distance.

/// The candidate nearest to `name`, if it is a likely misspelling: at most a third of the letters differ, where a
/// transposition counts once. Ties go to the first candidate.
///
/// ```
/// assert_eq!(minoan_diag::nearest("arith.adf", ["arith.addi", "arith.addf"]), Some("arith.addf"));
/// assert_eq!(minoan_diag::nearest("zebra", ["arith.addi"]), None);
/// ```
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const MAX_LENGTH: usize = 100;
    let budget = (name.chars().count() / 3).max(1);
    if name.len() > MAX_LENGTH {
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
        let distance = strsim::osa_distance(name, candidate);
        if distance <= budget && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}
