//! Parser of the assembly formats of types and attributes.
//!
//! | element | assembly |
//! |---|---|
//! | `` `word` ``, `` `<` `` | the literal between the quotes |
//! | `$name` | a parameter |
//! | `params` | all parameters without a place of their own, separated by commas |
//! | `struct(params)`, `struct($a, $b)` | `a = 1, b = 2`, in any order, without absent parameters |
//! | `( .. $anchor^ .. )?`, `( .. $anchor^ .. ) : ( .. )?` | elements that are printed if the anchor is present |

use crate::{Reader, Spacing};

/// A parameter of a type or attribute.
#[derive(Clone, Copy, Debug)]
pub struct ParamName<'n> {
    /// The name.
    pub name: &'n str,
    /// Whether it may be absent: optional, an array, or with a default.
    pub can_miss: bool,
    /// Whether the format has no place for it: the type of a typed attribute.
    pub implicit: bool,
}

/// An element of a format; parameters are represented by their index. The `bool` of an element is whether a space
/// precedes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DataElement<'t> {
    /// A literal.
    Literal(bool, &'t str),
    /// A space that is printed or not.
    Space(bool),
    /// `$name`.
    Param(bool, usize),
    /// `params`.
    Params(bool, Vec<usize>),
    /// `struct(..)`.
    Struct(bool, Vec<usize>),
    /// `( .. )?`.
    Group {
        /// The index of the anchor.
        anchor: usize,
        /// The elements to use if the anchor is present.
        then: Vec<DataElement<'t>>,
        /// The elements to use if the anchor is absent.
        otherwise: Vec<DataElement<'t>>,
    },
}

/// Parses the format of a type or attribute.
///
/// # Errors
/// A message for the first syntax error, unknown name, repeated or missing parameter.
pub fn parse_data<'t>(text: &'t str, params: &[ParamName<'_>]) -> Result<Vec<DataElement<'t>>, String> {
    let names = crate::Names::default();
    let reader = Reader { rest: text, names: &names };
    let mut parser =
        DataParser { reader, params, placed: vec![false; params.len()], spacing: Spacing::default() };
    // `params` is the list of parameters without an element of their own, so those with one are collected first.
    for (at, param) in params.iter().enumerate() {
        let mut rest = text;
        while let Some((_, behind)) = rest.split_once('$') {
            let end = behind.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(behind.len());
            parser.placed[at] |= &behind[..end] == param.name;
            rest = behind;
        }
        parser.placed[at] |= param.implicit;
    }
    let (elements, anchor) = parser.sequence(false)?;
    if anchor.is_some() {
        return Err("an anchor '^' outside of an optional group".to_owned());
    }
    match parser.placed.iter().position(|placed| !placed) {
        Some(at) => Err(format!("parameter '${}' has no place", params[at].name)),
        None => Ok(elements),
    }
}

struct DataParser<'t, 'n, 'p> {
    reader: Reader<'t, 'n>,
    params: &'p [ParamName<'p>],
    /// Whether each parameter has a place.
    placed: Vec<bool>,
    spacing: Spacing,
}

impl<'t> DataParser<'t, '_, '_> {
    fn sequence(&mut self, in_group: bool) -> Result<(Vec<DataElement<'t>>, Option<usize>), String> {
        let (mut elements, mut anchor) = (Vec::new(), None);
        loop {
            self.reader.skip();
            let rest = self.reader.rest;
            if rest.is_empty() || in_group && rest.starts_with(')') {
                return Ok((elements, anchor));
            }
            if rest.starts_with(')') {
                return Err("')' without '('".to_owned());
            }
            let element = self.element()?;
            if let Some(rest) = self.reader.rest.strip_prefix('^') {
                self.reader.rest = rest;
                anchor = match &element {
                    DataElement::Param(_, at) if self.params[*at].can_miss => Some(*at),
                    DataElement::Param(_, at) => {
                        let name = self.params[*at].name;
                        return Err(format!(
                            "anchor '${name}^' is always present: it is neither optional nor an array, and has no default"
                        ));
                    }
                    _ => return Err("an anchor '^' after something that is not a parameter".to_owned()),
                };
            }
            elements.push(element);
        }
    }

