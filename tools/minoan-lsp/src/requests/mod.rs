//! The requests, by method.

mod actions;
mod completion;
mod edits;
mod hover;
mod navigation;
mod show_ir;
mod symbols;
mod tokens;

pub(crate) use show_ir::COMMAND;
pub(crate) use tokens::{MODIFIERS, TOKENS};

use crate::analysis::Analyzed;
use crate::document::Snapshot;
use crate::server::Shared;
use lsp_server::{ErrorCode, Request, ResponseError};
use lsp_types::Uri;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::str::FromStr;
use std::sync::Arc;

pub(crate) type Answer = Result<Value, ResponseError>;

pub(crate) fn error(code: ErrorCode, message: impl Into<String>) -> ResponseError {
    ResponseError { code: code as i32, message: message.into(), data: None }
}

/// The document that a request is about.
pub(crate) fn document_of(params: &Value) -> Option<Uri> {
    let uri = params.pointer("/textDocument/uri").or_else(|| params.pointer("/arguments/0/uri"));
    Uri::from_str(uri?.as_str()?).ok()
}

/// Whether a request may take long, and is answered on a separate thread.
pub(crate) fn is_slow(request: &Request) -> bool {
    matches!(&*request.method, "workspace/executeCommand" | show_ir::METHOD)
}

/// A request about a document: its version and its analysis.
pub(crate) struct Query<'a> {
    pub(crate) shared: &'a Shared,
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) analyzed: Arc<Analyzed>,
}

/// Answers a request.
pub(crate) fn answer(shared: &Shared, method: &str, params: Value, snapshot: Option<&Snapshot>) -> Answer {
    match method {
        "workspace/executeCommand" => return show_ir::command(&params, snapshot),
        show_ir::METHOD => return show_ir::request(shared, &params, snapshot),
        "textDocument/formatting" => return edits::formatting(shared, opened(snapshot)?),
        _ => {}
    }
    type Handler = fn(&Query<'_>, Value) -> Answer;
    let handler: Handler = match method {
        "textDocument/hover" => |query, params| call(query, params, hover::hover),
        "textDocument/definition" => |query, params| call(query, params, navigation::definition),
        "textDocument/references" => |query, params| call(query, params, navigation::references),
        "textDocument/documentHighlight" => |query, params| call(query, params, navigation::highlight),
        "textDocument/documentSymbol" => |query, params| call(query, params, symbols::symbols),
        "textDocument/foldingRange" => |query, params| call(query, params, symbols::folding),
        "textDocument/completion" => |query, params| call(query, params, completion::completion),
        "textDocument/prepareRename" => |query, params| call(query, params, edits::prepare_rename),
        "textDocument/rename" => |query, params| try_call(query, params, edits::rename),
        "textDocument/codeAction" => |query, params| call(query, params, actions::actions),
        "textDocument/inlayHint" => |query, params| call(query, params, tokens::hints),
        "textDocument/semanticTokens/full" => |query, params| call(query, params, tokens::full),
        "textDocument/semanticTokens/range" => |query, params| call(query, params, tokens::range),
        _ => return Err(error(ErrorCode::MethodNotFound, format!("unknown request '{method}'"))),
    };
    let snapshot = opened(snapshot)?;
    let analyzed = shared.analyzer.analyze(snapshot);
    let analyzed = analyzed
        .ok_or_else(|| error(ErrorCode::ContentModified, "the document changed before it was analyzed"))?;
    handler(&Query { shared, snapshot, analyzed }, params)
}

/// The document of a request, which must be open.
fn opened(snapshot: Option<&Snapshot>) -> Result<&Snapshot, ResponseError> {
    snapshot.ok_or_else(|| error(ErrorCode::InvalidParams, "the document is not open"))
}

fn parse<P: DeserializeOwned>(params: Value) -> Result<P, ResponseError> {
    serde_json::from_value(params).map_err(|found| error(ErrorCode::InvalidParams, found.to_string()))
}

fn to_value<R: Serialize>(result: R) -> Answer {
    serde_json::to_value(result).map_err(|found| error(ErrorCode::InternalError, found.to_string()))
}

fn call<P: DeserializeOwned, R: Serialize>(
    query: &Query<'_>,
    params: Value,
    handler: impl FnOnce(&Query<'_>, P) -> R,
) -> Answer {
    to_value(handler(query, parse(params)?))
}

fn try_call<P: DeserializeOwned, R: Serialize>(
    query: &Query<'_>,
    params: Value,
    handler: impl FnOnce(&Query<'_>, P) -> Result<R, ResponseError>,
) -> Answer {
    to_value(handler(query, parse(params)?)?)
}
