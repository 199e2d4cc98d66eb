//! What a pattern sees of a conversion of types.

use super::TypeConverter;
use crate::{NoMatch, Rewriter};
use minoan_ir::text::print_type;
use minoan_ir::{Attr, Block, Body, Context, InsertionPoint, Loc, Op, OpRef, Region, Type, Value};
use minoan_services::{UnrealizedCast, function_types};
use smallvec::SmallVec;

/// An operand or a result after conversion: the values it became.
pub type Values = SmallVec<[Value; 1]>;

/// Edits on behalf of a pattern that changes types: [`Rewriter`], with operands as they are after conversion, and
/// replacements of other types.
pub struct TypeConversion<'t, 'r, 'b> {
    converter: &'t TypeConverter,
    /// The editor.
    pub rewriter: &'r mut Rewriter<'b>,
}

impl<'t, 'r, 'b> TypeConversion<'t, 'r, 'b> {
    /// Looks at the program of a rewriter through a converter.
    pub fn new(converter: &'t TypeConverter, rewriter: &'r mut Rewriter<'b>) -> Self {
        Self { converter, rewriter }
    }

    /// What types become.
    ///
    /// # Errors
    /// That one of them has no conversion.
    pub fn convert_types(&self, types: &[Type]) -> Result<Vec<Type>, NoMatch> {
        let ctx = self.rewriter.context();
        self.converter.convert_all(ctx, types).map_err(|ty| no_conversion(ctx, ty))
    }

    /// The operands of an operation after conversion: the values that each one became. Where it was not converted yet, a
    /// cast stands for it.
    ///
    /// # Errors
    /// That the type of one has no conversion.
    pub fn operands(&mut self, op: Op) -> Result<Vec<Values>, NoMatch> {
        let operands: SmallVec<[Value; 4]> = self.rewriter.op(op).operands().collect();
        operands.into_iter().map(|operand| self.value(operand)).collect()
    }

    /// The operands of an operation after conversion, where each is one value.
    ///
    /// # Errors
    /// That the type of one has no conversion, or becomes another number of types.
    pub fn single_operands(&mut self, op: Op) -> Result<SmallVec<[Value; 4]>, NoMatch> {
        let operands = self.operands(op)?;
        let one = |values: Values| match values[..] {
            [value] => Ok(value),
            _ => Err(NoMatch::because(format!("an operand becomes {} values", values.len()))),
        };
        operands.into_iter().map(one).collect()
    }

    /// What a value is after conversion.
    ///
    /// # Errors
    /// That its type has no conversion.
    pub fn value(&mut self, value: Value) -> Result<Values, NoMatch> {
        let body = self.rewriter.body();
        let (ctx, ty) = (body.context(), body.ty(value));
        let types = self.converter.convert(ctx, ty).ok_or_else(|| no_conversion(ctx, ty))?;
        if types[..] == [ty] {
            return Ok(Values::from_elem(value, 1));
        }
        let is_cast = |op: OpRef<'_>| ctx.service::<dyn UnrealizedCast>(op.kind()).is_some();
        // It was converted: a cast back stands for it, or a cast there is near.
        if let Some(cast) = body.defining_op(value).map(|op| body.op(op))
            && is_cast(cast)
            && cast.n_results() == 1
            && cast.operand_types().eq(types.iter().copied())
        {
            return Ok(cast.operands().collect());
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

    /// Replaces an operation by values: those of each result, one or several, of any types. Where the types are others a
    /// cast stands before what still uses the old ones.
    ///
    /// # Errors
    /// That no loaded dialect has casts; nothing is changed then.
    ///
    /// # Panics
    /// If the number of replacements is not the number of results.
    #[track_caller]
    pub fn replace(&mut self, op: Op, with: &[Values]) -> Result<(), NoMatch> {
        let view = self.rewriter.op(op);
        assert_eq!(view.n_results(), with.len(), "one replacement for each result of '{}'", view.name());
        let results: SmallVec<[(Value, Type); 2]> = view.results().zip(view.result_types()).collect();
        let loc = view.loc();
        let mut values: SmallVec<[Value; 2]> = SmallVec::new();
        for ((result, ty), with) in results.into_iter().zip(with) {
            match with[..] {
                [value] if self.rewriter.ty(value) == ty => values.push(value),
                // A value that nobody uses.
                _ if !self.rewriter.body().is_used(result) => values.push(result),
                _ => {
                    let back = cast(self.rewriter.body_mut(), InsertionPoint::Before(op), loc, with, &[ty])?;
                    values.push(self.rewriter.op(back).result(0));
                    self.rewriter.record(back);
                }
            }
        }
        self.rewriter.replace(op, &values);
        Ok(())
    }

    /// Replaces an operation by values in a row: as many for the first result as its type becomes, then those of the second,
    /// and so on.
    ///
    /// # Errors
    /// As [`TypeConversion::replace`]; that the type of a result has no conversion.
    ///
    /// # Panics
    /// If the number of values is not what the types of the results become.
    #[track_caller]
    pub fn replace_flat(&mut self, op: Op, with: &[Value]) -> Result<(), NoMatch> {
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

    /// Converts the types of the arguments of all blocks of a region. Where an old argument is used a cast stands for it.
    ///
    /// # Errors
    /// That the type of an argument has no conversion; nothing is changed then.
    pub fn convert_region(&mut self, region: Region) -> Result<(), NoMatch> {
        let made = convert_blocks(self.rewriter.body_mut(), region, self.converter)?;
        made.into_iter().for_each(|cast| self.rewriter.record(cast));
        Ok(())
    }

    /// Converts the signature of an operation with the trait `FUNCTION_LIKE`: its function type, and the arguments of its
    /// blocks. The attributes of arguments and results stay as they are.
    ///
    /// # Errors
    /// That a type has no conversion; nothing is changed then.
    pub fn convert_function(&mut self, op: Op) -> Result<(), NoMatch> {
        let view = self.rewriter.op(op);
        let (inputs, results) =
            function_types(view).ok_or(NoMatch::because("it has no attribute 'function_type'"))?;
        let (inputs, results) = (self.convert_types(inputs)?, self.convert_types(results)?);
        let ctx = self.rewriter.context().clone();
        let ty = Attr::ty(&ctx, Type::function(&ctx, &inputs, &results));
        let converter = self.converter;
        self.rewriter.modify(op, |body, op| {
            if let Some(nested) = body.nested_mut(op) {
                let regions: Vec<Region> = nested.regions().collect();
                for region in regions {
                    convert_blocks(nested, region, converter)?;
                }
            }
            body.set_attr(op, ctx.names().function_type, Some(ty));
            Ok(())
        })
    }
}

fn no_conversion(ctx: &Context, ty: Type) -> NoMatch {
    NoMatch::because(format!("no conversion for type '{}'", print_type(ctx, ty)))
}

/// The first place where a value can be used.
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
    let missing = || NoMatch::because("no loaded dialect has casts between types");
    let kind = <dyn UnrealizedCast>::kind(&ctx).ok_or_else(missing)?;
    let service = ctx.service::<dyn UnrealizedCast>(kind).ok_or_else(missing)?;
    Ok(body.create(&service.cast(&ctx, values, types).loc(loc), point))
}

/// Converts the arguments of all blocks of a region; the casts from the new ones to the old ones.
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
        return Err(NoMatch::because("no loaded dialect has casts between types"));
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
