//! Rules 16 to 27 and 36: the structure of operations, blocks and regions.

use super::{Report, around, bare, has_foreign_trait, may_terminate};
use crate::text::{Shown, print_type};
use crate::{Block, BlockRef, Body, Op, OpRef, OpSpec, Region, Traits, Type};
use rustc_hash::FxHashMap;

/// Rules 16 to 21, which apply to every operation.
pub(super) fn check(report: &mut Report, op: OpRef<'_>, owner: Option<OpRef<'_>>) {
    let ends = op.has_trait(Traits::TERMINATOR);
    if (ends || op.n_successors() > 0) && op.next().is_some() && op.block().is_some() {
        // A wrong parent is reported instead.
        if ends && !is_misplaced(op, owner) {
            report.op(op, "must be the last operation in the parent block");
        }
        if op.n_successors() > 0 {
            report.at(op, "operation with block successors must terminate its parent block");
        }
    }
    if op.n_successors() > 0 {
        let region = op.block().and_then(|block| op.body().block(block).region());
        let foreign =
            |block: Block| !op.body().contains_block(block) || op.body().block(block).region() != region;
        if op.successors().any(foreign) {
            report.at(op, "reference to block defined in another region");
        }
    }
}

/// Checks rules 16 and 21 for the blocks of an operation, and collects the violations of rule 17.
pub(super) fn check_blocks(report: &mut Report, op: OpRef<'_>) {
    if op.n_regions() == 0 {
        return;
    }
    let (body, regions) = op.inside();
    for region in regions {
        blocks(report, op, body, region);
    }
}

/// Reports violations of rule 17: blocks of a body that end with these operations.
pub(super) fn unterminated(report: &mut Report, body: &Body, lasts: &[Op]) {
    if lasts.is_empty() {
        return;
    }
    let mut lasts = lasts.to_vec();
    if lasts.len() > 1 {
        sort_by_end(body, &mut lasts);
    }
    let mut printer = Shown::new(body);
    for last in lasts {
        let text = printer.op(last);
        // Upstream prints the operation with its regions, on lines of their own.
        let line_end = if text.contains('\n') { "\n" } else { "" };
        report.op(body.op(last), bare(format!("block with no terminator, has {line_end}{text}")));
    }
}

/// Sorts operations by where they end in the text: those inside an operation precede it.
fn sort_by_end(body: &Body, ops: &mut [Op]) {
    let all = body.walk();
    let starts: FxHashMap<Op, usize> = all.iter().enumerate().map(|(at, &op)| (op, at)).collect();
    let mut ends: Vec<usize> = (0..all.len()).collect();
    for (at, &op) in all.iter().enumerate().rev() {
        if let Some(around) = body.op(op).parent().and_then(|around| starts.get(&around)) {
            ends[*around] = ends[*around].max(ends[at]);
        }
    }
    // Operations that end together contain one another: the inner one starts later.
    ops.sort_by_key(|op| starts.get(op).map(|&start| (ends[start], std::cmp::Reverse(start))));
}

/// Rules 16, 17 and 21.
fn blocks(report: &mut Report, op: OpRef<'_>, body: &Body, region: Region) {
    let view = body.region(region);
    let single = view.blocks().len() == 1;
    let needs_terminator = !(single && (op.spec().is_none() || op.has_trait(Traits::NO_TERMINATOR)));
    let mut entered = false;
    for block in view.blocks() {
        let block = body.block(block);
        match block.last() {
            None if needs_terminator && !op.has_trait(Traits::SINGLE_BLOCK) => {
                report.at(op, "empty block: expect at least a terminator");
            }
            Some(last) if needs_terminator && !may_terminate(body.op(last)) => report.unterminated.push(last),
            _ => {}
        }
        entered |= view.entry().is_some_and(|entry| block.names(entry));
    }
    if entered {
        report.at(op, "entry block of region may not have predecessors");
    }
}

/// Rules 22 to 27.
pub(super) fn check_declared(report: &mut Report, op: OpRef<'_>, spec: &OpSpec, owner: Option<OpRef<'_>>) {
    if op.n_regions() > 0 {
        check_regions(report, op, spec);
    }
    if is_misplaced(op, owner) {
        let names = spec.parents.join(", ");
        let several = if spec.parents.len() > 1 { "to be one of " } else { "" };
        report.op(op, format!("expects parent op {several}'{names}'"));
    }
    if op.has_trait(Traits::ALLOCATES_ON_STACK) && !is_in_scope(op, owner) {
        report.op(op, "requires an ancestor op with AutomaticAllocationScope trait");
    }
}

/// Whether the parent is not one of the declared ones.
fn is_misplaced(op: OpRef<'_>, owner: Option<OpRef<'_>>) -> bool {
    let parents = op.spec().map_or(&[][..], |spec| spec.parents);
    !parents.is_empty() && around(op, owner).is_some_and(|around| !parents.contains(&around.name()))
}

