//! Patterns that change types: function adapters, and signature conversion.

use super::{TypeConversion, TypeConverter, Values};
use crate::{Matched, NoMatch, Pattern, PatternSet, Rewriter, Root};
use minoan_ir::{Op, OpDef, Traits};
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
        self.add(OnTypes { name, root: Root::of::<O>(), types, rewrite })
    }

    /// Adds the patterns `convert-function` and `convert-return`, which convert the signatures of operations with the
    /// trait `FUNCTION_LIKE`, and their returns.
    pub fn add_signatures(&mut self, types: &Arc<TypeConverter>) -> &mut Self {
        self.add(OnTypes {
            name: "convert-function",
            root: Root::Trait(Traits::FUNCTION_LIKE),
            types: Arc::clone(types),
            rewrite: |op, see: &mut TypeConversion<'_, '_, '_>| see.convert_function(op),
        });
        self.add(OnTypes {
            name: "convert-return",
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

struct OnTypes<F> {
    name: &'static str,
    root: Root,
    types: Arc<TypeConverter>,
    rewrite: F,
}

impl<F> Pattern for OnTypes<F>
where
    F: Fn(Op, &mut TypeConversion<'_, '_, '_>) -> Result<(), NoMatch> + Send + Sync,
{
    fn name(&self) -> &str {
        self.name
    }

    fn root(&self) -> Root {
        self.root.clone()
    }

    fn rewrite(&self, op: Op, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
        (self.rewrite)(op, &mut TypeConversion::new(&self.types, rewriter))?;
        Ok(Matched)
    }
}
