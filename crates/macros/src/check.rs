//! Checks the consistency of a declaration.

use crate::declaration::{Declaration, merge};
use crate::field::{Arity, ValueField};
use syn::{Error, Ident, Result};

/// Method names of every handle.
const RESERVED: [&str; 8] = ["op", "loc", "build", "builder", "cast", "from_op_unchecked", "inside", "self"];

/// Reports all inconsistencies.
pub fn check(declaration: &Declaration) -> Result<()> {
    let mut errors = None;
    let mut report = |error| merge(&mut errors, error);
    check_names(declaration, &mut report);
    check_groups(declaration, &mut report);
    check_traits(declaration, &mut report);
    check_arguments(declaration, &mut report);
    check_types(declaration, &mut report);
    errors.map_or(Ok(()), Err)
}

/// Checks the names of the operation and its fields.
fn check_names(declaration: &Declaration, report: &mut impl FnMut(Error)) {
    let text = declaration.args.name.value();
    let well_formed =
        text.split_once('.').is_some_and(|(dialect, name)| !dialect.is_empty() && !name.is_empty());
    if !well_formed {
        report(Error::new(declaration.args.name.span(), "an operation's full name is `dialect.name`"));
    }

    let commons = (declaration.operands.iter().chain(&declaration.results).map(|field| &field.common))
        .chain(declaration.attributes.iter().map(|field| &field.common))
        .chain(declaration.regions.iter().map(|field| &field.common))
        .chain(declaration.successors.iter().map(|field| &field.common));
    for common in commons {
        if RESERVED.contains(&common.name.as_str()) {
            let message =
                format!("`{}` is a method of every operation; give the field another name", common.name);
            report(Error::new(common.ident.span(), message));
        }
    }
}

/// Checks that the sizes of variadic fields are known.
fn check_groups(declaration: &Declaration, report: &mut impl FnMut(Error)) {
    groups(
        &declaration.operands,
        declaration.has("OPERAND_SEGMENTS"),
        "operands",
        "OPERAND_SEGMENTS",
        report,
    );
    groups(&declaration.results, declaration.has("RESULT_SEGMENTS"), "results", "RESULT_SEGMENTS", report);

    let variadic = "only the last one may be variadic";
    for field in declaration.regions.iter().rev().skip(1).filter(|field| field.variadic) {
        report(Error::new(field.common.ty_span, format!("of the regions, {variadic}")));
    }
    for field in declaration.successors.iter().rev().skip(1).filter(|field| field.variadic) {
        report(Error::new(field.common.ty_span, format!("of the successors, {variadic}")));
    }
    let variadic_region = declaration.regions.iter().find(|field| field.variadic);
    if let (true, Some(field)) = (declaration.has("ISOLATED"), variadic_region) {
        let message = "an ISOLATED operation has a fixed number of regions";
        report(Error::new(field.common.ty_span, message));
    }
}

/// Checks the traits, and what they require.
fn check_traits(declaration: &Declaration, report: &mut impl FnMut(Error)) {
    let args = &declaration.args;
    for (index, word) in args.traits.iter().enumerate() {
        if args.traits[..index].contains(word) {
            report(Error::new(word.span(), format!("trait `{word}` is given twice")));
        }
    }
    let same = args.traits.iter().find(|word| *word == "SAME_OPERANDS_AND_RESULT");
    if let (Some(word), true) = (same, declaration.operands.is_empty() || declaration.results.is_empty()) {
        report(Error::new(word.span(), "SAME_OPERANDS_AND_RESULT needs an operand and a result"));
    }
    let constant = args.traits.iter().find(|word| *word == "CONSTANT_LIKE");
    if let (Some(word), false) =
        (constant, declaration.attributes.iter().any(|field| field.ir_name == "value"))
    {
        report(Error::new(
            word.span(),
            "CONSTANT_LIKE needs the attribute `value`, which holds the constant",
        ));
    }
    let segments = args.traits.iter().find(|word| *word == "RESULT_SEGMENTS");
    if let (Some(word), Some(_)) = (segments, &args.infer) {
        let message = "types that are inferred do not say how many results each group has: RESULT_SEGMENTS needs types that are written";
        report(Error::new(word.span(), message));
    }
}

/// Checks the arguments that require regions, results or inference.
fn check_arguments(declaration: &Declaration, report: &mut impl FnMut(Error)) {
    let args = &declaration.args;
    if let (Some(terminator), true) = (&args.terminator, declaration.regions.is_empty()) {
        report(Error::new(terminator.span(), "an operation without regions has no implicit terminator"));
    }
    if let (Some(infer), true) = (&args.infer, declaration.results.is_empty()) {
        report(Error::new_spanned(infer, "an operation without results has no types to infer"));
    }
    if let (Some(compatible), None, false) =
        (&args.compatible, &args.infer, declaration.has("SAME_OPERANDS_AND_RESULT"))
    {
        report(Error::new_spanned(compatible, "`compatible` needs result types that are inferred"));
    }
}

/// Checks the fields that relations of types refer to.
fn check_types(declaration: &Declaration, report: &mut impl FnMut(Error)) {
    let args = &declaration.args;
    for word in args.same_types.iter().flatten() {
        value(declaration, word).unwrap_or_else(&mut *report);
    }
    for word in declaration.regions.iter().flat_map(|region| region.args.iter().flatten()) {
        if Declaration::position(&declaration.operands, word).is_none() {
            let message =
                format!("`{word}` is not an operand, whose type an argument of the region could have");
            report(Error::new(word.span(), message));
        }
    }
    for word in declaration.regions.iter().flat_map(|region| region.yields.iter().flatten()) {
        if Declaration::position(&declaration.results, word).is_none() {
            let message = format!("`{word}` is not a result, whose type the region could yield");
            report(Error::new(word.span(), message));
        }
    }
    for derive in &args.derives {
        value(declaration, &derive.target).unwrap_or_else(&mut *report);
        value(declaration, &derive.source).unwrap_or_else(&mut *report);
        if derive.target == derive.source {
            report(Error::new(derive.source.span(), "a type cannot follow from itself"));
        }
    }
}

/// Two groups of unknown size require segment sizes.
fn groups(fields: &[ValueField], segments: bool, what: &str, name: &str, report: &mut impl FnMut(Error)) {
    if segments {
        return;
    }
    for field in fields.iter().filter(|field| field.arity != Arity::One).skip(1) {
        let message = format!("two optional or variadic {what} need the trait `{name}`");
        report(Error::new(field.common.ty_span, message));
    }
}

fn value(declaration: &Declaration, word: &Ident) -> Result<()> {
    let text = word.to_string();
    let text = text.strip_prefix("r#").unwrap_or(&text);
    let names: Vec<&str> = declaration
        .operands
        .iter()
        .chain(&declaration.results)
        .map(|field| field.common.name.as_str())
        .collect();
    if names.contains(&text) {
        return Ok(());
    }
    let known = if names.is_empty() {
        "it has none".to_owned()
    } else {
        format!("there are `{}`", names.join("`, `"))
    };
    Err(Error::new(word.span(), format!("`{word}` is not an operand or result of this operation; {known}")))
}
