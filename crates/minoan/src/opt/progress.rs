//! Progress on a terminal: shows the running pass of a long run.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use minoan_pass::{Instrumentation, PassEvent};
use std::io::IsTerminal;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// The duration after which progress is shown.
const PATIENCE: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(100);

/// A line with the running pass; hidden if standard error is not a terminal.
pub(crate) struct Progress {
    shown: Option<Shown>,
}

struct Shown {
    bar: ProgressBar,
    /// Whether the run has ended, so that the line is no longer shown.
    over: Arc<(Mutex<bool>, Condvar)>,
}

impl Progress {
    pub(crate) fn new() -> Self {
        if std::io::stderr().is_terminal() {
            Self::on(ProgressDrawTarget::stderr(), PATIENCE)
        } else {
            Self { shown: None }
        }
    }

    fn on(target: ProgressDrawTarget, patience: Duration) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{spinner} {elapsed} {msg} ({human_pos} runs of passes)");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        let over = Arc::new((Mutex::new(false), Condvar::new()));
        let (line, waiting) = (bar.clone(), over.clone());
        std::thread::spawn(move || {
            let (is_over, signal) = &*waiting;
            let lock = is_over.lock().unwrap_or_else(PoisonError::into_inner);
            let waited = signal.wait_timeout_while(lock, patience, |is_over| !*is_over);
            let (is_over, _) = waited.unwrap_or_else(PoisonError::into_inner);
            if !*is_over {
                line.set_draw_target(target);
                line.enable_steady_tick(TICK);
            }
        });
        Self { shown: Some(Shown { bar, over }) }
    }

    /// Shows an activity other than a pass.
    #[cfg(feature = "mlir")]
    pub(crate) fn note(&self, activity: &'static str) {
        if let Some(Shown { bar, .. }) = &self.shown {
            bar.set_message(activity);
        }
    }

    /// Clears the line.
    pub(crate) fn clear(&self) {
        let Some(Shown { bar, over }) = &self.shown else { return };
        let (is_over, signal) = &**over;
        *is_over.lock().unwrap_or_else(PoisonError::into_inner) = true;
        signal.notify_all();
        bar.finish_and_clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

impl Instrumentation for Progress {
    fn before(&self, moment: &PassEvent<'_>) {
        let Some(Shown { bar, .. }) = &self.shown else { return };
        let symbol = moment.op.symbol(moment.ctx).map_or(String::new(), |symbol| format!(" @{symbol}"));
        let op = moment.ctx.kind_name(moment.op.kind);
        bar.set_message(format!("{} on '{op}'{symbol}", moment.pass.name()));
        bar.inc(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::InMemoryTerm;
    use minoan_diag::Diagnostics;
    use minoan_ir::{Loc, Module};
    use minoan_pass::{Pass, PassManager, PassRun, Pipeline};

    struct Slow(InMemoryTerm);

    impl Pass for Slow {
        fn name(&self) -> &'static str {
            "slow"
        }
        fn description(&self) -> &'static str {
            "takes until somebody says so"
        }
        fn run(&self, _: &mut PassRun<'_>) -> Result<(), Diagnostics> {
            let seen = (0..100).any(|_| {
                std::thread::sleep(TICK);
                self.0.contents().contains("slow on 'builtin.module' (1 runs of passes)")
            });
            assert!(seen, "the line shows the pass: {}", self.0.contents());
            Ok(())
        }
    }

    #[test]
    fn a_long_run_shows_what_is_running_and_then_nothing() {
        let term = InMemoryTerm::new(4, 100);
        let target = || ProgressDrawTarget::term_like(Box::new(term.clone()));
        let pipeline = Pipeline::new(vec![Box::new(Slow(term.clone()))]);
        let mut module = Module::new(&crate::context(), Loc::UNKNOWN);
        let progress = Progress::on(target(), Duration::ZERO);
        let outcome = PassManager::new(&pipeline).instrument(&progress).run(&mut module);
        progress.clear();
        assert_eq!(outcome.into_result(), Ok(Diagnostics::new()));
        assert_eq!(term.contents(), "");

        let progress = Progress::on(target(), Duration::from_secs(3600));
        progress.clear();
        assert_eq!(term.contents(), "", "a short run shows nothing");
    }
}
