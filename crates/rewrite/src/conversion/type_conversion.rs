//! The interface of type-changing patterns to a conversion.

use super::TypeConverter;
use crate::{NoMatch, Rewriter};
use minoan_ir::text::print_type;
use minoan_ir::{Attr, Block, Body, Context, InsertionPoint, Loc, Name, Op, OpRef, Region, Type, Value};
use minoan_services::{UnrealizedCast, function_types};
use smallvec::SmallVec;

/// The converted values of an operand or result.
pub type Values = SmallVec<[Value; 1]>;

/// A [`Rewriter`] with converted operands, and with replacements of other types.
pub struct TypeConversion<'t, 'r, 'b> {
    converter: &'t TypeConverter,
    /// The rewriter.
    pub rewriter: &'r mut Rewriter<'b>,
}

impl<'t, 'r, 'b> TypeConversion<'t, 'r, 'b> {
    /// Creates the interface for a converter and a rewriter.
    pub fn new(converter: &'t TypeConverter, rewriter: &'r mut Rewriter<'b>) -> Self {
        Self { converter, rewriter }
    }

    /// Converts types.
    ///
    /// # Errors
    /// A type has no conversion.
    pub fn convert_types(&self, types: &[Type]) -> Result<Vec<Type>, NoMatch> {
        let ctx = self.rewriter.context();
        self.converter.convert_all(ctx, types).map_err(|ty| no_conversion(ctx, ty))
    }

    /// Whether a type converts to itself.
    pub fn is_legal(&self, ty: Type) -> bool {
        self.converter.is_legal(self.rewriter.context(), ty)
    }

    /// The converted operands of an operation: one or several values for each. Operands that have not been converted
    /// yet are cast.
    ///
    /// # Errors
    /// The type of an operand has no conversion.
    pub fn operands(&mut self, op: Op) -> Result<Vec<Values>, NoMatch> {
        let operands: SmallVec<[Value; 4]> = self.rewriter.op(op).operands().collect();
        operands.into_iter().map(|operand| self.value(operand)).collect()
    }

    /// The converted operands of an operation, each of which must be a single value.
    ///
    /// # Errors
    /// The type of an operand has no conversion, or converts to another number of types.
    pub fn single_operands(&mut self, op: impl Into<Op>) -> Result<SmallVec<[Value; 4]>, NoMatch> {
        let operands = self.operands(op.into())?;
        let one = |values: Values| match values[..] {
            [value] => Ok(value),
            _ => Err(NoMatch::because(format!("an operand becomes {} values", values.len()))),
        };
        operands.into_iter().map(one).collect()
    }

    /// The converted operands of an operation with `N` operands, each of which must be a single value.
    ///
    /// # Errors
    /// As for [`TypeConversion::single_operands`], or there is another number of operands.
    pub fn operand_values<const N: usize>(&mut self, op: impl Into<Op>) -> Result<[Value; N], NoMatch> {
        let operands = self.single_operands(op)?;
        let wrong = |_| NoMatch::because(format!("the operation has {} operands, not {N}", operands.len()));
        operands[..].try_into().map_err(wrong)
    }

    /// The converted values of a value.
    ///
    /// # Errors
    /// The type of the value has no conversion.
    pub fn value(&mut self, value: Value) -> Result<Values, NoMatch> {
        let body = self.rewriter.body();
        let (ctx, ty) = (body.context(), body.ty(value));
        let types = self.converter.convert(ctx, ty).ok_or_else(|| no_conversion(ctx, ty))?;
        if types[..] == [ty] {
            return Ok(Values::from_elem(original(body, value), 1));
        }
        let is_cast = |op: OpRef<'_>| ctx.service::<dyn UnrealizedCast>(op.kind()).is_some();
        // A converted value is the operand of a cast; otherwise an existing cast may be adjacent.
        if let Some(cast) = body.defining_op(value).map(|op| body.op(op))
            && is_cast(cast)
            && cast.n_results() == 1
            && cast.operand_types().eq(types.iter().copied())
        {
            return Ok(cast.operands().map(|operand| original(body, operand)).collect());
        }
        let point = after_definition(body, value);
        let mut near = match point {
            InsertionPoint::Before(op) => Some(op),
            _ => None,
        };
        for _ in 0..8 {
            let Some(cast) = near.map(|op| body.op(op)).filter(|&op| is_cast(op)) else { break };
            if cast.operands().eq([value]) && cast.result_types().eq(types.iter().copied()) {
                return Ok(cast.results().collect());
            }
            near = cast.next();
        }
        let loc = body.value_loc(value);
        let made = cast(self.rewriter.body_mut(), point, loc, &[value], &types)?;
        let results = self.rewriter.op(made).results().collect();
        self.rewriter.record(made);
        Ok(results)
    }

