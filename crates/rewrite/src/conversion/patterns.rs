//! Patterns that change types: function adapters, and signature conversion.

use super::{TypeConversion, TypeConverter, Values};
use crate::{Matched, NoMatch, Pattern, PatternSet, Rewriter, Root};
use minoan_ir::{Builder, Op, OpDef, OpState, Traits, Type, Value};
use std::borrow::Cow;
use std::sync::Arc;

impl PatternSet {
    /// Adds a pattern on operations of one kind that changes types and receives the converted operands.
    pub fn on_types<O: OpDef + 'static>(
        &mut self,
        name: &'static str,
        types: &Arc<TypeConverter>,
        rewrite: fn(O, &mut TypeConversion<'_, '_, '_>) -> Result<(), NoMatch>,
    ) -> &mut Self {
        let types = Arc::clone(types);
        let rewrite = move |op, see: &mut TypeConversion<'_, '_, '_>| rewrite(O::from_op_unchecked(op), see);
        self.add(OnTypes { name: name.into(), root: Root::of::<O>(), types, rewrite })
    }

    /// Adds a pattern on operations of one kind with `N` operands and one result. The function receives the converted operands
    /// and a builder before the operation, and returns the value that replaces the result. The pattern is named after the
    /// operation: `convert-fixed.add`.
    pub fn convert<O: OpDef + 'static, const N: usize>(
        &mut self,
        types: &Arc<TypeConverter>,
        make: fn(O, [Value; N], &mut Builder<'_>) -> Result<Value, NoMatch>,
    ) -> &mut Self {
        self.on_op::<O>(types, converting(move |op, operands, b| make(O::from_op_unchecked(op), operands, b)))
    }

    /// Adds a pattern like [`convert`](Self::convert) on the operations with this name, such as those that a dialect declares
    /// by a table and not as Rust types.
    pub fn convert_named<const N: usize>(
        &mut self,
        name: &'static str,
        types: &Arc<TypeConverter>,
        make: fn(Op, [Value; N], &mut Builder<'_>) -> Result<Value, NoMatch>,
    ) -> &mut Self {
        let root = Root::Ops(vec![name].into());
        let name = format!("convert-{name}").into();
        self.add(OnTypes { name, root, types: Arc::clone(types), rewrite: converting(make) })
    }

    /// Adds a pattern that replaces operations of one kind by those of another, with the converted operands, the converted
    /// types of the results, the discardable attributes, and the inherent attributes that both declare. Neither has regions or
    /// successors. The pattern is named after the operation: `convert-fixed.add`.
    pub fn convert_to<From: OpDef + 'static, To: OpDef + 'static>(
        &mut self,
        types: &Arc<TypeConverter>,
    ) -> &mut Self {
        self.on_op::<From>(types, |op, see: &mut TypeConversion<'_, '_, '_>| {
            let view = see.rewriter.op(op);
            if view.n_regions() + view.n_successors() > 0 {
                return Err(NoMatch::because("the operation has regions or successors"));
            }
            let (ctx, attrs) = (view.context().clone(), view.attrs());
            let kept =
                To::SPEC.attrs.iter().filter(|attr| From::SPEC.attrs.iter().any(|own| own.name == attr.name));
            let given: Vec<_> = kept.map(|attr| (attr.name, view.attr_named(attr.name))).collect();
            let props = minoan_ir::generated::props::<To>(&ctx, &given);
            let results: Vec<Type> = view.result_types().collect();
            let results = see.convert_types(&results)?;
            let operands: Values = see.operands(op)?.into_iter().flatten().collect();
            let state = OpState::new(ctx.kind_of::<To>()).operands(&operands).results(&results).props(props);
            let made = see.rewriter.builder().create(state.attrs(attrs));
            let results: Values = see.rewriter.op(made).results().collect();
            see.replace_flat(op, &results)
        })
    }

    fn on_op<O: OpDef>(
        &mut self,
        types: &Arc<TypeConverter>,
        rewrite: impl Fn(Op, &mut TypeConversion<'_, '_, '_>) -> Result<(), NoMatch> + Send + Sync + 'static,
    ) -> &mut Self {
        let name = format!("convert-{}", O::SPEC.name).into();
        self.add(OnTypes { name, root: Root::of::<O>(), types: Arc::clone(types), rewrite })
    }

    /// Adds the patterns `convert-function` and `convert-return`, which convert the signatures of operations with the
    /// trait `FUNCTION_LIKE`, and their returns.
    pub fn add_signatures(&mut self, types: &Arc<TypeConverter>) -> &mut Self {
        self.add(OnTypes {
            name: "convert-function".into(),
            root: Root::Trait(Traits::FUNCTION_LIKE),
            types: Arc::clone(types),
            rewrite: |op, see: &mut TypeConversion<'_, '_, '_>| see.convert_function(op),
        });
        self.add(OnTypes {
            name: "convert-return".into(),
            root: Root::Trait(Traits::RETURN_LIKE),
            types: Arc::clone(types),
            rewrite: |op, see: &mut TypeConversion<'_, '_, '_>| {
                if see.rewriter.op(op).parent().is_some() {
                    return Err(NoMatch::because("the operation is not the return of a function"));
                }
                let operands: Values = see.operands(op)?.into_iter().flatten().collect();
                see.rewriter.modify(op, |body, op| body.set_operands(op, &operands));
                Ok(())
            },
        })
    }
}

/// The rewrite that replaces the only result of an operation by the value that `make` computes from its `N` converted operands.
fn converting<const N: usize>(
    make: impl Fn(Op, [Value; N], &mut Builder<'_>) -> Result<Value, NoMatch>,
) -> impl Fn(Op, &mut TypeConversion<'_, '_, '_>) -> Result<(), NoMatch> {
    move |op, see| {
        let operands = see.operand_values(op)?;
        let value = make(op, operands, &mut see.rewriter.builder())?;
        see.replace_flat(op, &[value])
    }
}

/// A pattern that changes types.
pub(super) struct OnTypes<F> {
    pub(super) name: Cow<'static, str>,
    pub(super) root: Root,
    pub(super) types: Arc<TypeConverter>,
    pub(super) rewrite: F,
}

impl<F> Pattern for OnTypes<F>
where
    F: Fn(Op, &mut TypeConversion<'_, '_, '_>) -> Result<(), NoMatch> + Send + Sync,
{
    fn name(&self) -> &str {
        &self.name
    }

    fn root(&self) -> Root {
        self.root.clone()
    }

    fn rewrite(&self, op: Op, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
        (self.rewrite)(op, &mut TypeConversion::new(&self.types, rewriter))?;
        Ok(Matched)
    }
}
