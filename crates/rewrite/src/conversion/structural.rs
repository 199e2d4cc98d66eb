//! Structural type conversion: operations of any dialect that forward values of any type.
//!
//! | pattern | service | converts |
//! |---|---|---|
//! | `convert-branch` | `Branches` | the operands forwarded to successors |
//! | `convert-call` | `Calls` | the arguments and the results of a call, and a callee that is an operand |
//! | `convert-elements` | `ElementAgnostic` | element types |
//! | `convert-function-constant` | | the type of a constant that refers to a function |
//! | `convert-regions` | `RegionFlow` | the operands forwarded to regions, block arguments and results |
//! | `convert-select` | `SelectLike` | both alternatives: one selection for each converted value |
//! | `convert-terminator` | `RegionFlow` of the parent | the operands forwarded to regions and results |
//!
//! The type of a callee or of a function constant is converted by the rule for function types,
//! [`TypeConverter::convert_signatures`]. A pattern does not apply if it would change the type of an operand that the operation
//! uses itself, such as a condition.

use super::patterns::OnTypes;
use super::target::value_types;
use super::{TypeConversion, TypeConverter, Values};
use crate::{NoMatch, PatternSet, Root};
use minoan_ir::text::print_type;
use minoan_ir::{Arity, Body, Context, Op, OpKind, OpRef, OpState, Region, Traits, Type, Value};
use minoan_services::{
    Branches, Calls, ElementAgnostic, RegionFlow, RegionSuccessor, RegionSuccessors, RegionTarget, SelectLike,
};
use std::ops::Range;
use std::sync::Arc;

impl PatternSet {
    /// Adds the patterns `convert-branch`, `convert-call`, `convert-elements`, `convert-function-constant`, `convert-regions`,
    /// `convert-select` and `convert-terminator`, which convert the types of values that operations only forward.
    pub fn add_structural(&mut self, types: &Arc<TypeConverter>) -> &mut Self {
        self.structural("convert-branch", Root::Kinds(has::<dyn Branches>), types, branch)
            .structural("convert-call", Root::Kinds(has::<dyn Calls>), types, call)
            .structural("convert-elements", Root::Kinds(has::<dyn ElementAgnostic>), types, elements)
            .structural(
                "convert-function-constant",
                Root::Trait(Traits::CONSTANT_LIKE),
                types,
                function_constant,
            )
            .structural("convert-regions", Root::Kinds(has::<dyn RegionFlow>), types, regions)
            .structural("convert-select", Root::Kinds(has::<dyn SelectLike>), types, select)
            .structural("convert-terminator", Root::Trait(Traits::TERMINATOR), types, terminator)
    }

    fn structural(
        &mut self,
        name: &'static str,
        root: Root,
        types: &Arc<TypeConverter>,
        rewrite: fn(Op, &mut TypeConversion<'_, '_, '_>) -> Result<(), NoMatch>,
    ) -> &mut Self {
        let rewrite = move |op: Op, see: &mut TypeConversion<'_, '_, '_>| {
            if value_types(see.rewriter.op(op)).all(|ty| see.is_legal(ty)) {
                return Err(NoMatch::because("the types of its values are legal"));
            }
            rewrite(op, see)
        };
        self.add(OnTypes { name: name.into(), root, types: Arc::clone(types), rewrite })
    }
}

fn has<S: minoan_ir::ServiceKind + ?Sized>(ctx: &Context, kind: OpKind) -> bool {
    ctx.service::<S>(kind).is_some()
}

fn branch(op: Op, see: &mut TypeConversion<'_, '_, '_>) -> Result<(), NoMatch> {
    let view = see.rewriter.op(op);
    let service = service::<dyn Branches>(view)?;
    let all = service.all_forwarded_operands(view).into_iter();
    let ranges: Vec<Range<usize>> = all.map(|forwarded| forwarded.operands).collect();
    let mut passed = vec![false; view.n_operands()];
    ranges.iter().for_each(|range| passed[range.clone()].fill(true));
    check_forwarded(see, op, |operand| passed[operand])?;
    let operands = see.operands(op)?;
    let ctx = see.rewriter.context().clone();
    see.rewriter.modify(op, |body, op| {
        let Some(service) = ctx.service::<dyn Branches>(body.op(op).kind()) else { return };
        let operands: Vec<Vec<Value>> = ranges.into_iter().map(|range| operands[range].concat()).collect();
        service.set_all_forwarded_operands(body, op, &operands);
    });
    Ok(())
}

fn call(op: Op, see: &mut TypeConversion<'_, '_, '_>) -> Result<(), NoMatch> {
    let view = see.rewriter.op(op);
    let service = service::<dyn Calls>(view)?;
    let (args, ctx, body) = (service.args(view), view.context(), view.body());
    // The type of an operand that is the callee is converted with those of the arguments.
    let is_callee = |operand| body.ty(view.operand(operand)).as_function(ctx).is_some();
    let is_indirect = (0..view.n_operands()).any(|operand| !args.contains(&operand) && is_callee(operand));
    if service.callee(view).is_none() && !is_indirect {
        return Err(NoMatch::because("the callee is unknown"));
    }
    check_forwarded(see, op, |operand| args.contains(&operand) || is_callee(operand))?;
    recreate(op, see)
}