    /// Replaces an operation by values for each result, of any number and types. If the types differ, the remaining
    /// uses of the results are cast.
    ///
    /// # Errors
    /// No loaded dialect has unrealized casts; nothing is changed.
    ///
    /// # Panics
    /// Panics if the number of replacements is not the number of results.
    #[track_caller]
    pub fn replace(&mut self, op: impl Into<Op>, with: &[Values]) -> Result<(), NoMatch> {
        let op = op.into();
        let view = self.rewriter.op(op);
        assert_eq!(view.n_results(), with.len(), "one replacement for each result of '{}'", view.name());
        let results: SmallVec<[(Value, Type); 2]> = view.results().zip(view.result_types()).collect();
        let loc = view.loc();
        let mut values: SmallVec<[Value; 2]> = SmallVec::new();
        for ((result, ty), with) in results.into_iter().zip(with) {
            match with[..] {
                [value] if self.rewriter.ty(value) == ty => {
                    values.push(value);
                    continue;
                }
                _ if self.rewriter.body().is_used(result) => self.cancel_casts(result, with),
                _ => {}
            }
            match self.rewriter.body().is_used(result) {
                // An unused value.
                false => values.push(result),
                true => {
                    let back = cast(self.rewriter.body_mut(), InsertionPoint::Before(op), loc, with, &[ty])?;
                    values.push(self.rewriter.op(back).result(0));
                    self.rewriter.record(back);
                }
            }
        }
        self.rewriter.replace(op, &values);
        Ok(())
    }

    /// Erases the casts of a value to the types of `with`, whose results become these values.
    fn cancel_casts(&mut self, value: Value, with: &[Value]) {
        let body = self.rewriter.body();
        let ctx = body.context();
        let is_inverse = |&op: &Op| {
            let op = body.op(op);
            ctx.service::<dyn UnrealizedCast>(op.kind()).is_some()
                && op.operands().eq([value])
                && op.result_types().eq(with.iter().map(|&with| body.ty(with)))
                && with.iter().all(|&with| body.defining_op(with) != Some(op.id()))
        };
        let casts: SmallVec<[Op; 2]> = body.uses(value).map(|at| at.op).filter(is_inverse).collect();
        for cast in casts {
            self.rewriter.replace(cast, with);
        }
    }

    /// Replaces an operation by a flat list of values: each result is replaced by the values that its type converts to.
    ///
    /// # Errors
    /// The same as for [`TypeConversion::replace`], or the type of a result has no conversion.
    ///
    /// # Panics
    /// Panics if the number of values does not match the converted result types.
    #[track_caller]
    pub fn replace_flat(&mut self, op: impl Into<Op>, with: &[Value]) -> Result<(), NoMatch> {
        let op = op.into();
        let view = self.rewriter.op(op);
        let (ctx, mut rest, mut groups) = (view.context(), with, Vec::with_capacity(view.n_results()));
        for ty in view.result_types() {
            let becomes = self.converter.convert(ctx, ty).ok_or_else(|| no_conversion(ctx, ty))?;
            let Some((group, behind)) = rest.split_at_checked(becomes.len()) else {
                panic!("{} values are too few for what the results of '{}' become", with.len(), view.name());
            };
            groups.push(Values::from_slice(group));
            rest = behind;
        }
        assert!(
            rest.is_empty(),
            "{} values are too many for what the results of '{}' become",
            with.len(),
            view.name()
        );
        self.replace(op, &groups)
    }

