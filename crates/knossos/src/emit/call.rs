//! Emission of calls.

use super::expr::Scope;
use crate::ast::ExprId;
use crate::prelude::PreludeFn;
use crate::typed::{Callee, DefId, FnRef};
use minoan_ir::{Builder, Value};
use minoan_knossos_dialect as ks;

/// Upper bound on inlined lambda calls: inlining may grow the program exponentially.
const MAX_LAMBDA_CALLS: u32 = 10_000;

impl Scope<'_, '_> {
    pub(super) fn call(
        &mut self,
        b: &mut Builder<'_>,
        id: ExprId,
        callee: Callee,
        args: &[ExprId],
    ) -> Option<Value> {
        let program = self.emitter.program;
        if let Callee::User(def) = callee
            && program.types.has_linear_map(program.def(def).arg)
        {
            return self.inline(b, id, def, args).map(|(_, value)| value);
        }
        match callee {
            Callee::User(def) => self.call_def(b, id, def, args),
            Callee::Edef(edef) => match program.edef(edef) {
                it if it.definition.is_some() => self.call_def(b, id, it.definition?, args),
                it if it.prelude.is_some() => self.call_prelude(b, id, it.prelude?, args),
                it => {
                    let params = program.types.parts(it.arg).map_or(1, <[_]>::len);
                    self.call_function(b, id, FnRef::Edef(edef), params, args)
                }
            },
            Callee::Gdef(gdef) => {
                let params = program.types.parts(program.gdef(gdef).arg).map_or(1, <[_]>::len);
                self.call_function(b, id, FnRef::Gdef(gdef), params, args)
            }
            Callee::Prelude(function) => self.call_prelude(b, id, function, args),
            Callee::Prim(prim) => self.call_prim(b, id, prim, args),
            Callee::Lambda(var) => {
                let values = self.exprs(b, args);
                self.emitter.lambda_calls += 1;
                if self.emitter.lambda_calls > MAX_LAMBDA_CALLS {
                    let what = format!("more than {MAX_LAMBDA_CALLS} calls of lambdas");
                    self.emitter.unsupported(program.var(var).span, &what);
                    return None;
                }
                let lambda = self.lambda(program.var(var).lambda?)?;
                self.apply(b, lambda, &values?)
            }
        }
    }

    fn call_def(&mut self, b: &mut Builder<'_>, id: ExprId, def: DefId, args: &[ExprId]) -> Option<Value> {
        let params = self.emitter.program.def(def).params.len();
        self.call_function(b, id, FnRef::Def(def), params, args)
    }

    fn call_function(
        &mut self,
        b: &mut Builder<'_>,
        id: ExprId,
        function: FnRef,
        params: usize,
        args: &[ExprId],
    ) -> Option<Value> {
        let values = self.exprs(b, args)?;
        let ty = self.ty(id)?;
        let values = self.spread(b, &values, params);
        let callee = self.emitter.ctx.name(self.emitter.symbols.get(&function)?);
        Some(ks::Call::build(b, &values, callee, ty).result(b.body()))
    }

    fn call_prelude(
        &mut self,
        b: &mut Builder<'_>,
        id: ExprId,
        function: &'static PreludeFn,
        args: &[ExprId],
    ) -> Option<Value> {
        let values = self.exprs(b, args)?;
        let ty = self.ty(id)?;
        let values = self.spread(b, &values, function.params.len());
        // Two names of the same function.
        let name = if function.name == "mymul" { "mul" } else { function.name };
        Some(ks::Prelude::build(b, &values, name, ty).result(b.body()))
    }
}
