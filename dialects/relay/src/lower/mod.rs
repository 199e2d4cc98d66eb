//! Lowering of the relay dialect to func, arith, math, cf, scf, tensor and linalg.
//!
//! Each operator becomes operations on tensors by the rule of its family: element by element, movement, reduction,
//! product and window. The rules are built of few helpers on [`site::Site`].
//!
//! For each `?` in a type, the rule asserts (`cf.assert`) once per operation what the type relation would have checked:
//! that extents agree, that indices exist, that a reshape keeps the number of elements. No element is read or written
//! before that. [`extent::Extent`] has the helpers, which do not emit assertions for extents that are constant or equal by
//! construction.

mod broadcast;
mod compact;
mod data;
mod dynamic;
mod einsum;
mod extent;
mod fourier;
mod image;
mod index;
mod loss;
mod nn;
mod pointwise;
mod qnn;
mod random;
mod reduce;
mod relayout;
mod scalar;
mod scatter;
mod sequence;
mod shape;
mod site;
mod slice;
mod sort;
mod sparse;
mod tensors;
mod vision;

use crate::dialect::{Constant, Func, Get, If, MakeTuple, attrs_of, from_ir, is_value_type, operator_of};
use crate::operators::Operator;
use crate::ty::{TensorType, Type};
use minoan_arith as arith;
use minoan_data::{Declaration, Match};
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_functional::{Functional, Parts, Role, Values, one};
use minoan_ir::{
    AttrData, Body, Builder, Context, InsertionPoint, Loc, Mapping, Module, OpRef, Signedness,
    Type as IrType, TypeData, Value,
};
use minoan_rewrite::Lower;
use minoan_tensor::{Cast, Empty, extract};
pub(crate) use site::from_front;
use site::{Site, Tensor};

/// Implements the [`Lower`] service.
pub(crate) struct LowerRelay;

impl Lower for LowerRelay {
    fn contribute(
        &self,
        module: &mut Module,
        lowering: &mut minoan_rewrite::Lowering,
    ) -> Result<(), Diagnostics> {
        if !minoan_functional::has_operations::<Lowering<'_, '_>>(module) {
            return Ok(());
        }
        let mut errors = check(module);
        if errors.has_errors() {
            return Err(errors);
        }
        let (ctx, source) = (module.context(), module.body());
        let mut lowered = minoan_functional::empty_copy(module);
        let block = lowered.block();
        let mut entries = data::Entries::new(module);
        for op in source.block(module.block()).ops() {
            if source.op(op).is::<Func>() {
                let mut b = Builder::at_end(lowered.body_mut(), block);
                let (values, errors, entries) = (Values::default(), &mut errors, &mut entries);
                let begin = move |source| Lowering { ctx: ctx.clone(), source, values, errors, entries };
                minoan_functional::function(&mut b, source, op, begin);
            } else if source.op(op).is::<Declaration>() {
                data::declaration(&mut Builder::at_end(lowered.body_mut(), block), source.op(op));
            } else {
                let body = lowered.body_mut();
                let copy = body.clone_op_from(source, op, InsertionPoint::End(block), &mut Mapping::new());
                if let (Some(inside), Some(source)) = (body.nested_mut(copy), source.nested(op)) {
                    let (errors, entries) = (&mut errors, &mut entries);
                    minoan_functional::operations(inside, source, move |source, values| Lowering {
                        ctx: ctx.clone(),
                        source,
                        values,
                        errors,
                        entries,
                    });
                }
            }
        }
        entries.create(&mut lowered);
        if errors.has_errors() {
            return Err(errors);
        }
        if minoan_functional::is_mixed::<Lowering<'_, '_>>(module) {
            minoan_functional::contribute::<Lowering<'_, '_>>(lowering);
        }
        *module = lowered;
        Ok(())
    }
}

/// Reports operations that have no lowering.
fn check(module: &Module) -> Diagnostics {
    minoan_functional::check::<Lowering<'_, '_>>(module, |op| op.is::<Func>(), problem)
}

fn problem(op: OpRef<'_>) -> Option<String> {
    let ctx = op.context();
    if let Some(ty) = op.operand_types().chain(op.result_types()).find(|ty| !is_value_type(ctx, *ty)) {
        return Some(format!("'{}' has a value of type {}", op.name(), from_ir(ctx, ty)));
    }
    unlowered(operator_of(op)?)
}

/// The reason why calls of an operator are not lowered, regardless of their types; `None` if there is a rule.
pub fn unlowered(operator: &Operator) -> Option<String> {
    if let Some(reason) = refusal(operator.name) {
        return Some(format!("{} cannot be compiled: {reason}", operator.name));
    }
    if rule(operator.name).is_none() {
        return Some(format!("no lowering yet for {}", operator.name));
    }
    None
}

