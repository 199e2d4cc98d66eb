//! Parses a declaration: the attribute's arguments and the struct.

use crate::field::{self, Arity, AttrField, Field, RegionField, SuccessorField, ValueField};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Error, Expr, Fields, Ident, ItemStruct, LitStr, Path, Result, Token, Visibility, parenthesized,
};

/// The assembly of the operation.
pub enum Assembly {
    Generic,
    Format(LitStr),
    Custom { parse: Path, print: Path },
}

/// `derive(target = rule(source), "message")`.
pub struct Derive {
    pub target: Ident,
    pub rule: Path,
    pub source: Ident,
    pub message: LitStr,
}

/// The arguments of `#[op(..)]`.
pub struct Args {
    pub name: LitStr,
    pub traits: Vec<Ident>,
    /// Traits declared outside of the IR crate, by their Rust types.
    pub op_traits: Vec<Path>,
    /// The services that the operation implements.
    pub services: Vec<Service>,
    pub assembly: Option<Assembly>,
    pub same_types: Vec<Vec<Ident>>,
    pub derives: Vec<Derive>,
    pub parents: Option<Vec<LitStr>>,
    pub terminator: Option<LitStr>,
    pub verify: Option<Path>,
    pub infer: Option<Path>,
    pub compatible: Option<Path>,
    pub no_function: bool,
}

/// An entry of `services(..)`.
pub enum Service {
    /// `Service = implementation`.
    One(Path, Box<Expr>),
    /// A function that registers services of an operation, given as its type argument.
    Group(Path),
}

impl Parse for Service {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let path = input.parse()?;
        if input.is_empty() || input.peek(Token![,]) {
            return Ok(Service::Group(path));
        }
        input.parse::<Token![=]>()?;
        Ok(Service::One(path, input.parse()?))
    }
}

const ARGUMENTS: &str = "`traits(..)`, `assembly = ..`, `same_types(..)`, `derive(..)`, `parents(..)`, `terminator = \"..\"`, `verify = ..`, `infer = ..`, `compatible = ..`, `services(..)`, `no_function`";

impl Parse for Args {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if !input.peek(LitStr) {
            return Err(input.error("the operation's full name comes first: `#[op(\"arith.addf\", ..)]`"));
        }
        let mut args = Args {
            name: input.parse()?,
            traits: Vec::new(),
            op_traits: Vec::new(),
            services: Vec::new(),
            assembly: None,
            same_types: Vec::new(),
            derives: Vec::new(),
            parents: None,
            terminator: None,
            verify: None,
            infer: None,
            compatible: None,
            no_function: false,
        };
        let mut have_traits = false;
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            if input.is_empty() {
                break;
            }
            let word: Ident = input.call(syn::ext::IdentExt::parse_any)?;
            match word.to_string().as_str() {
                "traits" => {
                    once(&word, have_traits)?;
                    have_traits = true;
                    args.add_traits(list(input)?);
                }
                "services" => {
                    once(&word, !args.services.is_empty())?;
                    args.services = list(input)?;
                }
                "assembly" => {
                    once(&word, args.assembly.is_some())?;
                    args.assembly = Some(value(input)?);
                }
                "same_types" => {
                    let group = idents(input)?;
                    if group.len() < 2 {
                        return Err(Error::new(
                            word.span(),
                            "`same_types` compares two or more operands and results",
                        ));
                    }
                    args.same_types.push(group);
                }
                "derive" => args.derives.push(derive(input)?),
                "parents" => {
                    once(&word, args.parents.is_some())?;
                    let names: Vec<LitStr> = list(input)?;
                    if names.is_empty() {
                        return Err(Error::new(word.span(), "`parents` names at least one operation"));
                    }
                    args.parents = Some(names);
                }
                "terminator" => {
                    once(&word, args.terminator.is_some())?;
                    args.terminator = Some(value(input)?);
                }
                "verify" => {
                    once(&word, args.verify.is_some())?;
                    args.verify = Some(value(input)?);
                }
                "infer" => {
                    once(&word, args.infer.is_some())?;
                    args.infer = Some(value(input)?);
                }
                "compatible" => {
                    once(&word, args.compatible.is_some())?;
                    args.compatible = Some(value(input)?);
                }
                "no_function" => {
                    once(&word, args.no_function)?;
                    args.no_function = true;
                }
                _ => {
                    let message = format!("unknown argument `{word}`; there are {ARGUMENTS}");
                    return Err(Error::new(word.span(), message));
                }
            }
        }
        Ok(args)
    }
}

