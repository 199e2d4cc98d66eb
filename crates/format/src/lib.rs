//! Parser of declarative assembly formats, the language of MLIR's `assemblyFormat`.
//!
//! [`parse`] parses the formats of operations, [`parse_data`] those of types and attributes. `#[op]` parses a
//! format at compile time, so that a malformed format is a Rust compile error. `minoan-ir` lowers the elements to
//! steps that its parser and printer execute.
//!
//! | element | assembly |
//! |---|---|
//! | `` `word` ``, `` `->` `` | the literal between the quotes; `` ` ` `` is a space, ` `` ` is no space, `` `\n` `` a newline |
//! | `$name` | an operand or operand list, an attribute (as its constraint prints it), a region, a successor |
//! | `type($name)` | the type(s) of an operand or a result; also `type(operands)`, `type(results)` |
//! | `functional-type(a, b)` | `(..) -> ..` of two type lists: `$name`, `operands` or `results` |
//! | `operands`, `regions`, `successors` | all of them, in place of the individual names |
//! | `attr-dict` | the attributes that no other element prints: `{a = 1 : i32}` |
//! | `attr-dict-with-keyword` | the same, preceded by the keyword `attributes` |
//! | `( .. $anchor^ .. )?` | an optional group: printed if the anchor, marked by `^`, is present; parsed if its first element matches |
//! | `( .. $anchor^ .. ) : ( .. )?` | with the elements to use if the anchor is absent |
//!
//! A format must contain every operand, region and successor, and `attr-dict`. A type may be omitted if it can be
//! inferred: if its constraint admits a single type, if `same_types`, a trait or `derive` determines it from another
//! type, or, for a result, if the operation infers its result types.
//!
//! ```
//! use minoan_format::{Element, Names, parse};
//!
//! let names = Names { operands: vec!["lhs", "rhs"], ..Names::default() };
//! let format = parse("$lhs `,` $rhs attr-dict `:` type($lhs)", &names).expect("a format");
//! assert!(matches!(format[..3], [Element::Operand(0), Element::Literal(","), Element::Operand(1)]));
//! let error = parse("$lhs `,` $rsh attr-dict", &names).expect_err("a wrong name");
//! assert_eq!(error, "no operand, attribute, region or successor '$rsh'; there are '$lhs', '$rhs'");
//! ```
#![forbid(unsafe_code)]

mod data;
mod spacing;

pub use data::{DataElement, ParamName, parse_data};
pub use spacing::Spacing;

/// The names that an operation declares, in order of declaration.
#[derive(Clone, Default, Debug)]
pub struct Names<'n> {
    /// The operands.
    pub operands: Vec<&'n str>,
    /// The attributes.
    pub attrs: Vec<&'n str>,
    /// The results.
    pub results: Vec<&'n str>,
    /// The regions.
    pub regions: Vec<&'n str>,
    /// The successors.
    pub successors: Vec<&'n str>,
}

/// The argument of a `type` or `functional-type` directive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Types {
    /// The types of the operand with this index.
    Operand(usize),
    /// The types of the result with this index.
    Result(usize),
    /// The types of all operands.
    Operands,
    /// The types of all results.
    Results,
}

/// The anchor of an optional group: the group is printed if it is present.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// The operand with this index.
    Operand(usize),
    /// The result with this index.
    Result(usize),
    /// The attribute with this index.
    Attr(usize),
    /// The region with this index.
    Region(usize),
    /// The successor with this index.
    Successor(usize),
    /// Any operand.
    Operands,
    /// Any result.
    Results,
}

/// An element of a format; declared names are represented by their index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Element<'t> {
    /// A literal between backquotes.
    Literal(&'t str),
    /// `$name`, where the name is an operand.
    Operand(usize),
    /// `$name`, where the name is an attribute.
    Attr(usize),
    /// `$name`, where the name is a region.
    Region(usize),
    /// `$name`, where the name is a successor.
    Successor(usize),
    /// `type(..)`.
    Type(Types),
    /// `functional-type(.., ..)`.
    FunctionalType(Types, Types),
    /// `attr-dict`.
    AttrDict,
    /// `attr-dict-with-keyword`.
    AttrDictWithKeyword,
    /// `operands`.
    Operands,
    /// `successors`.
    Successors,
    /// `regions`.
    Regions,
    /// `( .. )?`.
    Group {
        /// The anchor.
        anchor: Anchor,
        /// The elements to use if the anchor is present.
        then: Vec<Element<'t>>,
        /// The elements to use if the anchor is absent.
        otherwise: Vec<Element<'t>>,
    },
}