/// The reason why an operator is not supported: it belongs to TVM's runtime or compiler, or to an accelerator.
fn refusal(name: &str) -> Option<&'static str> {
    Some(match name {
        _ if name.starts_with("contrib.ethosu.") => "it is an instruction of the Ethos-U accelerator",
        _ if name.starts_with("memory.") || name.starts_with("vm.") => {
            "it manages storage of TVM's virtual machine, and is not written in programs"
        }
        "auto_scheduler_layout_transform" | "meta_schedule_layout_transform" => {
            "it is inserted by TVM's tuner, for a schedule of its own"
        }
        "nn.contrib_conv2d_winograd_nnpack_weight_transform" => {
            "it prepares weights for the library NNPACK, in a form of its own"
        }
        "call_lowered" => "it calls a function of TVM's lower IR, which is not part of programs",
        "parser.MetaRef" => "it stands for an entry of the metadata section while TVM reads a program",
        "scatter" => "it is only a name in TVM: use scatter_elements",
        _ => return None,
    })
}

/// The components of a result, or what cannot be lowered.
type Lowered = Result<Vec<Tensor>, String>;

/// Computes the components of a result.
type Rule = fn(&Site, &mut Builder<'_>) -> Lowered;

/// The lowering rule of an operator.
fn rule(name: &str) -> Option<Rule> {
    pointwise::rule(name)
        .or_else(|| shape::rule(name))
        .or_else(|| slice::rule(name))
        .or_else(|| index::rule(name))
        .or_else(|| scatter::rule(name))
        .or_else(|| reduce::rule(name))
        .or_else(|| sort::rule(name))
        .or_else(|| relayout::rule(name))
        .or_else(|| nn::rule(name))
        .or_else(|| image::rule(name))
        .or_else(|| qnn::rule(name))
        .or_else(|| dynamic::rule(name))
        .or_else(|| sequence::rule(name))
        .or_else(|| einsum::rule(name))
        .or_else(|| compact::rule(name))
        .or_else(|| sparse::rule(name))
        .or_else(|| vision::rule(name))
        .or_else(|| fourier::rule(name))
        .or_else(|| random::rule(name))
        .or_else(|| loss::rule(name))
}

/// The state of the lowering of a function.
struct Lowering<'a, 'e> {
    ctx: Context,
    source: &'a Body,
    values: Values,
    errors: &'e mut Diagnostics,
    entries: &'e mut data::Entries,
}

impl<'a> Functional<'a> for Lowering<'a, '_> {
    const DIALECT: &'static str = "relay";

    fn lowers(op: OpRef<'_>) -> bool {
        op.name().starts_with("relay.") || op.name().starts_with("data.")
    }

    fn role(op: OpRef<'_>) -> Role<'_> {
        let ctx = op.context();
        if op.is::<crate::Call>() {
            let callee = op.attr_named("callee").and_then(|callee| callee.as_flat_symbol(ctx));
            Role::Call(callee.map_or("", |name| name.as_str(ctx)))
        } else if op.is::<If>() {
            Role::If
        } else if op.is::<Match>() {
            Role::Choice
        } else if op.is::<MakeTuple>() {
            Role::Tuple
        } else if op.is::<Get>() {
            let index = op.attr_named("index").and_then(|index| index.as_i64(ctx));
            Role::Get(index.and_then(|index| usize::try_from(index).ok()).unwrap_or(0))
        } else {
            Role::Other
        }
    }

    fn is_value(ctx: &Context, ty: IrType) -> bool {
        is_value_type(ctx, ty)
    }

    fn flatten(ctx: &Context, ty: IrType, out: &mut Vec<IrType>) {
        match ty.as_tuple(ctx) {
            Some(parts) => parts.iter().for_each(|&part| Self::flatten(ctx, part, out)),
            None => out.push(data::component_type(ctx, ty)),
        }
    }

    fn ctx(&self) -> &Context {
        &self.ctx
    }

    fn source(&self) -> &'a Body {
        self.source
    }

    fn values(&self) -> &Values {
        &self.values
    }

    fn values_mut(&mut self) -> &mut Values {
        &mut self.values
    }

    fn select(
        &mut self,
        b: &mut Builder<'_>,
        op: OpRef<'a>,
        results: &[IrType],
        fill: &mut dyn FnMut(&mut Self, &mut Builder<'_>, usize) -> Parts,
    ) -> Parts {
        if op.is::<Match>() {
            return self.switch(b, op, results, fill);
        }
        let condition = self.condition(b, op);
        minoan_functional::choose(b, condition, results, |b, which| fill(self, b, usize::from(!which)))
    }

    fn condition(&self, b: &mut Builder<'_>, op: OpRef<'a>) -> Value {
        let condition = self.single(op.operand(0));
        tensors::scalar(b, condition)
    }

    fn dummy(b: &mut Builder<'_>, ty: IrType) -> Value {
        let ctx = b.context();
        if ty.shape(&ctx).is_none() {
            return data::nothing(b, ty);
        }
        let dynamic =
            ty.shape(&ctx).unwrap_or(&[]).iter().filter(|&&extent| extent == minoan_ir::DYNAMIC).count();
        let none = vec![arith::constant_index(b, 0); dynamic];
        Empty::build(b, &none, ty).result(b.body())
    }

    fn other(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Parts {
        if op.is::<Constant>() {
            return op.attr_named("value").map_or_else(Parts::new, |value| one(constant(b, value)));
        }
        let Some(operator) = operator_of(op) else { return self.data(b, op).unwrap_or_default() };
        let types = minoan_functional::flat::<Self>(&self.ctx, minoan_functional::result_type(op));
        match self.call(b, op, operator) {
            Ok(tensors) => {
                let casts = tensors.into_iter().zip(&types);
                casts.map(|(tensor, &ty)| narrowed(b, operator.name, tensor.value, ty)).collect()
            }
            Err(message) => {
                self.report(op.loc(), &format!("no lowering yet for this {}: {message}", operator.name));
                types.iter().map(|&ty| Self::dummy(b, ty)).collect()
            }
        }
    }
}

impl<'a> Lowering<'a, '_> {
    fn report(&mut self, loc: Loc, message: &str) {
        self.errors.push(Diagnostic::error(message).at(loc.place(&self.ctx)));
    }

    fn call(
        &mut self,
        b: &mut Builder<'_>,
        op: OpRef<'a>,
        operator: &Operator,
    ) -> Result<Vec<Tensor>, String> {
        let attrs = attrs_of(op, operator)
            .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))?;
        let args = op.operands().map(|operand| {
            let types = flat_types(from_ir(&self.ctx, self.source.ty(operand)));
            let values = self.parts(operand);
            values.into_iter().zip(types).map(|(value, ty)| Tensor { value, ty }).collect()
        });
        let args = args.collect();
        let results = flat_types(from_ir(&self.ctx, minoan_functional::result_type(op)));
        let rule = rule(operator.name).ok_or("there is no rule")?;
        rule(&Site { name: operator.name, attrs, args, results }, b)
    }
}

