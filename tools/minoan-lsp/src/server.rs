//! The main loop, which receives messages, and the threads that analyze documents and answer requests.
//!
//! The main thread owns the documents and never analyzes. It hands work to one thread that analyzes documents and
//! answers requests in the order of arrival, and to a thread per request for IR, which may take long.

use crate::analysis::Analyzer;
use crate::document::{Snapshot, Text};
use crate::requests::{self, Answer};
use crate::workspace::Workspace;
use crate::{capabilities, convert};
use lsp_server::{
    Connection, ErrorCode, ExtractError, Message, Notification, ProtocolError, Request, RequestId, Response,
    ResponseError,
};
use lsp_types::notification::{
    Cancel, DidChangeTextDocument, DidChangeWorkspaceFolders, DidCloseTextDocument, DidOpenTextDocument,
    Notification as _, PublishDiagnostics,
};
use lsp_types::{InitializeParams, NumberOrString, PublishDiagnosticsParams, TextDocumentIdentifier, Uri};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;

/// The initial stack size of the threads that analyze; deeper nesting grows the stack.
const STACK: usize = 16 << 20;

/// The state shared by all threads.
pub(crate) struct Shared {
    pub(crate) analyzer: Analyzer,
    pub(crate) workspace: Mutex<Workspace>,
    documents: Mutex<FxHashMap<Uri, Arc<Snapshot>>>,
    canceled: Mutex<FxHashSet<RequestId>>,
}

/// Locks a mutex even if a thread panicked while it held the lock: each change of the maps is a single step, so they are
/// consistent.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    /// The newest versions of all open documents.
    pub(crate) fn open(&self) -> Vec<Arc<Snapshot>> {
        lock(&self.documents).values().cloned().collect()
    }
}

enum Job {
    /// Publish the diagnostics of a version.
    Analyze(Arc<Snapshot>),
    /// Answer a request about a version.
    Answer(Request, Option<Arc<Snapshot>>),
}

/// Serves a client until it exits. Returns whether the client requested the shutdown before.
///
/// # Errors
/// The client violates the protocol, or a thread cannot be started.
pub fn serve(connection: &Connection) -> Result<bool, Box<dyn std::error::Error + Send + Sync>> {
    let (id, params) = connection.initialize_start()?;
    let params: InitializeParams = serde_json::from_value(params)?;
    let result = serde_json::json!({
        "capabilities": capabilities::capabilities(),
        "serverInfo": { "name": "minoan-lsp", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, result)?;
    let workspace = Workspace::new(roots(&params));
    let shared = Arc::new(Shared {
        analyzer: Analyzer::new(),
        workspace: Mutex::new(workspace),
        documents: Mutex::default(),
        canceled: Mutex::default(),
    });
    let (jobs, queue) = channel();
    let worker = {
        let (shared, out) = (Arc::clone(&shared), connection.sender.clone());
        let send = move |message| _ = out.send(message);
        Builder::new().stack_size(STACK).spawn(move || work(&shared, &queue, &send))?
    };
    let result = Server { connection, shared, jobs }.run();
    _ = worker.join();
    result
}

#[expect(deprecated, reason = "older clients have only a root")]
fn roots(params: &InitializeParams) -> Vec<PathBuf> {
    let path = |uri: &Uri| PathBuf::from(crate::workspace::path_of(uri));
    match &params.workspace_folders {
        Some(folders) => folders.iter().map(|folder| path(&folder.uri)).collect(),
        None => params.root_uri.iter().map(path).collect(),
    }
}

struct Server<'a> {
    connection: &'a Connection,
    shared: Arc<Shared>,
    jobs: Sender<Job>,
}

impl Server<'_> {
    fn run(self) -> Result<bool, Box<dyn std::error::Error + Send + Sync>> {
        for message in &self.connection.receiver {
            match message {
                Message::Request(request) => match self.connection.handle_shutdown(&request) {
                    Ok(true) => return Ok(true),
                    Ok(false) => self.request(request),
                    Err(ProtocolError { .. }) => return Ok(false),
                },
                Message::Notification(notification) if notification.method == "exit" => return Ok(false),
                Message::Notification(notification) => self.notification(notification),
                Message::Response(_) => {}
            }
        }
        Ok(false)
    }

    fn request(&self, request: Request) {
        let uri = requests::document_of(&request.params);
        let snapshot = uri.and_then(|uri| lock(&self.shared.documents).get(&uri).cloned());
        if !requests::is_slow(&request) {
            _ = self.jobs.send(Job::Answer(request, snapshot));
            return;
        }
        let (shared, out) = (Arc::clone(&self.shared), self.connection.sender.clone());
        let id = request.id.clone();
        let run = move || _ = out.send(answer(&shared, request, snapshot).into());
        if let Err(error) = Builder::new().stack_size(STACK).spawn(run) {
            let response = Response::new_err(id, ErrorCode::InternalError as i32, error.to_string());
            _ = self.connection.sender.send(response.into());
        }
    }

    /// Malformed notifications are ignored, since there is nothing to respond to.
    fn notification(&self, notification: Notification) {
        let notification = match cast::<DidOpenTextDocument>(notification) {
            Ok(params) => {
                let item = params.text_document;
                let text = Text::new(item.text);
                return self.update(Snapshot::new(item.uri, item.version, item.language_id, text));
            }
            Err(notification) => notification,
        };
        let notification = match cast::<DidChangeTextDocument>(notification) {
            Ok(params) => {
                let uri = params.text_document.uri;
                let before = lock(&self.shared.documents).get(&uri).cloned();
                let Some(before) = before else { return };
                let mut text = before.text.clone();
                for change in &params.content_changes {
                    text = text.changed(change);
                }
                let version = params.text_document.version;
                return self.update(Snapshot::new(uri, version, before.language.clone(), text));
            }
            Err(notification) => notification,
        };
        let notification = match cast::<DidCloseTextDocument>(notification) {
            Ok(params) => return self.close(params.text_document),
            Err(notification) => notification,
        };
        let notification = match cast::<DidChangeWorkspaceFolders>(notification) {
            Ok(params) => {
                let path = |uri: &Uri| PathBuf::from(crate::workspace::path_of(uri));
                let gone: Vec<PathBuf> = params.event.removed.iter().map(|it| path(&it.uri)).collect();
                let mut workspace = lock(&self.shared.workspace);
                workspace.roots.retain(|root| !gone.contains(root));
                workspace.roots.extend(params.event.added.iter().map(|it| path(&it.uri)));
                return;
            }
            Err(notification) => notification,
        };
        if let Ok(params) = cast::<Cancel>(notification) {
            let id = match params.id {
                NumberOrString::Number(id) => RequestId::from(id),
                NumberOrString::String(id) => RequestId::from(id),
            };
            lock(&self.shared.canceled).insert(id);
        }
    }

    fn update(&self, snapshot: Snapshot) {
        let snapshot = Arc::new(snapshot);
        let uri = snapshot.uri.clone();
        let before = lock(&self.shared.documents).insert(uri, Arc::clone(&snapshot));
        if let Some(before) = before {
            before.supersede();
        }
        _ = self.jobs.send(Job::Analyze(snapshot));
    }

    fn close(&self, document: TextDocumentIdentifier) {
        if let Some(before) = lock(&self.shared.documents).remove(&document.uri) {
            before.supersede();
        }
        _ = self.connection.sender.send(diagnostics(document.uri, Vec::new(), None));
    }
}

