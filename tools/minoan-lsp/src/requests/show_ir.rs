//! The IR of a function at a stage of the compilation.
//!
//! The request `minoan/showIr` takes `{ textDocument, stage?, function?, position? }` and returns `{ text, stage,
//! function }`. The command `minoan.showIr` takes the same as its argument, with `uri` in place of `textDocument`. The
//! function is the one named, or else the one at the position; all functions without either.

use super::{Answer, error, opened};
use crate::document::Snapshot;
use crate::server::Shared;
use crate::workspace::{bare, path_of};
use lsp_server::ErrorCode;
use lsp_types::Position;
use minoan::xref::EntityKind;
use minoan::{Failure, Float, Session, Stage};
use serde_json::{Value, json};

pub(crate) const METHOD: &str = "minoan/showIr";
pub(crate) const COMMAND: &str = "minoan.showIr";

/// The stages that do not need LLVM.
const STAGES: [Stage; 4] = [Stage::FrontEnd, Stage::Shared, Stage::Schedule, Stage::Buffers];

pub(super) fn command(params: &Value, snapshot: Option<&Snapshot>) -> Answer {
    let command = params.get("command").and_then(Value::as_str).unwrap_or("");
    if command != COMMAND {
        return Err(error(ErrorCode::InvalidParams, format!("unknown command '{command}'")));
    }
    let argument = params.pointer("/arguments/0").unwrap_or(&Value::Null);
    show(argument, opened(snapshot)?, None)
}

pub(super) fn request(shared: &Shared, params: &Value, snapshot: Option<&Snapshot>) -> Answer {
    show(params, opened(snapshot)?, Some(shared))
}

fn show(params: &Value, snapshot: &Snapshot, shared: Option<&Shared>) -> Answer {
    let invalid = |message: String| error(ErrorCode::InvalidParams, message);
    let name = params.get("stage").and_then(Value::as_str).unwrap_or("shared");
    let stage = Stage::named(name).map_err(|found| invalid(found.message))?;
    if !STAGES.contains(&stage) {
        let message = format!("the stage '{name}' needs LLVM, which is not part of the language server");
        return Err(invalid(format!("{message}; run 'kc build --emit={name}'")));
    }
    let position = params.get("position").map(|it| serde_json::from_value::<Position>(it.clone()));
    let position = position.transpose().map_err(|found| invalid(found.to_string()))?;
    let named = params.get("function").and_then(Value::as_str).map(str::to_owned);
    let function = named.or_else(|| function_at(shared?, snapshot, position?));
    match ir(snapshot, stage, function.as_deref()) {
        Ok(text) => Ok(json!({ "text": text, "stage": name, "function": function })),
        Err(failure) => Err(error(ErrorCode::RequestFailed, failure.to_string())),
    }
}

/// The innermost function around a position.
fn function_at(shared: &Shared, snapshot: &Snapshot, position: Position) -> Option<String> {
    let analyzed = shared.analyzer.analyze(snapshot)?;
    let offset = snapshot.text.offset(position);
    let around = analyzed.xref.entities().filter_map(|(_, entity)| {
        let extent = entity.extent.filter(|extent| extent.start <= offset && offset <= extent.end)?;
        (entity.kind == EntityKind::Function).then_some((extent.end - extent.start, entity))
    });
    around.min_by_key(|&(size, _)| size).map(|(_, entity)| bare(&entity.name).to_owned())
}

fn ir(snapshot: &Snapshot, stage: Stage, function: Option<&str>) -> Result<String, Failure> {
    let mut session = Session::new();
    // The identifier of an editor that has its own name for the language is ignored.
    _ = session.set_language(Some(&snapshot.language));
    let program = session.read_text(&path_of(&snapshot.uri), snapshot.text.as_str())?;
    let roots: Vec<&str> = function.into_iter().collect();
    let mut module = session.module(&program, &roots, Float::F32)?;
    if stage != Stage::FrontEnd {
        session.advance(&mut module, stage)?;
    }
    Ok(minoan::output::module_text(&module))
}
