//! Lowers the knossos dialect to func, arith, math, scf, cf, tensor and linalg.
//!
//! A function takes the components of its arguments and returns those of its result. [`check`] verifies everything
//! that could fail beforehand, so the lowering itself is infallible.

mod bench;
mod build;
mod check;
mod collect;
mod derivative;
mod digamma;
mod equal;
mod extents;
mod function;
mod items;
mod loops;
mod prelude;
mod print;
mod scalar;
mod scan;
mod scatter;
mod seeds;
mod slices;
mod tangent;
mod tensors;

pub(crate) use minoan_functional::Parts;
pub(crate) use prelude::find as prelude_function;

pub(crate) use derivative::DERIVATIVE_OF;

use build::Externs;
use minoan_diag::Diagnostics;
use minoan_functional::Values;
use minoan_ir::{Body, Builder, Context, InsertionPoint, Mapping, Module, OpDef};
use minoan_rewrite::Lower;
use std::borrow::Cow;

/// Implements the [`Lower`] service.
pub(crate) struct LowerKnossos;

impl Lower for LowerKnossos {
    fn contribute(
        &self,
        module: &mut Cow<'_, Module>,
        lowering: &mut minoan_rewrite::Lowering,
    ) -> Result<(), Diagnostics> {
        if !minoan_functional::has_operations::<Lowering<'_>>(module) {
            return Ok(());
        }
        let errors = check::check(module);
        if errors.has_errors() {
            return Err(errors);
        }
        let (ctx, source) = (module.context(), module.body());
        let check_bounds = module.holder().op(module.op()).attr_named(crate::CHECK_BOUNDS).is_some();
        let mut lowered = minoan_functional::empty_copy(module);
        let op = lowered.op();
        lowered.holder_mut().set_attr(op, ctx.name(crate::CHECK_BOUNDS), None);

        let block = lowered.block();
        let mut externs = Externs::default();
        let functions = derivative::Functions::of(source);
        for op in source.block(module.block()).ops() {
            match crate::Func::cast(source, op) {
                Some(func) => {
                    let mut b = Builder::at_end(lowered.body_mut(), block);
                    function::lower(&mut b, &functions, func.op(), &mut externs, check_bounds);
                }
                None if source.op(op).is::<crate::Rule>() => {}
                None => {
                    let body = lowered.body_mut();
                    let copy =
                        body.clone_op_from(source, op, InsertionPoint::End(block), &mut Mapping::new());
                    if let (Some(inside), Some(source)) = (body.nested_mut(copy), source.nested(op)) {
                        function::lower_operations(inside, source, &functions, &mut externs, check_bounds);
                    }
                }
            }
        }
        externs.packed.extend(derivative::with_layouts(&functions));
        derivative::define_packed(
            &mut Builder::at_end(lowered.body_mut(), block),
            &functions,
            &externs.packed,
        );
        externs.declare(&mut Builder::at_end(lowered.body_mut(), block));
        derivative::declare_rules(&mut Builder::at_end(lowered.body_mut(), block), &functions);
        if minoan_functional::is_mixed::<Lowering<'_>>(module) {
            minoan_functional::contribute::<Lowering<'_>>(lowering, |_| true);
        }
        *module = Cow::Owned(lowered);
        Ok(())
    }
}

/// The state of the lowering of a function.
pub(crate) struct Lowering<'a> {
    pub(crate) ctx: Context,
    pub(crate) functions: &'a derivative::Functions<'a>,
    /// The body of the source function.
    pub(crate) source: &'a Body,
    /// The values lowered so far.
    pub(crate) values: Values,
    pub(crate) externs: &'a mut Externs,
    pub(crate) check_bounds: bool,
}
