//! Declarative assembly formats: MLIR's `assemblyFormat`, compiled once per operation and interpreted.
//!
//! What the language has: "`literal`" (also "` `" for a space and "``" for none), `$name` of an operand, attribute,
//! region or successor, `type($name)`, `type(operands)`, `type(results)`, `functional-type(a, b)`, `operands`,
//! `successors`, `regions`, `attr-dict`, `attr-dict-with-keyword`, `qualified(..)`, and optional groups
//! `( .. $anchor^ .. )?` with `: ( .. )` for what stands there otherwise.

mod parse;
mod print;
mod straight;

use super::lexer::{Lexer, Tok};
use crate::{Assembly, OpInfo, OpSpec, Traits, Type};
pub(crate) use print::is_elided_default;
use straight::Straight;

/// A compiled format.
pub(crate) struct Format {
    elements: Vec<Element>,
    /// Attributes with a place of their own, which a dictionary leaves out.
    placed: Vec<&'static str>,
    /// The same, by number.
    placed_at: Vec<usize>,
    inference: Inference,
    /// A shorter way to write the usual text of operations whose operands and result have one type.
    straight: Option<Straight>,
}

/// A declared group of operands or results, by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Slot {
    Operand(usize),
    Result(usize),
}

/// How types follow from one another, resolved from names to numbers.
struct Inference {
    /// Groups that have only one possible type.
    only: Vec<(Slot, Type)>,
    /// Groups of one type.
    same: Vec<Vec<Slot>>,
    /// Targets and sources, in the order of the declaration.
    derived: Vec<(Slot, Slot)>,
}

impl Inference {
    fn of(spec: &OpSpec) -> Self {
        let operands = || (0..spec.operands.len()).map(Slot::Operand);
        let results = || (0..spec.results.len()).map(Slot::Result);
        let slot = |name: &str| {
            let operand = spec.operands.iter().position(|operand| operand.name == name).map(Slot::Operand);
            operand.or_else(|| spec.results.iter().position(|result| result.name == name).map(Slot::Result))
        };
        let of = |slot: Slot| match slot {
            Slot::Operand(at) => spec.operands[at].constraint,
            Slot::Result(at) => spec.results[at].constraint,
        };
        let only = operands().chain(results()).filter_map(|slot| Some((slot, of(slot).only?))).collect();
        let mut same: Vec<Vec<Slot>> = Vec::new();
        if spec.traits.has(Traits::SAME_OPERANDS_AND_RESULT) {
            same.push(operands().chain(results()).collect());
        } else if spec.traits.has(Traits::SAME_OPERANDS) {
            same.push(operands().collect());
        }
        same.extend(spec.same_types.iter().map(|group| group.iter().filter_map(|name| slot(name)).collect()));
        let derived = spec.derived.iter().filter_map(|rule| Some((slot(rule.target)?, slot(rule.source)?)));
        Self { only, same, derived: derived.collect() }
    }
}

/// An element, and whether a space goes before it.
struct Element {
    space: bool,
    kind: Kind,
}

/// Whose types a directive means.
#[derive(Clone, Copy, Debug)]
enum Types {
    Operand(usize),
    Result(usize),
    Operands,
    Results,
}

enum Kind {
    /// As it is written, and the tokens that are read.
    Literal(&'static str, Vec<(Tok, &'static str)>),
    /// A space, or none: only the printer cares.
    Space(bool),
    Newline,
    Operand(usize),
    Attr(usize),
    Region(usize),
    Successor(usize),
    Type(Types),
    FunctionalType(Types, Types),
    AttrDict,
    AttrDictWithKeyword,
    Operands,
    Successors,
    Regions,
    Group {
        anchor: Anchor,
        then: Vec<Element>,
        otherwise: Vec<Element>,
    },
}

/// What decides whether an optional group is written.
#[derive(Clone, Copy)]
enum Anchor {
    Operand(usize),
    Result(usize),
    Attr(usize),
    Region(usize),
    Successor(usize),
    Operands,
    Results,
}

/// The format of an operation whose assembly is [`Assembly::Format`].
pub(crate) fn compiled(info: &OpInfo) -> Result<&Format, &str> {
    let compile = || match info.spec {
        Some(spec @ OpSpec { assembly: Assembly::Format(text), .. }) => Compiler::compile(spec, text),
        _ => Err("the operation has no format".to_owned()),
    };
    (**info.format.get_or_init(|| Box::new(compile()))).as_ref().map_err(String::as_str)
}

struct Compiler {
    spec: &'static OpSpec,
    rest: &'static str,
    placed: Vec<&'static str>,
    /// The state of MLIR's printer generator: where it puts spaces.
    should_space: bool,
    last_punct: bool,
}

impl Compiler {
    fn compile(spec: &'static OpSpec, text: &'static str) -> Result<Format, String> {
        let mut compiler =
            Compiler { spec, rest: text, placed: Vec::new(), should_space: true, last_punct: false };
        let (elements, _) = compiler.sequence(false)?;
        let placed_at = spec.attrs.iter().enumerate();
        let placed_at = placed_at.filter(|(_, attr)| compiler.placed.contains(&attr.name)).map(|(at, _)| at);
        let placed_at = placed_at.collect();
        let straight = Straight::of(spec, &elements);
        let inference = Inference::of(spec);
        Ok(Format { elements, placed: compiler.placed, placed_at, inference, straight })
    }

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

    fn expect(&mut self, text: &str) -> Result<(), String> {
        if self.eat(text) { Ok(()) } else { Err(format!("expected '{text}' before '{}'", self.rest)) }
    }