fn cast<N: lsp_types::notification::Notification>(
    notification: Notification,
) -> Result<N::Params, Notification> {
    match notification.extract(N::METHOD) {
        Ok(params) => Ok(params),
        Err(ExtractError::MethodMismatch(notification)) => Err(notification),
        Err(ExtractError::JsonError { method, error }) => {
            eprintln!("minoan-lsp: malformed '{method}': {error}");
            Err(Notification::new(String::new(), Value::Null))
        }
    }
}

fn diagnostics(uri: Uri, list: Vec<lsp_types::Diagnostic>, version: Option<i32>) -> Message {
    let params = PublishDiagnosticsParams::new(uri, list, version);
    Notification::new(PublishDiagnostics::METHOD.to_owned(), params).into()
}

/// Processes work until the main thread drops the queue.
fn work(shared: &Shared, queue: &Receiver<Job>, send: &dyn Fn(Message)) {
    for job in queue {
        match job {
            Job::Analyze(snapshot) => {
                let analyze = || {
                    let analyzed = shared.analyzer.analyze(&snapshot)?;
                    Some(convert::diagnostics(&snapshot, &analyzed))
                };
                // After a panic, the diagnostics of the version before remain.
                if let Ok(Some(list)) = catch_unwind(AssertUnwindSafe(analyze))
                    && !snapshot.is_stale()
                {
                    send(diagnostics(snapshot.uri.clone(), list, Some(snapshot.version)));
                }
            }
            Job::Answer(request, snapshot) => send(answer(shared, request, snapshot).into()),
        }
    }
}

/// The response to a request.
fn answer(shared: &Shared, request: Request, snapshot: Option<Arc<Snapshot>>) -> Response {
    let Request { id, method, params } = request;
    if lock(&shared.canceled).remove(&id) {
        return Response::new_err(id, ErrorCode::RequestCanceled as i32, "canceled by the client".to_owned());
    }
    let run = || requests::answer(shared, &method, params, snapshot.as_deref());
    let result: Answer = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown");
        Err(requests::error(ErrorCode::InternalError, format!("'{method}' panicked: {text}")))
    });
    // A cancellation that came too late.
    lock(&shared.canceled).remove(&id);
    match result {
        Ok(value) => Response::new_ok(id, value),
        Err(ResponseError { code, message, .. }) => Response::new_err(id, code, message),
    }
}
