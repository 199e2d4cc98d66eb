//! The language Relay, the text format of TVM: `.relay` and `.rly` files.

use super::analysis::check_formattable;
use super::{Analysis, Checked, EmitOptions, Language, Lexicon};
use crate::Failure;
use crate::interface::{Constructors, DataType, ElementType, Interface, ValueType};
use minoan_diag::{Diagnostic, Diagnostics, FileId, SourceMap};
use minoan_frontend::with_stack;
use minoan_ir::text::ParseOptions;
use minoan_ir::{Context, Module, verify::verify};
use minoan_relay::{DefId, Type, TypeId, TypedProgram, Types, emit};
use minoan_relay_dialect::DType;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The language Relay.
pub struct Relay;

impl Language for Relay {
    fn name(&self) -> &'static str {
        "relay"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["relay", "rly"]
    }

    /// The text begins with its version or a definition.
    fn recognizes(&self, text: &str) -> bool {
        let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with("//"));
        first.is_some_and(|line| line.starts_with("#[version") || line.starts_with("def @"))
    }

    /// Names that the program does not define are looked up in the standard prelude.
    fn read(
        &self,
        _: &Context,
        sources: &SourceMap,
        file: FileId,
        _: &ParseOptions,
    ) -> Result<Box<dyn Checked>, Diagnostics> {
        let (module, mut diagnostics) = minoan_relay::parse(sources, file);
        let (typed, found) = minoan_relay::check(module);
        let alone = !found.has_errors();
        diagnostics.append(found);
        if alone && !diagnostics.has_errors() {
            return Ok(Box::new(Program { typed, warnings: diagnostics }));
        }
        let (module, mut with_prelude) = minoan_relay::parse_with_prelude(sources, file);
        let (typed, found) = minoan_relay::check(module);
        with_prelude.append(found);
        if with_prelude.has_errors() {
            // Errors without the prelude are closer to the cause, unless the program depends on the prelude.
            return Err(if resolves(&with_prelude, &diagnostics) { with_prelude } else { diagnostics });
        }
        Ok(Box::new(Program { typed, warnings: with_prelude }))
    }

    fn lexicon(&self) -> Lexicon {
        let keywords = minoan_relay::KEYWORDS.into_iter();
        Lexicon {
            comments: minoan_relay::comments,
            keywords: keywords.chain(["True", "False", "Tensor", "ref"]).collect(),
            continues_name: |c| c.is_ascii_alphanumeric() || "_./".contains(c),
            sigils: "%@",
            has_numbered_names: true,
            ..Lexicon::default()
        }
    }

    /// With the prelude only if that removes errors.
    fn analyze(&self, _: &Context, sources: &SourceMap, file: FileId, _: &ParseOptions) -> Analysis {
        let (module, mut diagnostics) = minoan_relay::parse(sources, file);
        let (typed, found) = minoan_relay::check(module);
        let alone = !found.has_errors();
        diagnostics.append(found);
        if !alone {
            let (module, mut with_prelude) = minoan_relay::parse_with_prelude(sources, file);
            let (typed, found) = minoan_relay::check(module);
            with_prelude.append(found);
            if resolves(&with_prelude, &diagnostics) {
                return Analysis { diagnostics: with_prelude, xref: typed.xref() };
            }
        }
        Analysis { diagnostics, xref: typed.xref() }
    }

    fn format(&self, _: &Context, sources: &SourceMap, file: FileId) -> Result<String, String> {
        let (module, diagnostics) = minoan_relay::parse(sources, file);
        let comments = minoan_relay::comments(sources.file(file).text());
        check_formattable(sources, file, &diagnostics, &comments)?;
        Ok(minoan_relay::print(&module))
    }
}

struct Program {
    typed: TypedProgram,
    warnings: Diagnostics,
}

impl Program {
    /// The monomorphic functions, which can be compiled without their callers.
    fn monomorphic(&self) -> impl Iterator<Item = DefId> {
        self.typed.entries().filter(|&def| self.typed.signature(def).is_some_and(|it| it.vars.is_empty()))
    }
}

impl Checked for Program {
    fn warnings(&self) -> &Diagnostics {
        &self.warnings
    }

    fn functions(&self) -> Vec<String> {
        self.monomorphic().map(|def| self.typed.def(def).name.to_string()).collect()
    }

    fn module(
        &self,
        ctx: &Context,
        sources: &SourceMap,
        roots: &[&str],
        _: &EmitOptions,
    ) -> Result<Module, Failure> {
        let roots: Vec<DefId> = match roots {
            [] => self.monomorphic().collect(),
            roots => roots.iter().map(|root| self.typed.find_entry(root)).collect::<Result<_, _>>()?,
        };
        let module = emit::emit(ctx, sources, &self.typed, &roots, &emit::EmitOptions::default())?;
        verify(&module)?;
        Ok(module)
    }

    fn losses(&self) -> Diagnostics {
        let mut losses = Diagnostics::new();
        for (name, span) in self.typed.polymorphic() {
            let message = format!("'@{name}' is polymorphic: the printed text has only its instances");
            losses.push(Diagnostic::warning(message).at(span));
        }
        losses
    }

