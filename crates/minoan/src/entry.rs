//! Entries of modules that are not read from a file.

use crate::Failure;
use crate::session::{Entry, Session, Stage};
use minoan_diag::Diagnostic;
use minoan_frontend::with_known_names;
use minoan_ir::verify::verify;
use minoan_ir::{Module, Op, Traits};
use minoan_pass::{PassManager, Pipeline};
use minoan_passes::symbol_dce::SymbolDce;
use minoan_services::{ByAttributes, Symbols, Visibility};

impl Session {
    /// Lowers a function of a module and everything reachable from it to the shared dialects, ready to be
    /// [run](Session::run) or [compiled](Session::load). The module is verified first and not changed; it may contain any
    /// dialect of the session.
    ///
    /// # Errors
    /// The module belongs to another context or is invalid, it does not define the function, a value of the function is of
    /// a type that does not cross the boundary of a program, or an operation has no lowering.
    ///
    /// ```
    /// use minoan::dialects::{arith::addi, func::{Func, Return}};
    /// use minoan::ir::{Builder, InsertionPoint, Loc, Module, Type};
    /// use minoan::{Backend, Datum, Session, services::Visibility};
    ///
    /// let session = Session::new();
    /// let mut module = Module::new(session.context(), Loc::UNKNOWN);
    /// let top = module.block();
    /// let mut b = Builder::new(module.body_mut(), InsertionPoint::End(top));
    /// Func::with_body(&mut b, "twice", &[Type::I64], &[Type::I64], Visibility::Public, |b, args| {
    ///     let sum = addi(b, args[0], args[0]);
    ///     Return::build(b, &[sum]);
    /// });
    /// let entry = session.entry_of(&module, "twice")?;
    /// let result = session.run(&entry, &[Datum::Int(21)], Backend::Interpret)?;
    /// assert_eq!(result, [Datum::Int(42)]);
    /// # Ok::<(), minoan::Failure>(())
    /// ```
    pub fn entry_of(&self, module: &Module, symbol: &str) -> Result<Entry, Failure> {
        let mut module = self.checked(module)?;
        keep_only(&mut module, &[symbol])?;
        self.advance(&mut module, Stage::Shared)?;
        let interface = self.interface_of(&module, symbol)?;
        Ok(Entry { module, symbol: symbol.to_owned(), interface })
    }

    /// A copy of a valid module of this session's context.
    fn checked(&self, module: &Module) -> Result<Module, Failure> {
        if module.context() != self.context() {
            return Err(Diagnostic::error("the module belongs to another context than the session")
                .help("create it in the context of the session, `session.context()`")
                .into());
        }
        verify(module)?;
        Ok(module.clone())
    }
}

/// Makes these functions of a module public, and erases what they do not reach: it is neither lowered nor linked.
pub(crate) fn keep_only(module: &mut Module, symbols: &[&str]) -> Result<(), Failure> {
    publish(module, symbols)?;
    let unused = Pipeline::new(vec![Box::new(SymbolDce)]);
    PassManager::new(&unused).verify_each(false).run(module).into_result()?;
    Ok(())
}

/// Makes these functions of a module public and all others private.
fn publish(module: &mut Module, symbols: &[&str]) -> Result<(), Failure> {
    let (ctx, block) = (module.context().clone(), module.block());
    let body = module.body_mut();
    let functions: Vec<Op> =
        body.block(block).ops().filter(|&op| body.op(op).has_trait(Traits::FUNCTION_LIKE)).collect();
    let mut found = vec![false; symbols.len()];
    for op in functions {
        let view = body.op(op);
        let wanted = symbols.iter().position(|&symbol| view.symbol_name() == Some(symbol));
        let is_defined = view.nested().is_some_and(|inside| inside.region(inside.root(0)).entry().is_some());
        if let Some(index) = wanted {
            if !is_defined {
                let error = format!("function '{}' is declared, but not defined", symbols[index]);
                return Err(Diagnostic::error(error).at(view.loc().place(view.context())).into());
            }
            found[index] = true;
        }
        let visibility = if wanted.is_some() { Visibility::Public } else { Visibility::Private };
        if <dyn Symbols>::of(view).visibility(view) != visibility {
            let symbols = ctx.service::<dyn Symbols>(view.kind()).unwrap_or(&ByAttributes);
            symbols.set_visibility(body, op, visibility);
        }
    }
    match found.iter().position(|&found| !found) {
        None => Ok(()),
        Some(index) => {
            let names = body.block(block).ops().filter_map(|op| body.op(op).symbol_name());
            let error = Diagnostic::error(format!("the module has no function '{}'", symbols[index]));
            Err(with_known_names(error, symbols[index], "function", names).into())
        }
    }
}