/// Whether an ancestor frees stack allocations. If the owner of the body is unknown, it might.
fn is_in_scope(op: OpRef<'_>, owner: Option<OpRef<'_>>) -> bool {
    fn is_scope(op: OpRef<'_>) -> bool {
        op.has_trait(Traits::ALLOCATION_SCOPE)
            || op.has_trait(Traits::FUNCTION_LIKE)
            || has_foreign_trait(op, Traits::ALLOCATION_SCOPE)
    }
    fn outside<'a>(op: &OpRef<'a>) -> Option<OpRef<'a>> {
        op.parent().map(|parent| op.body().op(parent))
    }
    let Some(owner) = owner else { return true };
    let mut inside = std::iter::successors(outside(&op), outside);
    inside.any(is_scope) || std::iter::successors(Some(owner), outside).any(is_scope)
}

/// Checks rules 22 to 26 and 36; of a region the first violation is reported.
fn check_regions(report: &mut Report, op: OpRef<'_>, spec: &OpSpec) {
    let (body, regions) = op.inside();
    for (index, &region) in regions.iter().enumerate() {
        let before = report.diagnostics.error_count();
        let view = body.region(region);
        let declared = spec.regions.get(index).or_else(|| spec.regions.last().filter(|last| last.variadic));
        if let (Some(declared), true) = (declared.filter(|declared| declared.non_empty), view.is_empty()) {
            let count = if op.has_trait(Traits::SINGLE_BLOCK) { "1 blocks" } else { "at least 1 blocks" };
            let name = declared.name;
            report.op(
                op,
                format!("region #{index} ('{name}') failed to verify constraint: region with {count}"),
            );
        }
        let several = view.blocks().len() > 1;
        if several && op.has_trait(Traits::SINGLE_BLOCK) {
            report.op(op, format!("expects region #{index} to have 0 or 1 blocks"));
        } else if several && op.has_trait(Traits::GRAPH_REGION) {
            report.op(op, format!("expects graph region #{index} to have 0 or 1 blocks"));
        }
        if report.diagnostics.error_count() > before {
            continue;
        }
        let Some(entry) = view.entry().map(|entry| body.block(entry)) else { continue };
        if op.has_trait(Traits::SINGLE_BLOCK) && entry.is_empty() && !op.has_trait(Traits::NO_TERMINATOR) {
            report.op(op, "expects a non-empty block");
        }
        if op.has_trait(Traits::NO_REGION_ARGS) && entry.n_args() > 0 {
            let which = if op.n_regions() > 1 { format!(" #{index}") } else { String::new() };
            report.op(op, format!("region{which} should have no arguments"));
        }
        if let Some(operands) = declared.and_then(|declared| declared.args) {
            arguments(report, op, operands, index, (body, entry));
        }
        if let Some(results) = declared.and_then(|declared| declared.yields) {
            yielded(report, op, results, index, (body, region));
        }
        if op.has_trait(Traits::IMPLICIT_TERMINATOR) {
            terminators(report, op, spec, body, region);
        }
    }
}

/// Rule 36, for arguments.
fn arguments(
    report: &mut Report,
    op: OpRef<'_>,
    operands: &[usize],
    index: usize,
    (body, entry): (&Body, BlockRef<'_>),
) {
    let want =
        operands.iter().flat_map(|&group| op.operand_group(group)).map(|operand| op.body().ty(operand));
    let (want, found): (Vec<Type>, Vec<Type>) =
        (want.collect(), entry.args().map(|arg| body.ty(arg)).collect());
    if found != want {
        let (want, found) = (list(op, &want), list(op, &found));
        report.op(op, format!("expects arguments of region #{index} to be of types {want}, found {found}"));
    }
}

/// Rule 36, for terminators.
fn yielded(
    report: &mut Report,
    op: OpRef<'_>,
    results: &[usize],
    index: usize,
    (body, region): (&Body, Region),
) {
    let want = results.iter().flat_map(|&group| op.result_group(group)).map(|result| op.body().ty(result));
    let want: Vec<Type> = want.collect();
    let lasts = body.region(region).blocks().filter_map(|block| body.block(block).last());
    for last in lasts.map(|last| body.op(last)).filter(|last| last.has_trait(Traits::RETURN_LIKE)) {
        let found: Vec<Type> = last.operand_types().collect();
        if found != want {
            let (want, found) = (list(op, &want), list(op, &found));
            let name = last.name();
            report
                .op(op, format!("expects '{name}' in region #{index} to yield types {want}, found {found}"));
        }
    }
}

/// Types in a message.
fn list(op: OpRef<'_>, types: &[Type]) -> String {
    let types: Vec<String> = types.iter().map(|&ty| print_type(op.context(), ty)).collect();
    if types.is_empty() { "none".to_owned() } else { format!("'{}'", types.join("', '")) }
}

/// Rule 26.
fn terminators(report: &mut Report, op: OpRef<'_>, spec: &OpSpec, body: &Body, region: Region) {
    let Some(want) = spec.terminator else { return };
    for block in body.region(region).blocks() {
        let Some(last) = body.block(block).last().map(|last| body.op(last)) else { continue };
        if last.name() != want {
            let message =
                format!("'{}' op expects regions to end with '{want}', found '{}'", op.name(), last.name());
            let note = format!("in custom textual format, the absence of terminator implies '{want}'");
            let error = minoan_diag::Diagnostic::error(message).at(op.loc().place(op.context()));
            report.error(op, error.note(note));
        }
    }
}