/// Replaces element types. Each type must convert to one type with the same extents, and an element type always to the same one.
fn elements(op: Op, see: &mut TypeConversion<'_, '_, '_>) -> Result<(), NoMatch> {
    let view = see.rewriter.op(op);
    let ctx = view.context().clone();
    let regions: Vec<Region> = view.own_regions().collect();
    let mut types: Vec<Type> = value_types(view).collect();
    types.sort_unstable();
    types.dedup();
    let mut replaced: Vec<(Type, Type)> = Vec::new();
    for ty in types {
        let converted = see.convert_types(&[ty])?;
        let [to] = converted[..] else {
            let message =
                format!("a value of type '{}' becomes {} values", print_type(&ctx, ty), converted.len());
            return Err(NoMatch::because(message));
        };
        let pair = (ty.element_or_self(&ctx), to.element_or_self(&ctx));
        let conflicts = |&(from, to): &(Type, Type)| from == pair.0 && to != pair.1;
        let is_same = ty == pair.0 || ty.with_element(&ctx, pair.1) == Some(to);
        if !is_same || replaced.iter().any(conflicts) {
            let message =
                format!("the conversion of type '{}' is not one of its elements alone", print_type(&ctx, ty));
            return Err(NoMatch::because(message));
        }
        replaced.push(pair);
    }
    check_results(see, op)?;
    for region in regions {
        see.convert_region(region)?;
    }
    recreate(op, see)
}

/// Converts the result of a constant whose value is a symbol, with the type of the function that the symbol refers to.
fn function_constant(op: Op, see: &mut TypeConversion<'_, '_, '_>) -> Result<(), NoMatch> {
    let view = see.rewriter.op(op);
    let ctx = view.context();
    let is_symbol = view.attr(ctx.names().value).is_some_and(|value| value.as_flat_symbol(ctx).is_some());
    let is_function = view.result_types().all(|ty| ty.as_function(ctx).is_some());
    if !is_symbol || !is_function {
        return Err(NoMatch::because("the constant does not refer to a function"));
    }
    recreate(op, see)
}

fn regions(op: Op, see: &mut TypeConversion<'_, '_, '_>) -> Result<(), NoMatch> {
    let view = see.rewriter.op(op);
    let service = service::<dyn RegionFlow>(view)?;
    let entries = service.entry_successors(view, &vec![None; view.n_operands()]);
    let own: Vec<Region> = view.own_regions().collect();
    let exits = own.iter().enumerate().flat_map(|(at, &region)| exits(service, view, at, region));
    let all: Vec<RegionSuccessor> = entries.iter().cloned().chain(exits).collect();
    check_forwarded(see, op, |operand| entries.iter().any(|entry| entry.operands.contains(&operand)))?;
    let is_input = |target, input| all.iter().any(|to| to.target == target && to.operand(input).is_some());
    for (at, ty) in view.result_types().enumerate() {
        if !see.is_legal(ty) && !is_input(RegionTarget::Parent, at) {
            return Err(NoMatch::because(format!("the operation produces its result #{at} itself")));
        }
    }
    let body = view.body();
    for (number, &region) in own.iter().enumerate() {
        let Some(entry) = body.region(region).entry() else { continue };
        for (at, arg) in body.block(entry).args().enumerate() {
            if !see.is_legal(body.ty(arg)) && !is_input(RegionTarget::Region(number), at) {
                let message = format!("the operation produces argument #{at} of region #{number} itself");
                return Err(NoMatch::because(message));
            }
        }
    }
    for &region in &own {
        see.check_region(region)?;
    }
    check_results(see, op)?;
    for region in own {
        see.convert_region(region)?;
    }
    recreate(op, see)
}

/// The transfers of control from the terminators of a region.
fn exits(
    service: &dyn RegionFlow,
    op: OpRef<'_>,
    number: usize,
    region: Region,
) -> impl Iterator<Item = RegionSuccessor> {
    let body = op.body();
    let ends = body.region(region).blocks().filter_map(|block| body.block(block).last());
    ends.flat_map(move |end| forwarding(service, op, number, body.op(end)))
}

fn forwarding(
    service: &dyn RegionFlow,
    op: OpRef<'_>,
    number: usize,
    terminator: OpRef<'_>,
) -> RegionSuccessors {
    if terminator.n_successors() > 0 || !terminator.has_trait(Traits::TERMINATOR) {
        return RegionSuccessors::new();
    }
    service.terminator_successors(op, number, terminator, &vec![None; terminator.n_operands()])
}

fn terminator(op: Op, see: &mut TypeConversion<'_, '_, '_>) -> Result<(), NoMatch> {
    let view = see.rewriter.op(op);
    let parent = view.parent().map(|parent| see.rewriter.op(parent));
    let parent =
        parent.ok_or(NoMatch::because("the operation does not terminate a region of another one"))?;
    let service = service::<dyn RegionFlow>(parent)?;
    let region = view.block().and_then(|block| view.body().block(block).region());
    let number = parent.own_regions().position(|own| Some(own) == region);
    let successors = number.map_or_else(RegionSuccessors::new, |at| forwarding(service, parent, at, view));
    check_forwarded(see, op, |operand| successors.iter().any(|to| to.operands.contains(&operand)))?;
    recreate(op, see)
}

