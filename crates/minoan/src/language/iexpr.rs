//! The language of i-expressions: `.iexpr` files.

use super::analysis::check_formattable;
use super::{Analysis, Checked, EmitOptions, Language, Lexicon};
use crate::Failure;
use crate::interface::Interface;
use minoan_diag::{Diagnostics, FileId, SourceMap};
use minoan_iexpr::emit;
use minoan_ir::text::ParseOptions;
use minoan_ir::{Context, Module, verify::verify};

/// The language of i-expressions.
pub struct IExpr;

impl Language for IExpr {
    fn name(&self) -> &'static str {
        "iexpr"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["iexpr"]
    }

    /// The first definition is a literal expression: `name = i("...")`.
    fn recognizes(&self, text: &str) -> bool {
        let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
        first.is_some_and(|line| line.contains("i(\"") || line.contains("i('"))
    }

    fn read(
        &self,
        _: &Context,
        sources: &SourceMap,
        file: FileId,
        _: &ParseOptions,
    ) -> Result<Box<dyn Checked>, Diagnostics> {
        let (file, mut diagnostics) = minoan_iexpr::parse(sources, file);
        let (checked, found) = minoan_iexpr::check(&file);
        diagnostics.append(found);
        if diagnostics.has_errors() {
            return Err(diagnostics);
        }
        Ok(Box::new(Components { checked, warnings: diagnostics }))
    }

    fn lexicon(&self) -> Lexicon {
        Lexicon { comments: minoan_iexpr::comments, keywords: vec!["i"], ..Lexicon::default() }
    }

    fn analyze(&self, _: &Context, sources: &SourceMap, file: FileId, _: &ParseOptions) -> Analysis {
        let (file, mut diagnostics) = minoan_iexpr::parse(sources, file);
        let (checked, found) = minoan_iexpr::check(&file);
        diagnostics.append(found);
        Analysis { diagnostics, xref: checked.xref() }
    }

    fn format(&self, _: &Context, sources: &SourceMap, file: FileId) -> Result<String, String> {
        let (parsed, diagnostics) = minoan_iexpr::parse(sources, file);
        let comments = minoan_iexpr::comments(sources.file(file).text());
        check_formattable(sources, file, &diagnostics, &comments)?;
        Ok(minoan_iexpr::print(&parsed))
    }
}

struct Components {
    checked: minoan_iexpr::Checked,
    warnings: Diagnostics,
}

impl Checked for Components {
    fn warnings(&self) -> &Diagnostics {
        &self.warnings
    }

    /// The last definition.
    fn default_entry(&self) -> &str {
        self.checked.default_entry().unwrap_or("main")
    }

    fn functions(&self) -> Vec<String> {
        self.checked.functions().map(str::to_owned).collect()
    }

    fn module(
        &self,
        ctx: &Context,
        sources: &SourceMap,
        roots: &[&str],
        options: &EmitOptions,
    ) -> Result<Module, Failure> {
        let all: Vec<&str> = match roots {
            [] => self.checked.functions().collect(),
            roots => roots.to_vec(),
        };
        let options = emit::EmitOptions { float: options.float, ..emit::EmitOptions::default() };
        let module = emit::emit(ctx, sources, &self.checked, &all, &options)?;
        verify(&module)?;
        Ok(module)
    }

    /// The types of the function are those of the source.
    fn interface(&self, _: &str, _: &EmitOptions) -> Result<Option<Interface>, Failure> {
        Ok(None)
    }

    fn into_module(self: Box<Self>) -> Result<Module, Box<dyn Checked>> {
        Err(self)
    }
}
