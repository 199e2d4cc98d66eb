//! Declarative assembly formats: MLIR's `assemblyFormat`, compiled once per operation and interpreted.
//! [`minoan_format`] defines the language.

mod infer;
mod parse;
mod print;
mod straight;

use super::lexer::{Lexer, Tok};
use crate::{Assembly, Context, OpInfo, OpSpec, Traits, Type};
use minoan_format::{Anchor, Element as Written, Names, Spacing, Types};
pub(crate) use print::is_elided_default;
use straight::Straight;

/// A compiled format.
pub(crate) struct Format {
    elements: Vec<Element>,
    /// The attributes that the format prints, which a dictionary omits.
    placed: Vec<&'static str>,
    /// The same, by index.
    placed_at: Vec<usize>,
    inference: Inference,
    /// A fast path for printing operations whose operands and result have one type.
    straight: Option<Straight>,
}

/// A declared group of operands or results, by index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Slot {
    Operand(usize),
    Result(usize),
}

/// The inference of types, resolved from names to indices.
struct Inference {
    /// Groups whose constraint admits a single type.
    only: Vec<(Slot, Type)>,
    /// Groups of equal type.
    same: Vec<Vec<Slot>>,
    /// Targets and sources, in order of declaration.
    derived: Vec<(Slot, Slot)>,
}

impl Inference {
    fn of(ctx: &Context, spec: &OpSpec) -> Self {
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
        let only = operands().chain(results()).filter_map(|slot| Some((slot, of(slot).only(ctx)?))).collect();
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

/// An element, and whether it is preceded by a space.
struct Element {
    space: bool,
    kind: Kind,
}

enum Kind {
    /// The text to print, and the tokens to parse.
    Literal(&'static str, Vec<(Tok, &'static str)>),
    /// Whether to print a space; ignored by the parser.
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

/// The compiled format of an operation with [`Assembly::Format`].
pub(crate) fn compiled<'i>(ctx: &Context, info: &'i OpInfo) -> Result<&'i Format, &'i str> {
    let compile = || match info.spec {
        Some(spec @ OpSpec { assembly: Assembly::Format(text), .. }) => Compiler::compile(ctx, spec, text),
        _ => Err("the operation has no format".to_owned()),
    };
    (**info.format.get_or_init(|| Box::new(compile()))).as_ref().map_err(String::as_str)
}

/// The declared names of an operation.
fn names_of(spec: &OpSpec) -> Names<'static> {
    Names {
        operands: spec.operands.iter().map(|operand| operand.name).collect(),
        attrs: spec.attrs.iter().map(|attr| attr.name).collect(),
        results: spec.results.iter().map(|result| result.name).collect(),
        regions: spec.regions.iter().map(|region| region.name).collect(),
        successors: spec.successors.iter().map(|successor| successor.name).collect(),
    }
}

struct Compiler {
    spec: &'static OpSpec,
    placed: Vec<&'static str>,
    spacing: Spacing,
}

impl Compiler {
    fn compile(ctx: &Context, spec: &'static OpSpec, text: &'static str) -> Result<Format, String> {
        let written = minoan_format::parse(text, &names_of(spec))?;
        let mut compiler = Compiler { spec, placed: Vec::new(), spacing: Spacing::default() };
        let elements = compiler.elements(written);
        let placed_at = spec.attrs.iter().enumerate();
        let placed_at = placed_at.filter(|(_, attr)| compiler.placed.contains(&attr.name)).map(|(at, _)| at);
        let placed_at = placed_at.collect();
        let straight = Straight::of(spec, &elements);
        let inference = Inference::of(ctx, spec);
        Ok(Format { elements, placed: compiler.placed, placed_at, inference, straight })
    }

    fn elements(&mut self, written: Vec<Written<'static>>) -> Vec<Element> {
        written.into_iter().map(|element| self.element(element)).collect()
    }

    fn element(&mut self, written: Written<'static>) -> Element {
        let kind = match written {
            Written::Literal(text) => return self.literal(text),
            Written::Group { anchor, then, otherwise } => {
                let (then, otherwise) = (self.elements(then), self.elements(otherwise));
                return Element { space: false, kind: Kind::Group { anchor, then, otherwise } };
            }
            Written::AttrDict => return self.dictionary(Kind::AttrDict),
            Written::AttrDictWithKeyword => return self.dictionary(Kind::AttrDictWithKeyword),
            Written::Attr(at) => {
                self.placed.push(self.spec.attrs[at].name);
                Kind::Attr(at)
            }
            Written::Operand(at) => Kind::Operand(at),
            Written::Region(at) => Kind::Region(at),
            Written::Successor(at) => Kind::Successor(at),
            Written::Type(types) => Kind::Type(types),
            Written::FunctionalType(inputs, results) => Kind::FunctionalType(inputs, results),
            Written::Operands => Kind::Operands,
            Written::Successors => Kind::Successors,
            Written::Regions => Kind::Regions,
        };
        self.spaced(kind)
    }

    fn dictionary(&mut self, kind: Kind) -> Element {
        self.spacing.dictionary();
        Element { space: false, kind }
    }

    fn literal(&mut self, text: &'static str) -> Element {
        if text == "\\n" {
            self.spacing.newline();
            return Element { space: false, kind: Kind::Newline };
        }
        if Spacing::is_space(text) {
            self.spacing.space(text);
            return Element { space: false, kind: Kind::Space(!text.is_empty()) };
        }
        Element { space: self.spacing.literal(text), kind: Kind::Literal(text, tokens(text)) }
    }

    fn spaced(&mut self, kind: Kind) -> Element {
        Element { space: self.spacing.variable(), kind }
    }
}

/// The tokens of a literal: `] : [` consists of three.
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
