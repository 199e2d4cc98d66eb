//! Equations of Einstein summation: `ij,jk->ik`, `...ij->...ji`.

/// The axes of operands and result, as letters. The axes of an ellipsis have letters of their own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Equation {
    pub(crate) inputs: Vec<Vec<char>>,
    pub(crate) output: Vec<char>,
}

/// The letter of the axis of an ellipsis that is `back` axes before its end.
fn ellipsis_letter(back: usize) -> char {
    u32::try_from(back).ok().and_then(|back| char::from_u32(0xE000 + back)).unwrap_or('\u{E000}')
}

/// A name for a letter in messages.
pub(crate) fn shown(letter: char) -> String {
    if letter.is_ascii_alphabetic() { format!("'{letter}'") } else { "an axis of '...'".to_owned() }
}

/// The letters of a term, where an ellipsis represents `axes` axes.
fn letters(term: &str, axes: Option<usize>) -> Result<Vec<char>, String> {
    let (before, after, axes) = match (term.split_once("..."), axes) {
        (Some((before, after)), Some(axes)) => (before, after, axes),
        (None, _) => (term, "", 0),
        (Some(_), None) => return Err(format!("has '...' in {term:?}, but not in an operand")),
    };
    if let Some(wrong) = before.chars().chain(after.chars()).find(|c| !c.is_ascii_alphabetic()) {
        return Err(format!("needs a letter for each axis, but has {wrong:?} in {term:?}"));
    }
    let rest = (0..axes).rev().map(ellipsis_letter);
    Ok(before.chars().chain(rest).chain(after.chars()).collect())
}

impl Equation {
    /// Parses an equation for operands of these ranks; an error continues a sentence whose subject is the operator.
    pub(crate) fn parse(text: &str, ranks: &[usize]) -> Result<Equation, String> {
        let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let (terms, output) = match text.split_once("->") {
            Some((terms, output)) => (terms, Some(output)),
            None => (&*text, None),
        };
        let terms: Vec<&str> = terms.split(',').collect();
        if terms.len() != ranks.len() {
            return Err(format!(
                "has {} operands in {text:?}, but is given {} tensors",
                terms.len(),
                ranks.len()
            ));
        }
        let mut inputs = Vec::with_capacity(terms.len());
        let mut widest = None;
        for (term, &rank) in terms.iter().zip(ranks) {
            let named = letters(&term.replacen("...", "", 1), None)?.len();
            let has_ellipsis = term.contains("...");
            let Some(rest) = rank.checked_sub(named).filter(|&rest| rest == 0 || has_ellipsis) else {
                return Err(format!("needs one letter for each of {rank} axes, but has {term:?}"));
            };
            if has_ellipsis {
                widest = widest.max(Some(rest));
            }
            inputs.push(letters(term, Some(rest))?);
        }
        let output = match output {
            Some(output) if widest.is_some_and(|axes| axes > 0) && !output.contains("...") => {
                return Err(format!("has '...' in an operand of {text:?}, but not in the result"));
            }
            Some(output) => letters(output, widest)?,
            None => {
                let all: Vec<char> = inputs.iter().flatten().copied().collect();
                let mut once: Vec<char> = all
                    .iter()
                    .copied()
                    .filter(|c| {
                        c.is_ascii_alphabetic() && all.iter().filter(|other| *other == c).count() == 1
                    })
                    .collect();
                once.sort_unstable();
                (0..widest.unwrap_or(0)).rev().map(ellipsis_letter).chain(once).collect()
            }
        };
        for (at, &letter) in output.iter().enumerate() {
            if !inputs.iter().any(|input| input.contains(&letter)) {
                return Err(format!("has {} only in the result of {text:?}", shown(letter)));
            }
            if output[..at].contains(&letter) {
                return Err(format!("has {} twice in the result of {text:?}", shown(letter)));
            }
        }
        Ok(Equation { inputs, output })
    }

    /// All letters: first those of the result, then the summed ones.
    pub(crate) fn letters(&self) -> Vec<char> {
        let mut letters = self.output.clone();
        for &letter in self.inputs.iter().flatten() {
            if !letters.contains(&letter) {
                letters.push(letter);
            }
        }
        letters
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ellipses_are_aligned_at_the_end() {
        let equation = Equation::parse("...ij, ...jk -> ...ik", &[4, 3]).unwrap();
        let (first, second) = (ellipsis_letter(1), ellipsis_letter(0));
        assert_eq!(equation.inputs, [vec![first, second, 'i', 'j'], vec![second, 'j', 'k']]);
        assert_eq!(equation.output, [first, second, 'i', 'k']);
    }

    #[test]
    fn the_result_has_the_letters_that_occur_once() {
        assert_eq!(Equation::parse("bi,ai", &[2, 2]).unwrap().output, ['a', 'b']);
        assert_eq!(Equation::parse("ii", &[2]).unwrap().output, []);
    }

    #[test]
    fn invalid_equations() {
        for (text, ranks) in [
            ("ij,jk", &[2][..]),
            ("ij->ijk", &[2]),
            ("ij->ii", &[2]),
            ("i1", &[2]),
            ("ij", &[3]),
            ("...i->i", &[2]),
            ("i->...i", &[1]),
            ("......i", &[1]),
        ] {
            assert!(Equation::parse(text, ranks).is_err(), "{text}");
        }
    }
}
