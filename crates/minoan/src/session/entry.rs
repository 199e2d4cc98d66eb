//! Functions of programs and modules, lowered to the shared dialects.

use super::{Float, Program, Session, Stage};
use crate::interface::{Interface, ValueType};
use crate::{Failure, bind};
use minoan_diag::{Diagnostic, nearest};
use minoan_frontend::with_known_names;
use minoan_func::Func;
use minoan_ir::verify::verify;
use minoan_ir::{Module, Op, Traits};
use minoan_pass::{PassManager, Pipeline};
use minoan_passes::symbol_dce::SymbolDce;
use minoan_services::{ByAttributes, Symbols, Visibility};

/// A function of a program, lowered to shared dialects on tensors, ready to be run or compiled.
#[derive(Clone)]
pub struct Entry {
    /// The module that contains the function, which is public.
    pub module: Module,
    /// Its symbol.
    pub symbol: String,
    /// The types of its arguments and results in the source language.
    pub interface: Interface,
}

impl Session {
    /// Lowers a function of a program and everything reachable from it to shared dialects.
    ///
    /// # Errors
    /// The function does not exist, or lowering it fails.
    pub fn entry(&self, program: &Program, name: &str, float: Float) -> Result<Entry, Failure> {
        let (mut module, declared) = self.emit_bound(program, &[name], float)?;
        let declared = declared.and_then(|declared| declared.into_iter().next());
        self.advance(&mut module, Stage::Shared)?;
        // A root that the source names in its own way is the first function; any other has its name as its symbol.
        let symbol = public_symbol(&module, declared.is_none().then_some(name))?;
        let interface = match declared {
            Some(interface) => interface,
            None => self.interface_of(&module, &symbol)?,
        };
        Ok(Entry { module, symbol, interface })
    }

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

    /// Like [`Session::module`], without the functions that are unreachable from these, and with the parameters that have a
    /// [bound](Self::bound) value replaced by constants.
    ///
    /// # Errors
    /// As [`Session::module`]; a bound value has another type than its parameter, or no parameter has its name.
    pub fn bound_module(&self, program: &Program, names: &[&str], float: Float) -> Result<Module, Failure> {
        self.emit_bound(program, names, float).map(|(module, _)| module)
    }

    /// The module of the named functions of a program, or of all functions if there are no names, in the dialect of its language,
    /// with bound parameters replaced by constants. Also returns the interfaces that the language declares for the functions.
    pub(crate) fn emit_bound(
        &self,
        program: &Program,
        names: &[&str],
        float: Float,
    ) -> Result<(Module, Option<Vec<Interface>>), Failure> {
        let options = self.emit_options(float);
        let all = program.functions();
        let wanted: Vec<&str> =
            if names.is_empty() { all.iter().map(String::as_str).collect() } else { names.to_vec() };
        let declared = wanted.iter().map(|name| program.checked.interface(name, &options));
        let mut declared = declared.collect::<Result<Option<Vec<Interface>>, _>>()?;
        let mut module = self.module(program, names, float)?;
        if declared.is_none() && !names.is_empty() {
            keep_only(&mut module, names)?;
        }
        self.bind(&mut module, names, declared.as_deref_mut())?;
        Ok((module, declared))
    }

    /// Replaces the parameters that have a [bound](Self::bound) value by constants, in the public functions of a module in the
    /// dialect of its language. `declared` has the interfaces that the language declares for them, in order.
    fn bind(
        &self,
        module: &mut Module,
        names: &[&str],
        declared: Option<&mut [Interface]>,
    ) -> Result<(), Failure> {
        if self.bound.is_empty() {
            return Ok(());
        }
        let body = module.body();
        let is_public = |op: &minoan_ir::Op| {
            let view = body.op(*op);
            view.has_trait(minoan_ir::Traits::FUNCTION_LIKE)
                && <dyn Symbols>::of(view).visibility(view) == Visibility::Public
        };
        let public = body.block(module.block()).ops().filter(is_public);
        let symbols: Vec<String> =
            public.filter_map(|op| body.op(op).symbol_name().map(str::to_owned)).collect();
        let (mut derived, symbols) = match &declared {
            Some(_) => (Vec::new(), symbols),
            None => {
                let named = |symbol: &String| names.is_empty() || names.contains(&symbol.as_str());
                let symbols: Vec<String> = symbols.into_iter().filter(named).collect();
                let interfaces = symbols.iter().map(|symbol| self.interface_of(module, symbol));
                (interfaces.collect::<Result<Vec<_>, _>>()?, symbols)
            }
        };
        let interfaces = declared.unwrap_or(&mut derived);
        let mut functions: Vec<bind::Function<'_>> = symbols
            .iter()
            .zip(interfaces)
            .map(|(symbol, interface)| bind::Function { symbol, interface })
            .collect();
        bind::bind(module, &mut functions, &self.bound)
    }

    /// The interface of a function of a module, derived from its types and signatures.
    pub(crate) fn interface_of(&self, module: &Module, symbol: &str) -> Result<Interface, Failure> {
        let body = module.body();
        match minoan_ir::SymbolTable::of(body).get(self.ctx.name(symbol)) {
            Some(function) => Interface::of_function(body.op(function)),
            None => Ok(Interface::new(Vec::new(), ValueType::Tuple(Vec::new()), Vec::new())),
        }
    }
}

/// Makes these functions of a module public, and erases unreachable symbols, which need not be lowered or linked.
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
            let error = Diagnostic::error(format!("unknown function '{}'", symbols[index]));
            Err(with_known_names(error, symbols[index], "function", names).into())
        }
    }
}

/// The names of the public functions of a module in the shared dialects, in order.
pub(crate) fn public_symbols(module: &Module) -> Vec<&str> {
    let body = module.body();
    let is_public = |op: &minoan_ir::Op| {
        let view = body.op(*op);
        view.is::<Func>() && <dyn Symbols>::of(view).visibility(view) == Visibility::Public
    };
    let functions = body.block(module.block()).ops().filter(is_public);
    functions.filter_map(|op| body.op(op).symbol_name()).collect()
}

/// The public function of a name, or the only one.
fn public_symbol(module: &Module, name: Option<&str>) -> Result<String, Failure> {
    let public = public_symbols(module);
    let found = match name {
        Some(name) => public.iter().find(|&&symbol| symbol == name),
        None => public.first(),
    };
    match found {
        Some(symbol) => Ok((*symbol).to_owned()),
        None => {
            let name = name.unwrap_or("main");
            let error = Diagnostic::error(format!("unknown public function '{name}'"));
            Err(error.did_you_mean(nearest(name, public)).into())
        }
    }
}
