//! Declarative assembly formats: the language of MLIR's `assemblyFormat`.
//!
//! `#[op]` reads a format when the program is compiled, so that a wrong one is an error of the Rust compiler; `minoan-ir`
//! makes a list of steps of it, which its parser and its printer follow.
//!
//! | in a format | in the text |
//! |---|---|
//! | `` `word` ``, `` `->` `` | what stands between the quotes; `` ` ` `` is a space, ` `` ` none, `` `\n` `` a new line |
//! | `$name` | an operand or its list, an attribute as its constraint says, a region, a successor |
//! | `type($name)` | the type or the types of an operand or a result; also `type(operands)`, `type(results)` |
//! | `functional-type(a, b)` | `(..) -> ..` of two lists of types: `$name`, `operands` or `results` |
//! | `operands`, `regions`, `successors` | all of them, without a place for each |
//! | `attr-dict` | attributes that have no place of their own: `{a = 1 : i32}` |
//! | `attr-dict-with-keyword` | the same behind the word `attributes` |
//! | `( .. $anchor^ .. )?` | written when what is marked with `^` is there, read when its first element stands next |
//! | `( .. $anchor^ .. ) : ( .. )?` | with what stands there otherwise |
//!
//! A format has a place for every operand, region and successor, and `attr-dict`. A type may be left out where it follows:
//! where its constraint allows one type only, where `same_types`, a trait or `derive` makes it that of another one, and of
//! a result where it is inferred.
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

/// What an operation declares, by name and in order.
#[derive(Clone, Default, Debug)]
pub struct Names<'n> {
    /// Operands.
    pub operands: Vec<&'n str>,
    /// Attributes.
    pub attrs: Vec<&'n str>,
    /// Results.
    pub results: Vec<&'n str>,
    /// Regions.
    pub regions: Vec<&'n str>,
    /// Successors.
    pub successors: Vec<&'n str>,
}

/// Whose types a directive means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Types {
    /// Those of an operand, by number.
    Operand(usize),
    /// Those of a result, by number.
    Result(usize),
    /// Those of all operands.
    Operands,
    /// Those of all results.
    Results,
}

/// What decides whether an optional group is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// An operand, by number.
    Operand(usize),
    /// A result.
    Result(usize),
    /// An attribute.
    Attr(usize),
    /// A region.
    Region(usize),
    /// A successor.
    Successor(usize),
    /// Whether there are operands.
    Operands,
    /// Whether there are results.
    Results,
}

/// An element of a format. What is declared stands in it by number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Element<'t> {
    /// What stands between two backquotes.
    Literal(&'t str),
    /// `$name` of an operand.
    Operand(usize),
    /// `$name` of an attribute.
    Attr(usize),
    /// `$name` of a region.
    Region(usize),
    /// `$name` of a successor.
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
        /// What is marked.
        anchor: Anchor,
        /// What stands there then.
        then: Vec<Element<'t>>,
        /// What stands there otherwise.
        otherwise: Vec<Element<'t>>,
    },
}

/// Reads a format.
///
/// # Errors
/// What is wrong with it.
pub fn parse<'t>(text: &'t str, names: &Names<'_>) -> Result<Vec<Element<'t>>, String> {
    let mut reader = Reader { rest: text, names };
    let (elements, anchor) = reader.sequence(false)?;
    if anchor.is_some() {
        return Err("an anchor '^' outside of an optional group".to_owned());
    }
    missing(&elements, names).map_or(Ok(elements), Err)
}

/// All elements, those of groups in the place of the group.
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

/// What has no place in a format, and needs one.
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

    /// Where the reader stands, for messages.
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

    /// Elements up to the end or a closing parenthesis, and the anchor among them.
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
                "an optional group without an anchor: '^' behind what decides whether it is written",
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
                Err(format!(
                    "unexpected '{found}' {before}; what is written as it is stands in backquotes: '`{found}`'"
                ))
            }
            word => Err(format!(
                "unknown directive '{word}'; a word that is written as it is stands in backquotes: '`{word}`'"
            )),
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
                Some(_) => format!(
                    "result '${name}' stands before the operation's name; its type is 'type(${name})'"
                ),
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
        _ => return Err("an anchor '^' behind something that cannot be absent".to_owned()),
    })
}