    /// Converts the arguments of a region with one block, as [`TypeConversion::convert_region`] does, and moves the
    /// operations of the block to the end of another one, with these values in place of the arguments.
    ///
    /// # Errors
    /// The type of an argument has no conversion, or the region does not have exactly one block; nothing is changed.
    ///
    /// # Panics
    /// Panics if the number of values differs from the number of converted arguments.
    #[track_caller]
    pub fn inline_region(&mut self, region: Region, end: Block, args: &[Value]) -> Result<(), NoMatch> {
        let blocks: Vec<Block> = self.rewriter.body().region(region).blocks().collect();
        let [block] = blocks[..] else {
            return Err(NoMatch::because(format!("the region has {} blocks, not one", blocks.len())));
        };
        self.convert_region(region)?;
        self.rewriter.inline_block(block, InsertionPoint::End(end), args);
        Ok(())
    }

    /// Converts the types of the arguments of all blocks of a region. Uses of the old arguments are cast.
    ///
    /// # Errors
    /// The type of an argument has no conversion; nothing is changed.
    pub fn convert_region(&mut self, region: Region) -> Result<(), NoMatch> {
        let made = convert_blocks(self.rewriter.body_mut(), region, self.converter)?;
        made.into_iter().for_each(|cast| self.rewriter.record(cast));
        Ok(())
    }

    /// Checks that the types of the arguments of all blocks of a region have a conversion.
    ///
    /// # Errors
    /// The type of an argument has none.
    pub(super) fn check_region(&self, region: Region) -> Result<(), NoMatch> {
        let body = self.rewriter.body();
        let args = body.region(region).blocks().flat_map(|block| body.block(block).args());
        let types: Vec<Type> = args.map(|arg| body.ty(arg)).collect();
        self.convert_types(&types).map(drop)
    }

    /// Converts the signature of an operation with the trait `FUNCTION_LIKE`: its function type and its block
    /// arguments. The attributes of an argument or result are those of each of its converted values.
    ///
    /// # Errors
    /// A type has no conversion; nothing is changed.
    pub fn convert_function(&mut self, op: Op) -> Result<(), NoMatch> {
        let view = self.rewriter.op(op);
        let (inputs, results) =
            function_types(view).ok_or(NoMatch::because("the operation has no attribute 'function_type'"))?;
        let ctx = self.rewriter.context().clone();
        let converter = self.converter;
        let names = ctx.names();
        let attrs: Vec<(Name, Attr)> = [(names.arg_attrs, inputs), (names.res_attrs, results)]
            .into_iter()
            .filter_map(|(name, types)| Some((name, spread(&ctx, converter, view.attr(name)?, types)?)))
            .collect();
        let (inputs, results) = (self.convert_types(inputs)?, self.convert_types(results)?);
        let ty = Attr::ty(&ctx, Type::function(&ctx, &inputs, &results));
        self.rewriter.modify(op, |body, op| {
            if let Some(nested) = body.nested_mut(op) {
                let regions: Vec<Region> = nested.regions().collect();
                for region in regions {
                    convert_blocks(nested, region, converter)?;
                }
            }
            body.set_attr(op, ctx.names().function_type, Some(ty));
            attrs.iter().for_each(|&(name, attr)| body.set_attr(op, name, Some(attr)));
            Ok(())
        })
    }
}

/// The attributes of arguments or results of these types, repeated for each value that one becomes.
fn spread(ctx: &Context, converter: &TypeConverter, attrs: Attr, types: &[Type]) -> Option<Attr> {
    let attrs = attrs.as_array(ctx)?.iter().zip(types);
    let repeated = attrs.map(|(&attr, &ty)| Some(vec![attr; converter.convert(ctx, ty)?.len()]));
    Some(Attr::array(ctx, &repeated.collect::<Option<Vec<_>>>()?.concat()))
}

