//! The textual form of MLIR: `.mlir` files.

use super::analysis::check_formattable;
use super::{Analysis, Checked, EmitOptions, Language, Lexicon};
use crate::Failure;
use crate::interface::Interface;
use minoan_diag::{Diagnostics, FileId, SourceMap};
use minoan_ir::text::{
    ParseOptions, PrintFlags, comments, parse_module, parse_module_with_xref, print_module,
};
use minoan_ir::{Context, Module, verify::verify};
use minoan_xref::{EntityKind, Xref};

/// MLIR modules.
pub struct Mlir;

impl Language for Mlir {
    fn name(&self) -> &'static str {
        "mlir"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["mlir"]
    }

    fn recognizes(&self, _: &str) -> bool {
        false
    }

    fn read(
        &self,
        ctx: &Context,
        sources: &SourceMap,
        file: FileId,
        options: &ParseOptions,
    ) -> Result<Box<dyn Checked>, Diagnostics> {
        let module = parse_module(ctx, sources, file, options)?;
        if !options.unverified {
            verify(&module)?;
        }
        Ok(Box::new(Parsed { module, warnings: Diagnostics::new() }))
    }

    fn lexicon(&self) -> Lexicon {
        Lexicon {
            comments: minoan_ir::text::comments,
            continues_name: |c| c.is_ascii_alphanumeric() || "_.$-".contains(c),
            sigils: "%@^!#",
            has_numbered_names: true,
            ..Lexicon::default()
        }
    }

    fn analyze(&self, ctx: &Context, sources: &SourceMap, file: FileId, options: &ParseOptions) -> Analysis {
        let (module, xref) = parse_module_with_xref(ctx, sources, file, options);
        let verified = module.and_then(|module| match options.unverified {
            true => Ok(()),
            false => verify(&module),
        });
        Analysis { diagnostics: verified.err().unwrap_or_default(), xref }
    }

    /// The printer names values by number, so only a text with the printer's names is formatted.
    fn format(&self, ctx: &Context, sources: &SourceMap, file: FileId) -> Result<String, String> {
        let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
        let text = sources.file(file).text();
        let (module, xref) = parse_module_with_xref(ctx, sources, file, &options);
        let (errors, module) = match module {
            Ok(module) => (Diagnostics::new(), Some(module)),
            Err(errors) => (errors, None),
        };
        check_formattable(sources, file, &errors, &comments(text))?;
        let Some(module) = module else { return Err("the file has a syntax error".to_owned()) };
        let printed = print_module(&module, &PrintFlags::default());
        let again = sources.add("printed.mlir", printed.as_str());
        let (_, printed_xref) = parse_module_with_xref(ctx, sources, again, &options);
        let (have, kept) = (local_names(&xref), local_names(&printed_xref));
        if have != kept {
            let lost = have.iter().zip(&kept).find(|(have, kept)| have != kept).map(|(have, _)| *have);
            return Err(match lost {
                Some(name) => format!("the name '{name}' would be lost, since the printer numbers values"),
                None => "names would be lost, since the printer numbers values".to_owned(),
            });
        }
        let explicit = xref
            .entities()
            .any(|(_, entity)| entity.kind == EntityKind::Operation && &*entity.name == "builtin.module");
        Ok(if explicit { printed } else { without_module(&printed).unwrap_or(printed) })
    }
}

/// The names of values and blocks, in text order.
fn local_names(xref: &Xref) -> Vec<&str> {
    let is_local = |kind| matches!(kind, EntityKind::Variable | EntityKind::Parameter | EntityKind::Block);
    let mut names: Vec<(u32, &str)> = xref
        .entities()
        .filter(|(_, entity)| is_local(entity.kind))
        .filter_map(|(_, entity)| Some((entity.definition?.start, &*entity.name)))
        .collect();
    names.sort_unstable();
    names.into_iter().map(|(_, name)| name).collect()
}

/// The operations of a printed module, without the module around them.
fn without_module(printed: &str) -> Option<String> {
    let (before, inside) = printed.split_once("module {\n")?;
    let inside = inside.trim_end().strip_suffix('}')?;
    let lines = inside.lines().map(|line| line.strip_prefix("  ").unwrap_or(line));
    Some(format!("{before}{}\n", lines.collect::<Vec<_>>().join("\n")))
}

struct Parsed {
    module: Module,
    warnings: Diagnostics,
}

impl Checked for Parsed {
    fn warnings(&self) -> &Diagnostics {
        &self.warnings
    }

    fn functions(&self) -> Vec<String> {
        let body = self.module.body();
        let ops = body.block(self.module.block()).ops();
        ops.filter_map(|op| body.op(op).symbol_name()).map(str::to_owned).collect()
    }

    /// The whole module, whose functions have visibilities of their own.
    fn module(&self, _: &Context, _: &SourceMap, _: &[&str], _: &EmitOptions) -> Result<Module, Failure> {
        Ok(self.module.clone())
    }

    fn interface(&self, _: &str, _: &EmitOptions) -> Result<Option<Interface>, Failure> {
        Ok(None)
    }

    fn into_module(self: Box<Self>) -> Result<Module, Box<dyn Checked>> {
        Ok(self.module)
    }
}
