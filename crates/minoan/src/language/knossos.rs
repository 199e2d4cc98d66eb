//! The language Knossos: `.ks` files.

use super::analysis::check_formattable;
use super::{Analysis, Checked, EmitOptions, Language, Lexicon};
use crate::interface::{ElementType, Interface, ValueType};
use crate::{Failure, Float};
use minoan_diag::{Diagnostic, Diagnostics, FileId, SourceMap};
use minoan_ir::text::ParseOptions;
use minoan_ir::{Context, Module, verify::verify};
use minoan_knossos::emit;
use minoan_knossos::{DefId, FnRef, Type, TypeId, TypedProgram, Types};

/// The language Knossos.
pub struct Knossos;

impl Language for Knossos {
    fn name(&self) -> &'static str {
        "knossos"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["ks"]
    }

    /// The text begins with a parenthesis or a comment of Knossos, as no MLIR module does.
    fn recognizes(&self, text: &str) -> bool {
        let text = text.trim_start();
        ["(", ")", ";", "#|"].iter().any(|start| text.starts_with(start))
    }

    fn read(
        &self,
        _: &Context,
        sources: &SourceMap,
        file: FileId,
        _: &ParseOptions,
    ) -> Result<Box<dyn Checked>, Diagnostics> {
        checked(sources, file, &[])
    }

    fn lexicon(&self) -> Lexicon {
        let keywords = minoan_knossos::RESERVED.into_iter().filter(|word| *word != "$dummy");
        let others = ["gdef", "lam", "Bool", "Tensor", "Tuple", "LM", "Any", "false"];
        Lexicon {
            comments: minoan_knossos::comments,
            keywords: keywords.chain(others).collect(),
            continues_name: minoan_knossos::continues_name,
            has_overloads: true,
            ..Lexicon::default()
        }
    }

    fn analyze(&self, _: &Context, sources: &SourceMap, file: FileId, _: &ParseOptions) -> Analysis {
        let (program, mut diagnostics) = minoan_knossos::parse(sources, file);
        let (typed, found) = minoan_knossos::check(&program);
        diagnostics.append(found);
        Analysis { diagnostics, xref: minoan_knossos::xref(&program, &typed) }
    }

    fn format(&self, _: &Context, sources: &SourceMap, file: FileId) -> Result<String, String> {
        let (program, diagnostics) = minoan_knossos::parse(sources, file);
        let comments = minoan_knossos::comments(sources.file(file).text());
        check_formattable(sources, file, &diagnostics, &comments)?;
        Ok(minoan_knossos::print(&program))
    }

    fn read_all(
        &self,
        _: &Context,
        sources: &SourceMap,
        files: &[FileId],
        _: &ParseOptions,
    ) -> Result<Box<dyn Checked>, Diagnostics> {
        match files.split_first() {
            Some((&file, others)) => checked(sources, file, others),
            None => Err(Diagnostic::error("a program has at least one file").into()),
        }
    }
}

/// Parses and checks a program of one or several files.
fn checked(sources: &SourceMap, file: FileId, others: &[FileId]) -> Result<Box<dyn Checked>, Diagnostics> {
    let (program, mut diagnostics) = minoan_knossos::parse_all(sources, file, others);
    let (typed, found) = minoan_knossos::check(&program);
    diagnostics.append(found);
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    Ok(Box::new(Program { typed, warnings: diagnostics }))
}

struct Program {
    typed: TypedProgram,
    warnings: Diagnostics,
}

impl Checked for Program {
    fn warnings(&self) -> &Diagnostics {
        &self.warnings
    }

    /// An Integer that `main` returns is an exit code: such programs print their output themselves.
    fn shows_result(&self, entry: &str) -> bool {
        let returns_code = |function| self.typed.signature(function).1 == Types::INTEGER;
        entry != "main" || !self.typed.find_entry(entry).is_ok_and(returns_code)
    }

    fn functions(&self) -> Vec<String> {
        self.typed.defs.iter().map(|def| self.typed.name_text(&def.name)).collect()
    }

    fn module(
        &self,
        ctx: &Context,
        sources: &SourceMap,
        roots: &[&str],
        options: &EmitOptions,
    ) -> Result<Module, Failure> {
        let roots: Vec<FnRef> = match roots {
            // Functions of linear maps have no compiled form.
            [] => (0..self.typed.defs.len() as u32)
                .map(|id| FnRef::Def(DefId(id)))
                .filter(|&function| {
                    let (arg, result) = self.typed.signature(function);
                    [arg, result].iter().all(|&ty| !self.typed.types.has_linear_map(ty))
                })
                .collect(),
            roots => roots.iter().map(|root| self.typed.find_entry(root)).collect::<Result<_, _>>()?,
        };
        let options = emit::EmitOptions { float: options.float, check_bounds: options.check_bounds };
        let module = emit::emit(ctx, sources, &self.typed, &roots, &options)?;
        verify(&module)?;
        Ok(module)
    }

    fn interface(&self, entry: &str, options: &EmitOptions) -> Result<Option<Interface>, Failure> {
        let function = self.typed.find_entry(entry)?;
        let (arg, result) = self.typed.signature(function);
        let params = match function {
            FnRef::Def(def) => Some(&self.typed.def(def).params),
            _ => None,
        };
        let types = &self.typed.types;
        let inputs: Vec<TypeId> = match (params, types.parts(arg)) {
            (Some(params), Some(parts)) if params.len() != 1 => parts.to_vec(),
            _ => vec![arg],
        };
        let value_type = |ty| value_type(types, ty, options.float);
        let inputs: Option<Vec<ValueType>> = inputs.into_iter().map(value_type).collect();
        // Such types have no lowering either, which emission reports with a location.
        let (Some(inputs), Some(result)) = (inputs, value_type(result)) else { return Ok(None) };
        let names =
            params.into_iter().flatten().map(|&param| self.typed.names.text(self.typed.var(param).name));
        let interface = Interface::new(inputs, result, names.map(str::to_owned).collect());
        Ok(Some(interface))
    }

    fn into_module(self: Box<Self>) -> Result<Module, Box<dyn Checked>> {
        Err(self)
    }
}

/// The type of values at the boundary of the program; `None` if values of the type do not cross it.
fn value_type(types: &Types, ty: TypeId, float: Float) -> Option<ValueType> {
    let scalar = |ty: &Type| match ty {
        Type::Integer => Some(ElementType::Signed(64)),
        Type::Bool => Some(ElementType::Bool),
        Type::Float if float == Float::F32 => Some(ElementType::F32),
        Type::Float => Some(ElementType::F64),
        _ => None,
    };
    match types.get(ty) {
        Type::String => Some(ValueType::String),
        &Type::Tensor(rank, element) => match scalar(types.get(element)) {
            Some(element) => Some(ValueType::tensor(rank as usize, element)),
            None => {
                let element = Box::new(value_type(types, element, float)?);
                Some(ValueType::Nested { rank: rank as usize, element })
            }
        },
        Type::Tuple(parts) => {
            let parts = parts.iter().map(|&part| value_type(types, part, float));
            parts.collect::<Option<_>>().map(ValueType::Tuple)
        }
        other => scalar(other).map(ValueType::Scalar),
    }
}
