//! Emission of the dialect: names and kinds are checked on the way.

use crate::ast::{Expr, ExprKind, Function, Operator, Program};
use crate::dialect::{self, Each, Field, Pack, Record, Reduction};
use crate::shapes::{self, matrix};
use minoan::diag::{Diagnostic, Diagnostics, SourceMap, Span, nearest};
use minoan::dialects::func::{Call, Func, Return};
use minoan::dialects::{arith, tensor};
use minoan::ir::{
    Attr, AttrData, Block, Builder, Context, DYNAMIC, InferFn, InferInput, Loc, Module, OpDef, Type, Value,
};
use minoan::services::Visibility;
use std::collections::HashMap;

/// The builtin functions of one matrix.
const BUILTINS: [&str; 3] = ["transpose", "sum", "max"];

/// Emits a module with the functions of a program; those in `public` are public.
///
/// # Errors
/// Unknown or repeated names, wrong numbers of arguments, extents that disagree, and scalars where matrices are expected.
pub fn emit(
    ctx: &Context,
    sources: &SourceMap,
    program: &Program,
    public: &[&str],
) -> Result<Module, Diagnostics> {
    let mut module = Module::new(ctx, Loc::UNKNOWN);
    let (block, mut errors) = (module.block(), Diagnostics::new());
    let mut emitter = Emitter { sources, functions: HashMap::new() };
    for function in &program.functions {
        let (name, span) = &function.name;
        let mut report = |error: Diagnostic| errors.push(error);
        if BUILTINS.contains(&name.as_str()) || emitter.functions.contains_key(name.as_str()) {
            report(Diagnostic::error(format!("the function '{name}' is defined already")).at(*span));
        }
        emitter.functions.insert(name, function.params.len());
        let visibility =
            if public.contains(&name.as_str()) { Visibility::Public } else { Visibility::Private };
        let any = matrix(ctx, DYNAMIC, DYNAMIC);
        let mut b = Builder::at_end(module.body_mut(), block).with_loc(emitter.loc(ctx, *span));
        let types = vec![any; function.params.len()];
        let (func, entry) = Func::define(&mut b, name, &types, &[any], visibility);
        let mut b = b.inside(func.op(), entry);
        if let Err(error) = emitter.function(&mut b, entry, function) {
            report(*error);
        }
    }
    if errors.has_errors() { Err(errors) } else { Ok(module) }
}

type Emitted<T = Value> = Result<T, Box<Diagnostic>>;

fn error<T>(span: Span, message: impl Into<String>) -> Emitted<T> {
    Err(Box::new(Diagnostic::error(message).at(span)))
}

struct Emitter<'a> {
    sources: &'a SourceMap,
    /// The number of parameters of each function defined so far.
    functions: HashMap<&'a str, usize>,
}

/// The values of the names in scope.
type Scope<'e> = HashMap<&'e str, Value>;