    fn element(&mut self) -> Result<DataElement<'t>, String> {
        if let Some(rest) = self.reader.rest.strip_prefix('`') {
            let end = rest.find('`').ok_or("a literal without an end")?;
            self.reader.rest = &rest[end + 1..];
            let text = &rest[..end];
            if Spacing::is_space(text) {
                self.spacing.space(text);
                return Ok(DataElement::Space(!text.is_empty()));
            }
            return Ok(DataElement::Literal(self.spacing.literal(text), text));
        }
        if self.reader.eat("(") {
            let (then, anchor) = self.sequence(true)?;
            self.reader.expect(")")?;
            let mut otherwise = Vec::new();
            if self.reader.eat(":") {
                self.reader.expect("(")?;
                otherwise = self.sequence(true)?.0;
                self.reader.expect(")")?;
            }
            self.reader.expect("?")?;
            let anchor = anchor.ok_or(
                "an optional group without an anchor: expected '^' after the parameter whose presence decides",
            )?;
            return Ok(DataElement::Group { anchor, then, otherwise });
        }
        if self.reader.eat("$") {
            let at = self.name()?;
            return Ok(DataElement::Param(self.spacing.variable(), at));
        }
        let before = self.reader.place();
        match self.reader.word() {
            "params" => {
                let indices = self.rest_of_params();
                let (_, all_but_last) = indices.split_last().ok_or("'params' stands for no parameter")?;
                if let Some(&at) = all_but_last.iter().find(|&&at| self.params[at].can_miss) {
                    let name = self.params[at].name;
                    return Err(format!(
                        "'params' with '{name}', which may be absent, before another parameter is ambiguous: use 'struct(params)'"
                    ));
                }
                Ok(DataElement::Params(self.spacing.variable(), indices))
            }
            "struct" => {
                self.reader.expect("(")?;
                let mut indices = Vec::new();
                if self.reader.eat("params") {
                    indices = self.rest_of_params();
                } else {
                    loop {
                        self.reader.expect("$")?;
                        indices.push(self.name()?);
                        if !self.reader.eat(",") {
                            break;
                        }
                    }
                }
                self.reader.expect(")")?;
                if indices.is_empty() {
                    return Err("'struct' stands for no parameter".to_owned());
                }
                Ok(DataElement::Struct(self.spacing.variable(), indices))
            }
            "" => {
                let found = self.reader.rest.chars().next().unwrap_or_default();
                Err(format!("unexpected '{found}' {before}; quote literals with backquotes: '`{found}`'"))
            }
            word => Err(format!("unknown directive '{word}'; quote a keyword with backquotes: '`{word}`'")),
        }
    }

    fn name(&mut self) -> Result<usize, String> {
        let name = self.reader.word();
        self.params.iter().position(|param| param.name == name).ok_or_else(|| {
            let known: Vec<&str> = self.params.iter().map(|param| param.name).collect();
            format!("no parameter '${name}'; {}", crate::listed(&[&known]))
        })
    }

    /// The parameters without a place so far, which now have one.
    fn rest_of_params(&mut self) -> Vec<usize> {
        let rest = (0..self.params.len()).filter(|&at| !self.placed[at]).collect();
        self.placed.fill(true);
        rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMS: [ParamName<'_>; 3] = [
        ParamName { name: "width", can_miss: false, implicit: false },
        ParamName { name: "element", can_miss: false, implicit: false },
        ParamName { name: "layout", can_miss: true, implicit: false },
    ];

    fn message(text: &str) -> String {
        parse_data(text, &PARAMS).expect_err("the format is wrong")
    }

    #[test]
    fn elements_have_upstream_spaces() {
        let format = parse_data("`<` $width `x` $element (`,` $layout^)? `>`", &PARAMS).expect("a format");
        use DataElement::*;
        assert_eq!(
            format,
            [
                Literal(false, "<"),
                Param(false, 0),
                Literal(true, "x"),
                Param(true, 1),
                Group { anchor: 2, then: vec![Literal(false, ","), Param(true, 2)], otherwise: vec![] },
                Literal(false, ">"),
            ]
        );
        assert_eq!(parse_data("$width $element $layout", &PARAMS).expect("a format")[0], Param(true, 0));
    }

    #[test]
    fn params_are_those_without_a_place() {
        let format = parse_data("`<` $element `:` params `>`", &PARAMS).expect("a format");
        assert!(matches!(&format[3], DataElement::Params(_, of) if of[..] == [0, 2]), "{format:?}");
        let format = parse_data("`<` struct(params) `>`", &PARAMS).expect("a format");
        assert!(matches!(&format[1], DataElement::Struct(false, of) if of[..] == [0, 1, 2]), "{format:?}");
    }

    #[test]
    fn errors_name_the_parameter() {
        assert_eq!(message("`<` $width `>`"), "parameter '$element' has no place");
        assert_eq!(message("$witdh"), "no parameter '$witdh'; there are '$width', '$element', '$layout'");
        assert!(message("($width^)? $element $layout").starts_with("anchor '$width^' is always present"));
        assert!(message("($width)? $element $layout").starts_with("an optional group without an anchor"));
        assert!(message("parms").starts_with("unknown directive 'parms'"));
    }
}