/// One selection for each converted value.
fn select(op: Op, see: &mut TypeConversion<'_, '_, '_>) -> Result<(), NoMatch> {
    let view = see.rewriter.op(op);
    let choice = service::<dyn SelectLike>(view)?.choice(view);
    let choice = choice.ok_or(NoMatch::because("the operation does not select by one condition"))?;
    let (kind, props, attrs, operands) =
        (view.kind(), view.props(), view.attrs(), view.operands().collect::<Vec<_>>());
    let (yes, no) = (see.value(choice.yes)?, see.value(choice.no)?);
    let mut made = Values::new();
    for (&yes, &no) in yes.iter().zip(&no) {
        let converted = operands.iter().map(|&operand| match operand {
            _ if operand == choice.yes => yes,
            _ if operand == choice.no => no,
            other => other,
        });
        let converted: Vec<Value> = converted.collect();
        let ty = see.rewriter.ty(yes);
        let state = OpState::new(kind).operands(&converted).results(&[ty]).props(props).attrs(attrs);
        let new = see.rewriter.create(state);
        made.push(see.rewriter.op(new).result(0));
    }
    see.replace(op, &[made])
}

fn service<S: minoan_ir::ServiceKind + ?Sized>(op: OpRef<'_>) -> Result<&S, NoMatch> {
    let missing = || NoMatch::because(format!("'{}' does not implement {}", op.name(), S::NAME));
    op.context().service::<S>(op.kind()).ok_or_else(missing)
}

/// Checks that each operand whose type changes is forwarded.
fn check_forwarded(
    see: &TypeConversion<'_, '_, '_>,
    op: Op,
    is_forwarded: impl Fn(usize) -> bool,
) -> Result<(), NoMatch> {
    let types = see.rewriter.op(op).operand_types().enumerate();
    let mut own = types.filter(|&(operand, ty)| !see.is_legal(ty) && !is_forwarded(operand));
    match own.next() {
        Some((at, _)) => Err(NoMatch::because(format!("the operation uses its operand #{at} itself"))),
        None => Ok(()),
    }
}

/// Checks that the converted results fit the declaration of the operation.
fn check_results(see: &TypeConversion<'_, '_, '_>, op: Op) -> Result<(), NoMatch> {
    let view = see.rewriter.op(op);
    let types: Vec<Type> = view.result_types().collect();
    if see.convert_types(&types)? == types {
        return Ok(());
    }
    if view.has_trait(Traits::ISOLATED) || view.has_trait(Traits::RESULT_SEGMENTS) {
        return Err(NoMatch::because("the number of results cannot change"));
    }
    for (group, declared) in view.spec().map_or(&[][..], |spec| spec.results).iter().enumerate() {
        for at in view.result_range(group) {
            let count = see.convert_types(&types[at..=at])?.len();
            if count != 1 && declared.arity != Arity::Variadic {
                return Err(NoMatch::because(format!("result #{at} becomes {count} values")));
            }
        }
    }
    Ok(())
}

/// Replaces the operands and result types of an operation by the converted ones; its regions move along.
fn recreate(op: Op, see: &mut TypeConversion<'_, '_, '_>) -> Result<(), NoMatch> {
    check_results(see, op)?;
    let operands = see.operands(op)?;
    let view = see.rewriter.op(op);
    for (group, declared) in view.spec().map_or(&[][..], |spec| spec.operands).iter().enumerate() {
        for at in view.operand_range(group) {
            let count = operands[at].len();
            if count != 1 && declared.arity != Arity::Variadic {
                return Err(NoMatch::because(format!("operand #{at} becomes {count} values")));
            }
        }
    }
    let types: Vec<Type> = view.result_types().collect();
    let converted = see.convert_types(&types)?;
    if converted == types {
        see.rewriter.modify(op, |body, op| set_operands(body, op, &operands));
        return Ok(());
    }
    let old: Vec<Value> = view.operands().collect();
    let body = see.rewriter.body_mut();
    let new = body.recreate(op, &old, &converted);
    set_operands(body, new, &operands);
    see.rewriter.record(new);
    let results: Vec<Value> = see.rewriter.op(new).results().collect();
    see.replace_flat(op, &results)
}

/// Replaces each operand by some values, and updates the sizes of groups.
fn set_operands(body: &mut Body, op: Op, values: &[Values]) {
    let view = body.op(op);
    let groups = view.spec().map_or(0, |spec| spec.operands.len());
    if !view.has_trait(Traits::OPERAND_SEGMENTS) {
        return body.set_operands(op, &values.concat());
    }
    // From the last group on, so that the values still correspond to the operands of the others.
    for group in (0..groups).rev() {
        let range = body.op(op).operand_range(group);
        body.set_operand_group(op, group, &values[range].concat());
    }
}