impl Args {
    /// Adds traits; those of the IR crate are upper case.
    fn add_traits(&mut self, paths: Vec<Path>) {
        for path in paths {
            match path.get_ident() {
                Some(word) if !word.to_string().contains(char::is_lowercase) => {
                    self.traits.push(word.clone())
                }
                _ => self.op_traits.push(path),
            }
        }
    }
}

/// Parses a list in parentheses.
fn list<T: Parse>(input: ParseStream<'_>) -> Result<Vec<T>> {
    let content;
    parenthesized!(content in input);
    Ok(Punctuated::<T, Token![,]>::parse_terminated(&content)?.into_iter().collect())
}

impl Parse for Assembly {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if input.peek(LitStr) {
            return Ok(Assembly::Format(input.parse()?));
        }
        let expected = "an assembly is a format in quotes or `custom(parse_function, print_function)`";
        let word: Ident = input.parse().map_err(|error| Error::new(error.span(), expected))?;
        if word != "custom" {
            return Err(Error::new(word.span(), expected));
        }
        let content;
        parenthesized!(content in input);
        let parse = content.parse()?;
        content.parse::<Token![,]>().map_err(|error| Error::new(error.span(), expected))?;
        let print = content.parse()?;
        content.parse::<Option<Token![,]>>()?;
        if !content.is_empty() {
            return Err(content.error(expected));
        }
        Ok(Assembly::Custom { parse, print })
    }
}

fn once(word: &Ident, given: bool) -> Result<()> {
    if given { Err(Error::new(word.span(), format!("`{word}` is given twice"))) } else { Ok(()) }
}

pub fn value<T: Parse>(input: ParseStream<'_>) -> Result<T> {
    input.parse::<Token![=]>()?;
    input.parse()
}

