//! Rules 1 to 15: declarations.

use super::{Report, Violation, type_text, types};
use crate::{Arity, OpRef, OpSpec, Traits, Type, ValueSpec};
use minoan_diag::{Diagnostic, nearest};
use smallvec::SmallVec;
use std::ops::Range;

/// The index ranges of declared groups.
type Groups = SmallVec<[Range<usize>; 4]>;

/// Rules 2 to 15. Only the first type error is reported, as in MLIR, since it usually causes others.
pub(super) fn check(report: &mut Report, op: OpRef<'_>, spec: &OpSpec) {
    let before = report.diagnostics.error_count();
    regions_and_successors(report, op, spec);
    attributes(report, op, spec);
    let operands = groups(report, op, spec.operands, Side::Operands);
    let results = groups(report, op, spec.results, Side::Results);
    let operand_types: SmallVec<[Type; 4]> = op.operand_types().collect();
    let result_types: SmallVec<[Type; 4]> = op.result_types().collect();
    for (side, specs, groups, all) in [
        (Side::Operands, spec.operands, &operands, &operand_types),
        (Side::Results, spec.results, &results, &result_types),
    ] {
        for (value, group) in specs.iter().zip(groups.iter().flatten()) {
            constraint(report, op, side, value, group.clone(), all);
            if report.diagnostics.error_count() > before {
                return;
            }
        }
    }
    if let (Some(operands), Some(results)) = (operands, results) {
        let named =
            Named { spec, operands, results, operand_types: &operand_types, result_types: &result_types };
        named.check(report, op);
    }
    if report.diagnostics.error_count() > before {
        return;
    }
    types::check(report, op, &operand_types, &result_types);
}

/// Rule 1.
pub(super) fn check_undeclared(report: &mut Report, op: OpRef<'_>) {
    let name = op.name();
    let Some((dialect, _)) = name.split_once('.') else { return };
    if op.context().dialect(dialect).is_some() {
        let message = format!(
            "unregistered operation '{name}' found in dialect ('{dialect}') that does not allow unknown operations"
        );
        report.at(op, message);
    }
}

/// Rules 4 and 5.
fn regions_and_successors(report: &mut Report, op: OpRef<'_>, spec: &OpSpec) {
    let variadic = spec.regions.iter().any(|region| region.variadic);
    let (have, want) = (op.n_regions(), spec.regions.iter().filter(|region| !region.variadic).count());
    if if variadic { have < want } else { have != want } {
        report.op(
            op,
            match (variadic, want) {
                (true, _) => format!("expected {want} or more regions"),
                (false, 0) => "requires zero regions".to_owned(),
                (false, 1) => "requires one region".to_owned(),
                (false, _) => format!("expected {want} regions"),
            },
        );
    }
    let variadic = spec.successors.iter().any(|successor| successor.variadic);
    let (have, want) = (op.successors().len(), spec.successors.iter().filter(|one| !one.variadic).count());
    if if variadic { have < want } else { have != want } {
        report.op(
            op,
            match (variadic, want) {
                (true, _) => format!("requires at least {want} successors but found {have}"),
                (false, 1) => format!("requires 1 successor but found {have}"),
                (false, _) => format!("requires {want} successors but found {have}"),
            },
        );
    }
}

