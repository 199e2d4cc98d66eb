//! Libraries: several functions of a program that are compiled together.

use crate::Failure;
use crate::interface::{Interface, ValueType};
use crate::session::{Float, Program, Session, Stage, public_symbols};
use minoan_diag::Diagnostic;
use minoan_ir::Module;

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