/// The components of a type; the recursion is bounded, since the nesting of tuples is.
fn flat_types(ty: Type) -> Vec<TensorType> {
    match ty {
        Type::Tensor(tensor) => vec![tensor],
        Type::Tuple(parts) => parts.into_iter().flat_map(flat_types).collect(),
        Type::Hole(_) | Type::Other(_) => Vec::new(),
    }
}

/// The type with signless elements: signedness is a property of the operations.
fn without_sign(ctx: &Context, ty: IrType) -> IrType {
    let Some(element) = ty.element(ctx) else { return ty };
    match *element.data(ctx) {
        TypeData::Integer { width, signedness: Signedness::Unsigned } => {
            ty.with_element(ctx, IrType::integer(ctx, width)).unwrap_or(ty)
        }
        _ => ty,
    }
}

/// A constant tensor.
fn constant(b: &mut Builder<'_>, value: minoan_ir::Attr) -> Value {
    let ctx = b.context();
    let value = match value.data(&ctx) {
        AttrData::DenseElements { ty, data, splat } => {
            let ty = without_sign(&ctx, *ty);
            ctx.intern_attr(AttrData::DenseElements { ty, data: data.clone(), splat: *splat })
        }
        _ => value,
    };
    arith::constant(b, value)
}

/// Casts a result to its declared type; asserts the extents that the cast makes static.
fn narrowed(b: &mut Builder<'_>, name: &str, value: Value, ty: IrType) -> Value {
    let (ctx, from) = (b.context(), b.ty(value));
    if from == ty {
        return value;
    }
    for (axis, &wanted) in ty.shape(&ctx).unwrap_or(&[]).iter().enumerate() {
        if wanted != minoan_ir::DYNAMIC {
            let found = extent::Extent::of(b, value, axis);
            found.expect(b, extent::Extent::Known(wanted), || match name {
                // The copy that casts a value to the type expected by its use.
                "copy" => {
                    let expected = crate::dialect::from_ir(&ctx, ty);
                    format!("expected {expected}, but the extent along axis {axis} is {{}}")
                }
                name => {
                    format!("{name}: expected extent {wanted} along axis {axis} of the result, found {{}}")
                }
            });
        }
    }
    Cast::build(b, value, ty).dest(b.body())
}
