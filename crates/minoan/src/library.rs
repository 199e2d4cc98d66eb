//! Libraries: several functions of a program that are compiled together.

use crate::Failure;
use crate::interface::{Interface, ValueType};
use crate::session::{Float, Program, Session, Stage, public_symbols};
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::text::print_type;
use minoan_ir::{Module, SymbolTable, Type};
use minoan_services::function_types;

/// Functions of a program, lowered together to the shared dialects.
pub struct Library {
    /// The module, whose public functions are those of the library.
    pub module: Module,
    /// The functions, in the order of the module.
    pub functions: Vec<LibraryFunction>,
}

/// A function of a library.
#[derive(Clone, Debug)]
pub struct LibraryFunction {
    /// The symbol in the module.
    pub symbol: String,
    /// The types of its arguments and results in the source language.
    pub interface: Interface,
}

impl Library {
    /// Whether a function has an argument or result of a data type.
    pub fn has_data_types(&self) -> bool {
        let is_data = |ty: &ValueType| ty.leaves().iter().any(|leaf| matches!(leaf, ValueType::Data(_)));
        let interfaces = self.functions.iter().map(|function| &function.interface);
        interfaces
            .into_iter()
            .any(|Interface { params, result, .. }| params.iter().chain([result]).any(is_data))
    }
}

impl Session {
    /// Lowers functions of a program, by name, and everything that they reach; without names, all functions that other
    /// programs can call.
    ///
    /// # Errors
    /// A function does not exist, or the program has no public functions; lowering fails; a parameter or result of a function has
    /// a type that cannot cross the boundary of the program.
    pub fn library(&self, program: &Program, names: &[&str], float: Float) -> Result<Library, Failure> {
        let (mut module, declared) = self.emit_bound(program, names, float)?;
        self.advance(&mut module, Stage::Shared)?;
        let symbols: Vec<String> = public_symbols(&module).into_iter().map(str::to_owned).collect();
        if symbols.is_empty() {
            return Err(Diagnostic::error(format!("'{}' has no public functions", program.name())).into());
        }
        check_types(&module, &symbols)?;
        // The roots of a program that describes its functions itself are the public functions, in order.
        let declared = declared.filter(|declared| declared.len() == symbols.len());
        let interfaces = match declared {
            Some(declared) => declared,
            None => {
                symbols.iter().map(|symbol| self.interface_of(&module, symbol)).collect::<Result<_, _>>()?
            }
        };
        let functions = symbols.into_iter().zip(interfaces);
        let functions = functions.map(|(symbol, interface)| LibraryFunction { symbol, interface }).collect();
        Ok(Library { module, functions })
    }
}

/// The note of an error about a type that functions of a library cannot have.
const LIBRARY_TYPES: &str = "callers of a library pass and receive indices, integers of up to 64 bits, Booleans, floats \
                             (f16, bf16, f32, f64), complex numbers (complex<f32>, complex<f64>), vectors of these of a fixed \
                             length, and ranked tensors and memrefs, whose integers have 8, 16, 32 or 64 bits";

/// Checks that the arguments and results of functions have types in C, as far as their widths are concerned.
fn check_types(module: &Module, symbols: &[String]) -> Result<(), Diagnostics> {
    let (ctx, body) = (module.context(), module.body());
    let table = SymbolTable::of(body);
    let has_c_type = |ty: Type| {
        let is_array = ty.shape(ctx).is_some() && !ty.is_vector(ctx);
        let has_type = |width| matches!(width, 1 | 8 | 16 | 32 | 64) || !is_array && width < 64;
        ty.element_or_self(ctx).integer_width(ctx).is_none_or(has_type)
    };
    let mut errors = Diagnostics::new();
    for symbol in symbols {
        let Some(function) = table.get(ctx.name(symbol)).map(|function| body.op(function)) else { continue };
        let (inputs, results) = function_types(function).unwrap_or_default();
        for (what, types) in [("argument", inputs), ("result", results)] {
            for (at, &ty) in types.iter().enumerate().filter(|&(_, &ty)| !has_c_type(ty)) {
                let ty = print_type(ctx, ty);
                let number = at + 1;
                let message = format!(
                    "{what} {number} of function '{symbol}' has type '{ty}', which libraries cannot have"
                );
                errors.push(Diagnostic::error(message).at(function.loc().place(ctx)).note(LIBRARY_TYPES));
            }
        }
    }
    if errors.has_errors() { Err(errors) } else { Ok(()) }
}