/// Creates an operation with two operands; returns its result.
type BuildFn = fn(&mut Builder<'_>, Value, Value) -> Value;

impl<'a> Emitter<'a> {
    fn loc(&self, ctx: &Context, span: Span) -> Loc {
        let at = self.sources.line_col(span);
        Loc::in_file(ctx, ctx.file(self.sources.file(span.file).name()), at.line, at.column)
    }

    fn function(&self, b: &mut Builder<'_>, entry: Block, function: &'a Function) -> Emitted<()> {
        let args: Vec<Value> = b.body().block(entry).args().collect();
        let mut scope = Scope::new();
        for ((name, span), arg) in function.params.iter().zip(args) {
            if scope.insert(name, arg).is_some() {
                return error(*span, format!("the parameter '{name}' is declared twice"));
            }
        }
        for (name, value) in &function.vars {
            let value = self.expr(b, &scope, value)?;
            scope.insert(name, value);
        }
        let result = self.matrix(b, &scope, &function.result)?;
        let result = any_extents(b, result);
        Return::build(b, &[result]);
        Ok(())
    }

    /// Emits an expression that must be a matrix.
    fn matrix(&self, b: &mut Builder<'_>, scope: &Scope<'_>, expr: &Expr) -> Emitted {
        let value = self.expr(b, scope, expr)?;
        match shapes::MATRIX.holds(&b.context(), b.ty(value)) {
            true => Ok(value),
            false => error(expr.span, "expected a matrix, found a record"),
        }
    }

    // ANCHOR: expr
    /// Emits an expression outside of `each`: a matrix or a record.
    fn expr(&self, b: &mut Builder<'_>, scope: &Scope<'_>, expr: &Expr) -> Emitted {
        let ctx = b.context();
        match &expr.kind {
            ExprKind::Number(_) => error(expr.span, "a number stands only in a matrix or inside of 'each'"),
            ExprKind::Name(name) => lookup(scope, name, expr.span),
            ExprKind::Matrix(rows) => {
                b.set_loc(self.loc(&ctx, expr.span));
                Ok(constant(b, rows))
            }
            ExprKind::Binary(operator, left, right) => {
                let (left, right) = (self.matrix(b, scope, left)?, self.matrix(b, scope, right)?);
                b.set_loc(self.loc(&ctx, expr.span));
                let (infer, build): (InferFn, BuildFn) = match operator {
                    Operator::Add => (shapes::same_extents, dialect::add),
                    Operator::Mul => (shapes::same_extents, dialect::mul),
                    Operator::MatMul => (shapes::product_extents, dialect::matmul),
                };
                let operands = [b.ty(left), b.ty(right)];
                let input = InferInput { ctx: &ctx, operands: &operands, props: Attr::UNIT };
                if let Err(message) = infer(&input) {
                    return error(expr.span, format!("this expression {message}"));
                }
                Ok(build(b, left, right))
            }
            ExprKind::Call(name, args) => self.call(b, scope, name, args, expr.span),
            ExprKind::Each { element, matrix, body } => {
                let matrix = self.matrix(b, scope, matrix)?;
                b.set_loc(self.loc(&ctx, expr.span));
                let each = Each::build(b, matrix);
                let (block, outside) = b.enter(each.op(), 0, &[Type::F64]);
                let arg = b.body().block(block).arg(0);
                let value = self.scalar(b, element, arg, body)?;
                dialect::Yield::build(b, value);
                b.set_insertion_point(outside);
                Ok(each.result(b.body()))
            }
            ExprKind::Record(parts) => {
                let fields: Vec<Value> =
                    parts.iter().map(|part| self.matrix(b, scope, part)).collect::<Emitted<_>>()?;
                b.set_loc(self.loc(&ctx, expr.span));
                Ok(Pack::build(b, &fields).record(b.body()))
            }
            ExprKind::Field(record, index) => {
                let value = self.expr(b, scope, record)?;
                let Some(ty) = Record::cast(&ctx, b.ty(value)) else {
                    return error(record.span, "expected a record, found a matrix");
                };
                let count = ty.fields(&ctx).len();
                if *index >= count {
                    return error(
                        expr.span,
                        format!("the record has {count} fields, there is no field {index}"),
                    );
                }
                b.set_loc(self.loc(&ctx, expr.span));
                Ok(Field::build(b, value, *index as i64).result(b.body()))
            }
        }
    }
    // ANCHOR_END: expr

    fn call(&self, b: &mut Builder<'_>, scope: &Scope<'_>, name: &str, args: &[Expr], span: Span) -> Emitted {
        let ctx = b.context();
        let arity = match self.functions.get(name) {
            Some(&arity) => arity,
            None if BUILTINS.contains(&name) => 1,
            None => {
                let known = BUILTINS.into_iter().chain(self.functions.keys().copied());
                let near = nearest(name, known.collect::<Vec<_>>());
                let error = Diagnostic::error(format!("unknown function '{name}'")).at(span);
                return Err(Box::new(error.did_you_mean(near)));
            }
        };
        if args.len() != arity {
            return error(span, format!("'{name}' takes {arity} arguments, found {}", args.len()));
        }
        let args: Vec<Value> = args.iter().map(|arg| self.matrix(b, scope, arg)).collect::<Emitted<_>>()?;
        b.set_loc(self.loc(&ctx, span));
        let reduce = |b: &mut Builder<'_>, of| dialect::reduce(b, args[0], of);
        Ok(match name {
            "transpose" => dialect::transpose(b, args[0]),
            "sum" => reduce(b, Reduction::Sum),
            "max" => reduce(b, Reduction::Max),
            _ => {
                let args: Vec<Value> = args.into_iter().map(|arg| any_extents(b, arg)).collect();
                let call = Call::to(b, name, &args, &[matrix(&ctx, DYNAMIC, DYNAMIC)]);
                b.body().op(call.op()).result(0)
            }
        })
    }

    /// Emits an expression inside of `each`: a number computed from the element.
    fn scalar(&self, b: &mut Builder<'_>, element: &str, value: Value, expr: &Expr) -> Emitted {
        let ctx = b.context();
        match &expr.kind {
            ExprKind::Number(number) => Ok(arith::constant_float(b, *number, Type::F64)),
            ExprKind::Name(name) if name == element => Ok(value),
            ExprKind::Binary(operator, left, right) => {
                let left = self.scalar(b, element, value, left)?;
                let right = self.scalar(b, element, value, right)?;
                b.set_loc(self.loc(&ctx, expr.span));
                match operator {
                    Operator::Add => Ok(arith::addf(b, left, right)),
                    Operator::Mul => Ok(arith::mulf(b, left, right)),
                    Operator::MatMul => error(expr.span, "'@' multiplies matrices, found numbers"),
                }
            }
            ExprKind::Call(name, args) if name == "max" && args.len() == 2 => {
                let left = self.scalar(b, element, value, &args[0])?;
                let right = self.scalar(b, element, value, &args[1])?;
                b.set_loc(self.loc(&ctx, expr.span));
                Ok(arith::maximumf(b, left, right))
            }
            _ => error(
                expr.span,
                format!(
                    "expected a number inside of 'each': '{element}', a literal, '+', '*' or 'max(a, b)'"
                ),
            ),
        }
    }
}

fn lookup(scope: &Scope<'_>, name: &str, span: Span) -> Emitted {
    scope.get(name).copied().ok_or_else(|| {
        let error = Diagnostic::error(format!("unknown variable '{name}'")).at(span);
        Box::new(error.did_you_mean(nearest(name, scope.keys().copied().collect::<Vec<_>>())))
    })
}

fn constant(b: &mut Builder<'_>, rows: &[Vec<f64>]) -> Value {
    let ctx = b.context();
    let ty = matrix(&ctx, rows.len() as i64, rows[0].len() as i64);
    let elements = || rows.iter().flatten();
    let splat = elements().all(|element| element.to_bits() == rows[0][0].to_bits());
    let count = if splat { 1 } else { usize::MAX };
    let data = elements().take(count).flat_map(|element| element.to_le_bytes()).collect();
    dialect::constant(b, ctx.intern_attr(AttrData::DenseElements { ty, data, splat }))
}

/// The value with the type of parameters and results, whose extents are dynamic.
fn any_extents(b: &mut Builder<'_>, value: Value) -> Value {
    let any = matrix(&b.context(), DYNAMIC, DYNAMIC);
    if b.ty(value) == any { value } else { tensor::cast(b, value, any) }
}