/// Parses a format.
///
/// # Errors
/// A message for the first syntax error, unknown name or missing element.
pub fn parse<'t>(text: &'t str, names: &Names<'_>) -> Result<Vec<Element<'t>>, String> {
    let mut reader = Reader { rest: text, names };
    let (elements, anchor) = reader.sequence(false)?;
    if anchor.is_some() {
        return Err("an anchor '^' outside of an optional group".to_owned());
    }
    missing(&elements, names).map_or(Ok(elements), Err)
}

/// Flattens the elements: the elements of a group replace the group.
pub fn flat<'e, 't>(elements: &'e [Element<'t>]) -> Vec<&'e Element<'t>> {
    let mut all = Vec::new();
    for element in elements {
        match element {
            Element::Group { then, otherwise, .. } => {
                all.extend(flat(then).into_iter().chain(flat(otherwise)))
            }
            element => all.push(element),
        }
    }
    all
}

/// A message for the first declared name that the format must contain but does not.
fn missing(elements: &[Element<'_>], names: &Names<'_>) -> Option<String> {
    let elements = flat(elements);
    let has = |element: &Element<'_>| elements.contains(&element);
    if !has(&Element::AttrDict) && !has(&Element::AttrDictWithKeyword) {
        return Some(
            "'attr-dict' is missing: attributes without a place of their own are written there".to_owned(),
        );
    }
    let first = |what: &str, all: Element<'_>, of: fn(usize) -> Element<'static>, names: &[&str]| {
        let at = if has(&all) { None } else { (0..names.len()).find(|&at| !has(&of(at))) };
        at.map(|at| format!("{what} '${}' has no place", names[at]))
    };
    first("operand", Element::Operands, Element::Operand, &names.operands)
        .or_else(|| first("region", Element::Regions, Element::Region, &names.regions))
        .or_else(|| first("successor", Element::Successors, Element::Successor, &names.successors))
}

struct Reader<'t, 'n> {
    rest: &'t str,
    names: &'n Names<'n>,
}

impl<'t> Reader<'t, '_> {
    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn eat(&mut self, text: &str) -> bool {
        self.skip();
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// A description of the current position, for messages.
    fn place(&self) -> String {
        match self.rest.trim_start() {
            "" => "at the end".to_owned(),
            rest => format!("before '{rest}'"),
        }
    }

    fn expect(&mut self, text: &str) -> Result<(), String> {
        if self.eat(text) { Ok(()) } else { Err(format!("expected '{text}' {}", self.place())) }
    }

    fn word(&mut self) -> &'t str {
        self.skip();
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-');
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        word
    }

    /// Parses elements up to the end or a closing parenthesis; also returns the anchor if there is one.
    fn sequence(&mut self, in_group: bool) -> Result<(Vec<Element<'t>>, Option<Anchor>), String> {
        let (mut elements, mut anchor) = (Vec::new(), None);
        loop {
            self.skip();
            if self.rest.is_empty() || in_group && self.rest.starts_with(')') {
                return Ok((elements, anchor));
            }
            if self.rest.starts_with(')') {
                return Err("')' without '('".to_owned());
            }
            let element = self.element()?;
            if self.rest.starts_with('^') {
                self.rest = &self.rest[1..];
                anchor = Some(anchor_of(&element)?);
            }
            elements.push(element);
        }
    }

    fn element(&mut self) -> Result<Element<'t>, String> {
        self.skip();
        if let Some(rest) = self.rest.strip_prefix('`') {
            let end = rest.find('`').ok_or("a literal without an end")?;
            self.rest = &rest[end + 1..];
            return Ok(Element::Literal(&rest[..end]));
        }
        if self.eat("(") {
            let (then, anchor) = self.sequence(true)?;
            self.expect(")")?;
            let mut otherwise = Vec::new();
            if self.eat(":") {
                self.expect("(")?;
                otherwise = self.sequence(true)?.0;
                self.expect(")")?;
            }
            self.expect("?")?;
            let anchor = anchor.ok_or(
                "an optional group without an anchor: expected '^' after the element whose presence decides",
            )?;
            return Ok(Element::Group { anchor, then, otherwise });
        }
        if self.eat("$") {
            let name = self.word();
            return self.variable(name);
        }
        let before = self.place();
        match self.word() {
            "attr-dict" | "prop-dict" => Ok(Element::AttrDict),
            "attr-dict-with-keyword" => Ok(Element::AttrDictWithKeyword),
            "operands" => Ok(Element::Operands),
            "successors" => Ok(Element::Successors),
            "regions" => Ok(Element::Regions),
            "type" => {
                self.expect("(")?;
                let types = self.types()?;
                self.expect(")")?;
                Ok(Element::Type(types))
            }
            "functional-type" => {
                self.expect("(")?;
                let inputs = self.types()?;
                self.expect(",")?;
                let results = self.types()?;
                self.expect(")")?;
                Ok(Element::FunctionalType(inputs, results))
            }
            "qualified" => {
                self.expect("(")?;
                let inner = self.element()?;
                self.expect(")")?;
                Ok(inner)
            }
            "" => {
                let found = self.rest.chars().next().unwrap_or_default();
                Err(format!("unexpected '{found}' {before}; quote literals with backquotes: '`{found}`'"))
            }
            word => Err(format!("unknown directive '{word}'; quote a keyword with backquotes: '`{word}`'")),
        }
    }

    fn variable(&self, name: &str) -> Result<Element<'t>, String> {
        let Names { operands, attrs, regions, successors, results } = self.names;
        let at = |names: &[&str]| names.iter().position(|&known| known == name);
        (at(operands).map(Element::Operand))
            .or_else(|| at(attrs).map(Element::Attr))
            .or_else(|| at(regions).map(Element::Region))
            .or_else(|| at(successors).map(Element::Successor))
            .ok_or_else(|| match at(results) {
                Some(_) => {
                    format!("result '${name}' precedes the operation's name; its type is 'type(${name})'")
                }
                None => {
                    let known = listed(&[operands, attrs, regions, successors]);
                    format!("no operand, attribute, region or successor '${name}'; {known}")
                }
            })
    }

    fn types(&mut self) -> Result<Types, String> {
        let Names { operands, results, .. } = self.names;
        if self.eat("$") {
            let name = self.word();
            let at = |names: &[&str]| names.iter().position(|&known| known == name);
            return (at(operands).map(Types::Operand))
                .or_else(|| at(results).map(Types::Result))
                .ok_or_else(|| format!("no operand or result '${name}'; {}", listed(&[operands, results])));
        }
        match self.word() {
            "operands" => Ok(Types::Operands),
            "results" => Ok(Types::Results),
            "type" | "qualified" => {
                self.expect("(")?;
                let types = self.types()?;
                self.expect(")")?;
                Ok(types)
            }
            word => Err(format!("expected '$name', 'operands' or 'results', not '{word}'")),
        }
    }
}

/// `there are '$a', '$b'`.
fn listed(names: &[&[&str]]) -> String {
    let names: Vec<String> = names.iter().copied().flatten().map(|name| format!("'${name}'")).collect();
    if names.is_empty() { "there is none".to_owned() } else { format!("there are {}", names.join(", ")) }
}

fn anchor_of(element: &Element<'_>) -> Result<Anchor, String> {
    Ok(match *element {
        Element::Operand(at) | Element::Type(Types::Operand(at)) => Anchor::Operand(at),
        Element::Type(Types::Result(at)) => Anchor::Result(at),
        Element::Attr(at) => Anchor::Attr(at),
        Element::Region(at) => Anchor::Region(at),
        Element::Successor(at) => Anchor::Successor(at),
        Element::Operands | Element::Type(Types::Operands) => Anchor::Operands,
        Element::Type(Types::Results) => Anchor::Results,
        _ => return Err("an anchor '^' after something that cannot be absent".to_owned()),
    })
}
