//! `--trace-file`: writes spans as events of Chrome's trace format, for Perfetto and `chrome://tracing`.

use minoan_diag::Diagnostic;
use serde_json::{Map, Value, json};
use std::fmt::Debug;
use std::fs::File;
use std::io::{BufWriter, Error, Result, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::registry::{LookupSpan, Registry};

/// A trace under construction.
pub(super) struct Tracing(Arc<Mutex<Events>>);

/// The file: an array of events.
struct Events {
    out: BufWriter<File>,
    count: u64,
    /// The first error, after which nothing is written.
    failed: Option<Error>,
}

/// Starts a trace of this process.
///
/// # Errors
/// The file cannot be created, or the process has another subscriber of spans.
pub(super) fn start(path: &Path) -> std::result::Result<Tracing, Diagnostic> {
    let wrong = |why: &dyn std::fmt::Display| {
        Diagnostic::error(format!("cannot write a trace to '{}': {why}", path.display()))
    };
    let out = BufWriter::new(File::create(path).map_err(|error| wrong(&error))?);
    let events = Arc::new(Mutex::new(Events { out, count: 0, failed: None }));
    let layer = ChromeLayer { start: Instant::now(), events: events.clone() };
    tracing::subscriber::set_global_default(Registry::default().with(layer))
        .map_err(|error| wrong(&error))?;
    Ok(Tracing(events))
}

impl Tracing {
    /// Completes the file.
    ///
    /// # Errors
    /// The first error of writing.
    pub(super) fn finish(self) -> Result<()> {
        let mut events = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match events.failed.take() {
            Some(error) => Err(error),
            None => {
                let end = if events.count == 0 { "[]\n" } else { "\n]\n" };
                events.out.write_all(end.as_bytes())?;
                events.out.flush()
            }
        }
    }
}

impl Events {
    fn add(&mut self, event: &Value) {
        if self.failed.is_none() {
            let before = if self.count == 0 { "[\n" } else { ",\n" };
            self.count += 1;
            self.failed = write!(self.out, "{before}{event}").err();
        }
    }
}

/// The subscriber of spans.
struct ChromeLayer {
    start: Instant,
    events: Arc<Mutex<Events>>,
}

/// The fields of a span.
#[derive(Default)]
struct Fields(Map<String, Value>);

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        if !value.is_empty() {
            self.0.insert(field.name().to_owned(), value.into());
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}").into());
    }
}

/// The time at which a span was entered.
struct Entered(Instant);

impl<S: tracing::Subscriber + for<'a> LookupSpan<'a>> Layer<S> for ChromeLayer {
    fn on_new_span(&self, attrs: &Attributes<'_>, id: &Id, ctx: Context<'_, S>) {
        if let Some(span) = ctx.span(id) {
            let mut fields = Fields::default();
            attrs.record(&mut fields);
            span.extensions_mut().insert(fields);
        }
    }

    fn on_enter(&self, id: &Id, ctx: Context<'_, S>) {
        if let Some(span) = ctx.span(id) {
            span.extensions_mut().replace(Entered(Instant::now()));
        }
    }

    fn on_exit(&self, id: &Id, ctx: Context<'_, S>) {
        let Some(span) = ctx.span(id) else { return };
        let mut extensions = span.extensions_mut();
        let Some(Entered(entered)) = extensions.remove() else { return };
        let mut args = extensions.get_mut().map_or_else(Map::new, |Fields(fields)| fields.clone());
        // A span with a field `name`, such as that of a pass, is shown under that name.
        let name = args.remove("name").unwrap_or_else(|| span.name().into());
        let event = json!({
            "name": name,
            "cat": span.name(),
            "ph": "X",
            "ts": entered.duration_since(self.start).as_secs_f64() * 1e6,
            "dur": entered.elapsed().as_secs_f64() * 1e6,
            "pid": std::process::id(),
            "tid": thread(),
            "args": args,
        });
        self.events.lock().unwrap_or_else(PoisonError::into_inner).add(&event);
    }
}

/// The number of this thread, in order of first use, from 1.
fn thread() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    thread_local!(static THREAD: u64 = NEXT.fetch_add(1, Ordering::Relaxed));
    THREAD.with(|number| *number)
}