    /// The types of the source: lowering drops the signs of integers and decomposes tuples.
    fn interface(&self, entry: &str, _: &EmitOptions) -> Result<Option<Interface>, Failure> {
        let Some(signature) = self.typed.signature(self.typed.find_entry(entry)?) else { return Ok(None) };
        let (names, params): (Vec<String>, Vec<TypeId>) =
            signature.params.into_iter().map(|(name, ty)| (name.into(), ty)).unzip();
        let program = &self.typed;
        let params: Option<Vec<ValueType>> = params.into_iter().map(|ty| value_type(program, ty)).collect();
        // Functions and references do not cross the boundary.
        let (Some(params), Some(result)) = (params, value_type(program, signature.result)) else {
            return Ok(None);
        };
        Ok(Some(Interface::new(params, result, names)))
    }

    fn into_module(self: Box<Self>) -> Result<Module, Box<dyn Checked>> {
        Err(self)
    }
}

/// The type of values at the boundary of the program; `None` if values of the type do not cross it.
fn value_type(program: &TypedProgram, ty: TypeId) -> Option<ValueType> {
    let mut tables = Tables { program, types: program.types.clone(), table: BTreeMap::new() };
    let ty = tables.value_type(ty)?;
    // The table belongs to the outermost data types.
    let table = Arc::new(tables.table);
    Some(with_table(ty, &table))
}

fn with_table(ty: ValueType, table: &Arc<BTreeMap<Arc<str>, Constructors>>) -> ValueType {
    match ty {
        ValueType::Data(ty) => ValueType::Data(DataType { name: ty.name, table: table.clone() }),
        ValueType::Tuple(parts) => {
            ValueType::Tuple(parts.into_iter().map(|part| with_stack(|| with_table(part, table))).collect())
        }
        other => other,
    }
}

/// The constructors of the data types that a type contains.
struct Tables<'p> {
    program: &'p TypedProgram,
    types: Types,
    table: BTreeMap<Arc<str>, Constructors>,
}

/// Upper bounds on the instances of data types and on the parts of one: fields may be ever larger instances, which emission
/// reports.
const MAX_DATA_TYPES: usize = 1000;
const MAX_PARTS: usize = 1000;

impl Tables<'_> {
    fn value_type(&mut self, ty: TypeId) -> Option<ValueType> {
        match self.types.get(ty).clone() {
            Type::Tuple(parts) => {
                let parts = parts.iter().map(|&part| with_stack(|| self.value_type(part)));
                parts.collect::<Option<_>>().map(ValueType::Tuple)
            }
            Type::Data(..) => with_stack(|| self.data_type(ty)),
            _ => self.tensor_type(ty),
        }
    }

    fn data_type(&mut self, ty: TypeId) -> Option<ValueType> {
        if self.types.is_larger(ty, MAX_PARTS) {
            return None;
        }
        let name: Arc<str> = self.types.text(ty).into();
        if !self.table.contains_key(&name) {
            if self.table.len() > MAX_DATA_TYPES {
                return None;
            }
            self.table.insert(name.clone(), Vec::new());
            let mut constructors = Vec::new();
            for (ctor, fields) in self.program.constructors(&mut self.types, ty)? {
                let fields = fields.into_iter().map(|field| self.value_type(field));
                constructors.push((ctor, fields.collect::<Option<Vec<_>>>()?));
            }
            self.table.insert(name.clone(), constructors);
        }
        Some(ValueType::Data(DataType { name, table: Arc::default() }))
    }

    fn tensor_type(&self, ty: TypeId) -> Option<ValueType> {
        let (extents, dtype) = self.types.tensor_parts(ty)?;
        let element = match dtype {
            DType::Bool | DType::Int(1) | DType::UInt(1) => ElementType::Bool,
            DType::Int(bits) => ElementType::Signed(bits.into()),
            DType::UInt(bits) => ElementType::Unsigned(bits.into()),
            DType::Float(16) => ElementType::F16,
            DType::Float(32) => ElementType::F32,
            DType::Float(64) => ElementType::F64,
            DType::BFloat(16) => ElementType::BF16,
            DType::Float(_) | DType::BFloat(_) | DType::Void => return None,
        };
        // A scalar is a tensor of rank 0, in the lowered function too.
        let shape = extents.into_iter().map(|extent| extent.and_then(|extent| usize::try_from(extent).ok()));
        Some(ValueType::Tensor { shape: shape.collect(), element })
    }
}

/// Whether the prelude resolves errors: there are fewer with it, or others.
fn resolves(with: &Diagnostics, without: &Diagnostics) -> bool {
    let is_left = |error: &Diagnostic| with.iter().any(|other| other.message == error.message);
    match with.error_count().cmp(&without.error_count()) {
        Ordering::Less => true,
        Ordering::Equal => !without.iter().all(is_left),
        Ordering::Greater => false,
    }
}