fn no_conversion(ctx: &Context, ty: Type) -> NoMatch {
    NoMatch::because(format!("no conversion for type '{}'", print_type(ctx, ty)))
}

/// The value that casts which cancel forward to a value.
fn original(body: &Body, mut value: Value) -> Value {
    // The number of steps is limited: without dominance, casts may form a cycle.
    for _ in 0..8 {
        let Some(cast) = body.defining_op(value).map(|op| body.op(op)) else { break };
        let Some(_) = body.context().service::<dyn UnrealizedCast>(cast.kind()) else { break };
        let Some(forwarded) = <dyn UnrealizedCast>::undone(cast) else { break };
        let Some(result) = cast.results().position(|result| result == value) else { break };
        value = forwarded[result];
    }
    value
}

/// The first insertion point at which a value can be used.
fn after_definition(body: &Body, value: Value) -> InsertionPoint {
    let first = match body.defining_op(value) {
        Some(op) => body.op(op).next(),
        None => body.block_of(value).and_then(|block| body.block(block).first()),
    };
    let end = || body.block_of(value).map_or(InsertionPoint::Detached, InsertionPoint::End);
    first.map_or_else(end, InsertionPoint::Before)
}

/// Creates a cast.
fn cast(
    body: &mut Body,
    point: InsertionPoint,
    loc: Loc,
    values: &[Value],
    types: &[Type],
) -> Result<Op, NoMatch> {
    let ctx = body.context().clone();
    let missing = || NoMatch::because("no loaded dialect has unrealized casts");
    let kind = <dyn UnrealizedCast>::kind(&ctx).ok_or_else(missing)?;
    let service = ctx.service::<dyn UnrealizedCast>(kind).ok_or_else(missing)?;
    Ok(body.create(&service.cast(&ctx, values, types).loc(loc), point))
}

/// Converts the arguments of all blocks of a region; returns the casts from the new ones to the old ones.
fn convert_blocks(body: &mut Body, region: Region, converter: &TypeConverter) -> Result<Vec<Op>, NoMatch> {
    let ctx = body.context().clone();
    let blocks: Vec<Block> = body.region(region).blocks().collect();
    let mut plans = Vec::new();
    for block in blocks {
        let args: Vec<(Value, Loc)> = body.block(block).args().zip(body.block(block).arg_locs()).collect();
        let convert = |&(arg, _): &(Value, Loc)| {
            converter.convert(&ctx, body.ty(arg)).ok_or_else(|| no_conversion(&ctx, body.ty(arg)))
        };
        let types = args.iter().map(convert).collect::<Result<Vec<_>, _>>()?;
        if args.iter().zip(&types).any(|(&(arg, _), types)| types[..] != [body.ty(arg)]) {
            plans.push((block, args, types));
        }
    }
    if !plans.is_empty() && <dyn UnrealizedCast>::kind(&ctx).is_none() {
        return Err(NoMatch::because("no loaded dialect has unrealized casts"));
    }
    let mut made = Vec::new();
    for (block, args, types) in plans {
        for (&(arg, loc), types) in args.iter().zip(&types) {
            let old = body.ty(arg);
            let new: Values = types.iter().map(|&ty| body.add_arg(block, ty, loc)).collect();
            match new[..] {
                [new] if types[0] == old => body.replace_all_uses(arg, new),
                _ if body.is_used(arg) => {
                    let point =
                        body.block(block).first().map_or(InsertionPoint::End(block), InsertionPoint::Before);
                    let back = cast(body, point, loc, &new, &[old])?;
                    let value = body.op(back).result(0);
                    body.replace_all_uses(arg, value);
                    made.push(back);
                }
                _ => {}
            }
        }
        for index in (0..args.len()).rev() {
            body.erase_arg(block, index);
        }
    }
    Ok(made)
}
