//! Lowering of the relay dialect to func, arith, math, cf, scf, tensor and linalg.
//!
//! Functions, control flow, tuples and objects are lowered by a walk over each function (see `minoan_functional`), which leaves
//! operators as they are. These are converted by a pattern ([`operator`]), in functions of any dialect: each becomes operations
//! on tensors by the rule of its family: element by element, movement, reduction, product and window. The rules are built of
//! few helpers on [`site::Site`].
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
mod operator;
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
mod values;
mod vision;

use crate::dialect::{Constant, Func, Get, If, MakeTuple, from_ir, is_value_type, operator_of};
use crate::operators::Operator;
use minoan_arith as arith;
use minoan_data::{Declaration, Match};
use minoan_diag::Diagnostics;
use minoan_functional::{Functional, Parts, Role, Values, one};
use minoan_ir::{
    AttrData, Body, Builder, Context, InsertionPoint, Mapping, Module, OpRef, Signedness, Type as IrType,
    TypeData, Value,
};
use minoan_rewrite::Lower;
use minoan_tensor::{Empty, extract};
pub(crate) use site::from_front;
use site::{Site, Tensor};
use std::borrow::Cow;

/// Implements the [`Lower`] service.
pub(crate) struct LowerRelay;

impl Lower for LowerRelay {
    fn contribute(
        &self,
        module: &mut Cow<'_, Module>,
        lowering: &mut minoan_rewrite::Lowering,
    ) -> Result<(), Diagnostics> {
        if !minoan_functional::has_operations::<Lowering<'_, '_>>(module) {
            return Ok(());
        }
        minoan_functional::contribute::<Lowering<'_, '_>>(lowering, |op| {
            Lowering::lowers(op) && !values::is_value(op)
        });
        lowering.types().materialize_target(operator::condition);
        lowering.patterns(|patterns, types| {
            patterns.add(operator::ConvertOperator::new(types));
            values::patterns(patterns, types);
        });
        // The conversion reports operators.
        let errors = check(module);
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
                let (values, entries) = (Values::default(), &mut entries);
                let begin = move |source| Lowering { ctx: ctx.clone(), source, values, entries };
                minoan_functional::function(&mut b, source, op, begin);
            } else if source.op(op).is::<Declaration>() {
                data::declaration(&mut Builder::at_end(lowered.body_mut(), block), source.op(op));
            } else {
                let body = lowered.body_mut();
                let copy = body.clone_op_from(source, op, InsertionPoint::End(block), &mut Mapping::new());
                if let (Some(inside), Some(source)) = (body.nested_mut(copy), source.nested(op)) {
                    let entries = &mut entries;
                    minoan_functional::operations(inside, source, move |source, values| Lowering {
                        ctx: ctx.clone(),
                        source,
                        values,
                        entries,
                    });
                }
            }
        }
        entries.create(&mut lowered);
        *module = Cow::Owned(lowered);
        Ok(())
    }
}

/// Reports operations that have no lowering, except for operators.
fn check(module: &Module) -> Diagnostics {
    minoan_functional::check::<Lowering<'_, '_>>(module, |op| op.is::<Func>(), problem)
}

/// The reason why an operation has no lowering: the first type of its operands and results that is not of the language.
fn problem(op: OpRef<'_>, invalid: Option<IrType>) -> Option<String> {
    let ty = from_ir(op.context(), invalid?);
    Some(format!("'{}' has a value of type {ty}", op.name()))
}

/// The reason why calls of an operator are not lowered, regardless of their types; `None` if there is a rule.
pub fn unlowered(operator: &Operator) -> Option<String> {
    rule_of(operator).err()
}

/// The lowering rule of an operator, or the reason why there is none.
fn rule_of(operator: &Operator) -> Result<Rule, String> {
    rule(operator.name).ok_or_else(|| match refusal(operator.name) {
        Some(reason) => format!("{} cannot be compiled: {reason}", operator.name),
        None => format!("no lowering yet for {}", operator.name),
    })
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
    entries: &'e mut data::Entries,
}

impl<'a> Functional<'a> for Lowering<'a, '_> {
    const DIALECT: &'static str = "relay";

    fn lowers(op: OpRef<'_>) -> bool {
        match op.name().split_once('.') {
            Some(("relay", _)) => operator_of(op).is_none(),
            Some((dialect, _)) => dialect == "data",
            None => false,
        }
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

    fn is_kept(ctx: &Context, ty: IrType) -> bool {
        match *ty.data(ctx) {
            TypeData::RankedTensor { element, .. } => !is_unsigned(ctx, element),
            TypeData::Integer { .. } | TypeData::Float(_) | TypeData::Index => true,
            _ => false,
        }
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
        operator::number(b, self.single(op.operand(0)))
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
        self.data(b, op).unwrap_or_default()
    }
}

/// The type with signless elements: signedness is a property of the operations.
fn without_sign(ctx: &Context, ty: IrType) -> IrType {
    let Some(element) = ty.element(ctx) else { return ty };
    match *element.data(ctx) {
        TypeData::Integer { width, .. } if is_unsigned(ctx, element) => {
            ty.with_element(ctx, IrType::integer(ctx, width)).unwrap_or(ty)
        }
        _ => ty,
    }
}

fn is_unsigned(ctx: &Context, ty: IrType) -> bool {
    matches!(*ty.data(ctx), TypeData::Integer { signedness: Signedness::Unsigned, .. })
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