pub fn idents(input: ParseStream<'_>) -> Result<Vec<Ident>> {
    let content;
    parenthesized!(content in input);
    let words = content
        .parse_terminated(|input: ParseStream<'_>| input.call(syn::ext::IdentExt::parse_any), Token![,])?;
    Ok(words.into_iter().collect())
}

fn derive(input: ParseStream<'_>) -> Result<Derive> {
    let content;
    parenthesized!(content in input);
    let target = content.call(syn::ext::IdentExt::parse_any)?;
    content.parse::<Token![=]>()?;
    let rule = content.parse()?;
    let argument;
    parenthesized!(argument in content);
    let source = argument.call(syn::ext::IdentExt::parse_any)?;
    content.parse::<Token![,]>()?;
    let message = content.parse()?;
    content.parse::<Option<Token![,]>>()?;
    if !content.is_empty() {
        return Err(content.error("a derived type is `derive(target = rule(source), \"message\")`"));
    }
    Ok(Derive { target, rule, source, message })
}

/// The complete declaration.
pub struct Declaration {
    pub args: Args,
    pub attrs: Vec<Attribute>,
    pub vis: Visibility,
    pub ident: Ident,
    pub summary: String,
    pub description: String,
    pub operands: Vec<ValueField>,
    pub results: Vec<ValueField>,
    pub attributes: Vec<AttrField>,
    pub regions: Vec<RegionField>,
    pub successors: Vec<SuccessorField>,
}

impl Declaration {
    pub fn new(args: Args, item: &ItemStruct) -> Result<Self> {
        let ItemStruct { attrs, vis, ident, generics, fields, .. } = item;
        if !generics.params.is_empty() {
            return Err(Error::new_spanned(generics, "an operation has no generic parameters"));
        }
        let lines = field::docs(attrs)?;
        let first = lines.iter().position(|line| !line.is_empty()).ok_or_else(|| {
            Error::new(ident.span(), "an operation needs documentation: its first line is the summary")
        })?;
        let summary = lines[first].clone();
        let description = lines[first + 1..].join("\n").trim().to_owned();
        let mut declaration = Declaration {
            args,
            attrs: attrs.clone(),
            vis: vis.clone(),
            ident: ident.clone(),
            summary,
            description,
            operands: Vec::new(),
            results: Vec::new(),
            attributes: Vec::new(),
            regions: Vec::new(),
            successors: Vec::new(),
        };
        match fields {
            Fields::Named(fields) => {
                let mut seen = Vec::new();
                let mut errors: Option<Error> = None;
                for field in &fields.named {
                    match Field::new(field) {
                        Ok(field) => {
                            declaration
                                .add(field, &mut seen)
                                .unwrap_or_else(|error| merge(&mut errors, error));
                        }
                        Err(error) => merge(&mut errors, error),
                    }
                }
                errors.map_or(Ok(()), Err)?;
            }
            Fields::Unit => {}
            Fields::Unnamed(fields) => {
                return Err(Error::new_spanned(fields, "the fields of an operation have names"));
            }
        }
        Ok(declaration)
    }

    fn add(&mut self, field: Field, seen: &mut Vec<String>) -> Result<()> {
        let common = field.common();
        if seen.contains(&common.name) {
            return Err(Error::new(common.ident.span(), format!("`{}` is declared twice", common.name)));
        }
        seen.push(common.name.clone());
        match field {
            Field::Operand(field) => self.operands.push(field),
            Field::Result(field) => self.results.push(field),
            Field::Attr(field) => self.attributes.push(*field),
            Field::Region(field) => self.regions.push(field),
            Field::Successor(field) => self.successors.push(field),
        }
        Ok(())
    }

    /// Whether a trait is declared.
    pub fn has(&self, name: &str) -> bool {
        self.args.traits.iter().any(|word| word == name)
    }

    /// The `derive` rule that determines the type of a result from that of a single operand.
    pub fn derived_from_operand(&self, result: &ValueField) -> Option<&Derive> {
        let is_operand = |source: &Ident| {
            self.operands.iter().any(|field| field.arity == Arity::One && field.common.ident == *source)
        };
        self.args
            .derives
            .iter()
            .find(|derive| derive.target == result.common.ident && is_operand(&derive.source))
            .filter(|_| result.arity == Arity::One)
    }

    /// The position of the field of an operand or result, among those of its kind.
    pub fn position(fields: &[ValueField], word: &Ident) -> Option<usize> {
        fields.iter().position(|field| field.common.ident == *word)
    }

    /// A single operand that `same_types` declares to have the type of a single result.
    pub fn same_as_operand(&self, result: &ValueField) -> Option<&Ident> {
        let groups = self.args.same_types.iter().filter(|group| group.contains(&result.common.ident));
        let single = |word: &&Ident| {
            Self::position(&self.operands, word).is_some_and(|at| self.operands[at].arity == Arity::One)
        };
        groups.flatten().find(single).filter(|_| result.arity == Arity::One)
    }

    /// Whether `build` infers the type of a result.
    pub fn infers(&self, result: &ValueField) -> bool {
        self.args.infer.is_some()
            || result.fixed
            || (self.has("SAME_OPERANDS_AND_RESULT") && result.arity == Arity::One)
            || self.derived_from_operand(result).is_some()
            || self.same_as_operand(result).is_some()
    }

    /// The attribute that holds segment sizes, if it is declared as a field.
    pub fn is_segments(&self, field: &AttrField) -> bool {
        (self.has("OPERAND_SEGMENTS") && field.ir_name == "operandSegmentSizes")
            || (self.has("RESULT_SEGMENTS") && field.ir_name == "resultSegmentSizes")
    }
}

/// Combines errors, so that all are reported.
pub fn merge(errors: &mut Option<Error>, error: Error) {
    match errors {
        Some(errors) => errors.combine(error),
        None => *errors = Some(error),
    }
}