    fn word(&mut self) -> &'static str {
        self.skip();
        let end = self
            .rest
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-')
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    /// Elements up to the end or a closing parenthesis, and the anchor among them.
    fn sequence(&mut self, in_group: bool) -> Result<(Vec<Element>, Option<Anchor>), String> {
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
                anchor = Some(anchor_of(&element.kind)?);
            }
            elements.push(element);
        }
    }

    fn element(&mut self) -> Result<Element, String> {
        if let Some(rest) = self.rest.strip_prefix('`') {
            let end = rest.find('`').ok_or("a literal without an end")?;
            self.rest = &rest[end + 1..];
            return Ok(self.literal(&rest[..end]));
        }
        if self.eat("(") {
            let (then, anchor) = self.sequence(true)?;
            self.expect(")")?;
            let otherwise = if self.eat(":") {
                self.expect("(")?;
                let (otherwise, _) = self.sequence(true)?;
                self.expect(")")?;
                otherwise
            } else {
                Vec::new()
            };
            self.expect("?")?;
            let anchor = anchor.ok_or("an optional group without an anchor '^'")?;
            return Ok(Element { space: false, kind: Kind::Group { anchor, then, otherwise } });
        }
        if self.eat("$") {
            let name = self.word();
            let kind = self.variable(name)?;
            return Ok(self.spaced(kind));
        }
        let word = self.word();
        let kind = match word {
            "attr-dict" | "prop-dict" => {
                self.last_punct = false;
                return Ok(Element { space: false, kind: Kind::AttrDict });
            }
            "attr-dict-with-keyword" => {
                self.last_punct = false;
                return Ok(Element { space: false, kind: Kind::AttrDictWithKeyword });
            }
            "operands" => Kind::Operands,
            "successors" => Kind::Successors,
            "regions" => Kind::Regions,
            "type" => {
                self.expect("(")?;
                let types = self.types()?;
                self.expect(")")?;
                Kind::Type(types)
            }
            "functional-type" => {
                self.expect("(")?;
                let inputs = self.types()?;
                self.expect(",")?;
                let results = self.types()?;
                self.expect(")")?;
                Kind::FunctionalType(inputs, results)
            }
            "qualified" => {
                self.expect("(")?;
                let inner = self.element()?;
                self.expect(")")?;
                return Ok(inner);
            }
            _ => return Err(format!("unknown directive '{word}' before '{}'", self.rest)),
        };
        Ok(self.spaced(kind))
    }

    /// The rules are those of MLIR's generator: see `genLiteralPrinter` in `OpFormatGen.cpp`.
    fn literal(&mut self, text: &'static str) -> Element {
        if text.trim().is_empty() || text == "\\n" {
            self.should_space = false;
            if text == "\\n" {
                return Element { space: false, kind: Kind::Newline };
            }
            self.last_punct = text.is_empty();
            return Element { space: false, kind: Kind::Space(!text.is_empty()) };
        }
        let first = text.as_bytes()[0];
        let space_before = if text.len() != 1 && text != "->" {
            true
        } else if self.last_punct {
            !b">)}],".contains(&first)
        } else {
            !b"<>(){}[],".contains(&first)
        };
        let space = self.should_space && space_before;
        self.should_space = text.len() != 1 || !b"<({[".contains(&first);
        self.last_punct = first != b'_' && !first.is_ascii_alphabetic();
        Element { space, kind: Kind::Literal(text, tokens(text)) }
    }

    fn spaced(&mut self, kind: Kind) -> Element {
        let space = self.should_space || !self.last_punct;
        self.last_punct = false;
        self.should_space = true;
        Element { space, kind }
    }

    fn variable(&mut self, name: &'static str) -> Result<Kind, String> {
        let spec = self.spec;
        if let Some(at) = spec.operands.iter().position(|operand| operand.name == name) {
            return Ok(Kind::Operand(at));
        }
        if let Some(at) = spec.attrs.iter().position(|attr| attr.name == name) {
            self.placed.push(spec.attrs[at].name);
            return Ok(Kind::Attr(at));
        }
        if let Some(at) = spec.regions.iter().position(|region| region.name == name) {
            return Ok(Kind::Region(at));
        }
        if let Some(at) = spec.successors.iter().position(|successor| successor.name == name) {
            return Ok(Kind::Successor(at));
        }
        Err(format!("no operand, attribute, region or successor '{name}'"))
    }

    fn types(&mut self) -> Result<Types, String> {
        if self.eat("$") {
            let name = self.word();
            if let Some(at) = self.spec.operands.iter().position(|operand| operand.name == name) {
                return Ok(Types::Operand(at));
            }
            if let Some(at) = self.spec.results.iter().position(|result| result.name == name) {
                return Ok(Types::Result(at));
            }
            return Err(format!("no operand or result '{name}'"));
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

/// The tokens of a literal: `] : [` is three.
fn tokens(text: &'static str) -> Vec<(Tok, &'static str)> {
    let mut lexer = Lexer::new(text);
    let mut tokens = Vec::new();
    loop {
        let token = lexer.next();
        match token.kind {
            Tok::Eof => return tokens,
            kind => tokens.push((kind, &text[token.start as usize..token.end as usize])),
        }
    }
}

fn anchor_of(kind: &Kind) -> Result<Anchor, String> {
    Ok(match *kind {
        Kind::Operand(at) | Kind::Type(Types::Operand(at)) => Anchor::Operand(at),
        Kind::Type(Types::Result(at)) => Anchor::Result(at),
        Kind::Attr(at) => Anchor::Attr(at),
        Kind::Region(at) => Anchor::Region(at),
        Kind::Successor(at) => Anchor::Successor(at),
        Kind::Operands | Kind::Type(Types::Operands) => Anchor::Operands,
        Kind::Type(Types::Results) => Anchor::Results,
        _ => return Err("an anchor '^' behind something that cannot be absent".to_owned()),
    })
}
