//! Checks that an assembly format determines everything that the parser needs.

use crate::declaration::{Assembly, Declaration};
use crate::field::{Arity, ValueField, type_constraint};
use minoan_format::{Element, Names, Types, flat, parse};
use proc_macro2::TokenStream;
use quote::quote_spanned;
use syn::{Error, Ident, LitStr, Result};

/// The types of operands and results, indexed by operand, followed by results.
struct Flow<'d> {
    values: Vec<&'d ValueField>,
    written: Vec<bool>,
    /// Edges from a value to those whose types are inferred from it.
    edges: Vec<(usize, usize)>,
}

/// Checks the format. An omitted type must be inferred from one that its constraint fixes: the returned code checks
/// that when constraints are known.
pub fn check(declaration: &Declaration) -> Result<TokenStream> {
    let Some(Assembly::Format(text)) = &declaration.args.assembly else { return Ok(TokenStream::new()) };
    let value = text.value();
    let names = Names {
        operands: declaration.operands.iter().map(|field| &*field.common.name).collect(),
        attrs: declaration.attributes.iter().map(|field| &*field.ir_name).collect(),
        results: declaration.results.iter().map(|field| &*field.common.name).collect(),
        regions: declaration.regions.iter().map(|field| &*field.common.name).collect(),
        successors: declaration.successors.iter().map(|field| &*field.common.name).collect(),
    };
    let elements = parse(&value, &names)
        .map_err(|error| Error::new(text.span(), format!("in the assembly format: {error}")))?;
    types(declaration, text, &flat(&elements))
}

fn types(declaration: &Declaration, text: &LitStr, elements: &[&Element<'_>]) -> Result<TokenStream> {
    let n_operands = declaration.operands.len();
    let flow = Flow::of(declaration, elements);
    let mut asserts = TokenStream::new();
    let operands_are_known = elements.contains(&&Element::Operands);
    let results_are_known = declaration.args.infer.is_some() || declaration.has("CONSTANT_LIKE");
    for (at, field) in flow.values.iter().enumerate() {
        let known = if at < n_operands { operands_are_known } else { results_are_known };
        if known || flow.written[at] {
            continue;
        }
        let what = if at < n_operands { "operand" } else { "result" };
        let name = &field.common.name;
        let message = format!(
            "the assembly format does not determine the type of {what} `{name}`: add `type(${name})`, or a constraint that admits a single type"
        );
        let sources = flow.sources(at);
        if at >= n_operands && field.arity != Arity::One {
            return Err(Error::new(text.span(), message));
        }
        if sources.iter().any(|&source| flow.written[source]) {
            continue;
        }
        let only = sources.iter().map(|&source| type_constraint(&flow.values[source].constraint));
        asserts.extend(quote_spanned! {text.span()=>
            const _: () = ::core::assert!(false #(|| #only.has_only_type())*, #message);
        });
    }
    Ok(asserts)
}

impl<'d> Flow<'d> {
    fn of(declaration: &'d Declaration, elements: &[&Element<'_>]) -> Self {
        let n_operands = declaration.operands.len();
        let values: Vec<&ValueField> = declaration.operands.iter().chain(&declaration.results).collect();
        let mut flow = Self { written: vec![false; values.len()], edges: Vec::new(), values };
        for element in elements {
            match **element {
                Element::Type(types) => flow.write(types, n_operands),
                Element::FunctionalType(inputs, results) => {
                    flow.write(inputs, n_operands);
                    flow.write(results, n_operands);
                }
                _ => {}
            }
        }
        let all: Vec<usize> = (0..flow.values.len()).collect();
        if declaration.has("SAME_OPERANDS_AND_RESULT") {
            flow.same(&all);
        } else if declaration.has("SAME_OPERANDS") {
            flow.same(&all[..n_operands]);
        }
        for group in &declaration.args.same_types {
            let group: Vec<usize> = group.iter().filter_map(|word| flow.number(word)).collect();
            flow.same(&group);
        }
        for derive in &declaration.args.derives {
            if let (Some(source), Some(target)) = (flow.number(&derive.source), flow.number(&derive.target)) {
                flow.edges.push((source, target));
            }
        }
        flow
    }

    fn write(&mut self, types: Types, n_operands: usize) {
        match types {
            Types::Operand(at) => self.written[at] = true,
            Types::Result(at) => self.written[n_operands + at] = true,
            Types::Operands => self.written[..n_operands].fill(true),
            Types::Results => self.written[n_operands..].fill(true),
        }
    }

    fn same(&mut self, group: &[usize]) {
        for pair in group.windows(2) {
            self.edges.extend([(pair[0], pair[1]), (pair[1], pair[0])]);
        }
    }

    fn number(&self, word: &Ident) -> Option<usize> {
        let text = word.to_string();
        let text = text.strip_prefix("r#").unwrap_or(&text);
        self.values.iter().position(|field| field.common.name == text)
    }

    /// A value, and the values from which its type is inferred.
    fn sources(&self, of: usize) -> Vec<usize> {
        let mut sources = vec![of];
        let mut next = 0;
        while let Some(&target) = sources.get(next) {
            for &(from, to) in &self.edges {
                if to == target && !sources.contains(&from) {
                    sources.push(from);
                }
            }
            next += 1;
        }
        sources
    }
}