/// Rules 14 and 15.
fn attributes(report: &mut Report, op: OpRef<'_>, spec: &OpSpec) {
    let inherent = op.context().info(op.kind()).map_or(&[][..], |info| &info.inherent);
    for (attr, &name) in spec.attrs.iter().zip(inherent) {
        match op.attr(name) {
            Some(value) if !(attr.constraint.check)(op.context(), value) => {
                let (name, description) = (attr.name, attr.constraint.description);
                let message = format!("attribute '{name}' failed to satisfy constraint: {description}");
                report.op(op, Violation::from(message).about_attribute(name));
            }
            // Segment sizes have their own rule.
            None if !attr.optional && attr.default.is_none() && !attr.name.ends_with("SegmentSizes") => {
                let given = op.attrs().as_dictionary(op.context()).unwrap_or(&[]).iter();
                let near = nearest(attr.name, given.map(|(name, _)| name.as_str(op.context())));
                let message = format!("'{}' op requires attribute '{}'", op.name(), attr.name);
                let error = Diagnostic::error(message).at(op.loc().place(op.context()));
                report.error(
                    op,
                    match near {
                        Some(near) => error.help(format!("there is an attribute '{near}'")),
                        None => error,
                    },
                );
            }
            _ => {}
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Operands,
    Results,
}

impl Side {
    fn word(self) -> &'static str {
        if self == Side::Operands { "operand" } else { "result" }
    }

    /// A violation about the type of a value.
    fn violation(self, message: String, index: usize) -> Violation {
        match self {
            Side::Operands => Violation::from(message).about_operand(index),
            Side::Results => Violation::from(message).about_result(index),
        }
    }
}

/// Rules 2, 3 and 6: the ranges of the groups, if they can be determined.
fn groups(report: &mut Report, op: OpRef<'_>, specs: &[ValueSpec], side: Side) -> Option<Groups> {
    let total = if side == Side::Operands { op.n_operands() } else { op.n_results() };
    let one = |spec: &ValueSpec| spec.arity == Arity::One;
    let least = specs.iter().filter(|spec| one(spec)).count();
    let segments = if side == Side::Operands { Traits::OPERAND_SEGMENTS } else { Traits::RESULT_SEGMENTS };
    let sizes: SmallVec<[usize; 4]> = if op.has_trait(segments) {
        if total < least {
            report.op(op, count_message(side, least, total, false));
            return None;
        }
        segment_sizes(report, op, specs.len(), total, side)?
    } else {
        let exact = least == specs.len();
        if if exact { total != least } else { total < least } {
            report.op(op, count_message(side, least, total, exact));
            return None;
        }
        specs.iter().map(|spec| if one(spec) { 1 } else { total - least }).collect()
    };
    let mut start = 0;
    let mut fits = true;
    for (spec, &size) in specs.iter().zip(&sizes) {
        let allowed = match spec.arity {
            Arity::One if size != 1 => Some("1"),
            Arity::Optional if size > 1 => Some("0 or 1"),
            _ => None,
        };
        if let Some(allowed) = allowed {
            let word = side.word();
            report.op(
                op,
                format!("{word} group starting at #{start} requires {allowed} element, but found {size}"),
            );
            fits = false;
        }
        start += size;
    }
    let mut end = 0;
    let ranges = sizes.into_iter().map(|size| {
        end += size;
        end - size..end
    });
    fits.then(|| ranges.collect())
}

fn count_message(side: Side, least: usize, total: usize, exact: bool) -> String {
    match (side, exact, least) {
        (Side::Operands, true, 0) => "requires zero operands".to_owned(),
        (Side::Operands, true, 1) => "requires a single operand".to_owned(),
        (Side::Operands, true, _) => format!("expected {least} operands, but found {total}"),
        (Side::Operands, false, _) => format!("expected {least} or more operands, but found {total}"),
        (Side::Results, true, 0) => "requires zero results".to_owned(),
        (Side::Results, true, 1) => "requires one result".to_owned(),
        (Side::Results, true, _) => format!("expected {least} results"),
        (Side::Results, false, _) => format!("expected {least} or more results"),
    }
}

/// Rule 6.
fn segment_sizes(
    report: &mut Report,
    op: OpRef<'_>,
    groups: usize,
    total: usize,
    side: Side,
) -> Option<SmallVec<[usize; 4]>> {
    let ctx = op.context();
    let names = ctx.names();
    let name = if side == Side::Operands { names.operand_segments } else { names.result_segments };
    let sizes = op.attr(name).and_then(|attr| attr.as_dense_i32(ctx));
    let (name, word) = (name.as_str(ctx), side.word());
    let Some(sizes) = sizes else {
        report.op(op, format!("requires dense i32 array attribute '{name}'"));
        return None;
    };
    if sizes.iter().any(|&size| size < 0) {
        report.op(op, format!("'{name}' attribute cannot have negative elements"));
        return None;
    }
    let sum: i64 = sizes.iter().map(|&size| i64::from(size)).sum();
    if sum != total as i64 {
        let message = format!(
            "{word} count ({total}) does not match with the total size ({sum}) specified in attribute '{name}'"
        );
        report.op(op, message);
    } else if sizes.len() != groups {
        let found = sizes.len();
        let message = format!(
            "'{name}' attribute for specifying {word} segments must have {groups} elements, but got {found}"
        );
        report.op(op, message);
    } else {
        return Some(sizes.into_iter().map(|size| size as usize).collect());
    }
    None
}

/// Rule 7.
fn constraint(
    report: &mut Report,
    op: OpRef<'_>,
    side: Side,
    spec: &ValueSpec,
    group: Range<usize>,
    types: &[Type],
) {
    let ctx = op.context();
    for index in group {
        if !spec.constraint.holds(ctx, types[index]) {
            let variadic = if spec.arity == Arity::Variadic { "variadic of " } else { "" };
            let (word, want, found) = (side.word(), spec.constraint, type_text(ctx, types[index]));
            let message = format!("{word} #{index} must be {variadic}{want}, but got '{found}'");
            return report.op(op, side.violation(message, index));
        }
    }
}

/// The types of operands and results, by name.
struct Named<'a> {
    spec: &'a OpSpec,
    operands: Groups,
    results: Groups,
    operand_types: &'a [Type],
    result_types: &'a [Type],
}

impl Named<'_> {
    /// The values with a name, and their types.
    fn values(&self, name: &str) -> impl Iterator<Item = (Side, usize, Type)> {
        let find = |specs: &[ValueSpec]| specs.iter().position(|spec| spec.name == name);
        let (side, range, types) = if let Some(at) = find(self.spec.operands) {
            (Side::Operands, self.operands[at].clone(), self.operand_types)
        } else if let Some(at) = find(self.spec.results) {
            (Side::Results, self.results[at].clone(), self.result_types)
        } else {
            (Side::Operands, 0..0, self.operand_types)
        };
        range.map(move |index| (side, index, types[index]))
    }

    /// Rules 8 and 9.
    fn check(&self, report: &mut Report, op: OpRef<'_>) {
        for group in self.spec.same_types {
            let mut values = group.iter().flat_map(|name| self.values(name));
            let first = values.next().map(|(.., ty)| ty);
            if let Some((side, index, _)) = values.find(|&(.., ty)| Some(ty) != first) {
                let names = group.join(", ");
                let message = format!("failed to verify that all of {{{names}}} have same type");
                report.op(op, side.violation(message, index));
            }
        }
        for derived in self.spec.derived {
            let Some((.., source)) = self.values(derived.source).next() else { continue };
            let want = (derived.rule)(op.context(), source);
            if let Some((side, index, _)) = self.values(derived.target).find(|&(.., ty)| want != Some(ty)) {
                report.op(op, side.violation(format!("failed to verify that {}", derived.message), index));
            }
        }
    }
}
