//! Services: what a dialect, or one operation of it, can be asked.
//!
//! A service is a trait declared by the code that *asks*, made a key by [`service!`](crate::service). Dialects and
//! extensions attach implementations while a [`Registry`](crate::Registry) is filled; a [`Context`](crate::Context)
//! freezes them. An operation's own implementation wins over its dialect's, the dialect's over the default.
//!
//! * The key is the trait object type: asking by an implementation type does not compile.
//! * Registering the same service twice for the same operation or dialect is an error, as is one for an
//!   operation that no dialect declares.
//! * What absence means is part of the service: [`Absence::Required`], [`Absence::Default`], [`Absence::Optional`].
//! * A query is an index into a table: no hashing per operation once a [`ServiceTable`] is at hand.
//!
//! ```
//! use minoan_ir::{Context, Dialect, Registry, service};
//! trait Greeting: Send + Sync { fn greet(&self) -> String; }
//! service!(dyn Greeting, "Greeting", Optional);
//!
//! struct Hello;
//! impl Dialect for Hello {
//!     fn name(&self) -> &'static str { "hello" }
//!     fn register(&self, dialect: &mut minoan_ir::DialectBuilder<'_>) {
//!         struct Polite;
//!         impl Greeting for Polite { fn greet(&self) -> String { "good day".into() } }
//!         dialect.service::<dyn Greeting>(std::sync::Arc::new(Polite));
//!     }
//! }
//! let mut registry = Registry::new();
//! registry.add(Hello);
//! let ctx = Context::new(registry).expect("no duplicates");
//! let hello = ctx.dialect("hello").expect("it was added");
//! assert_eq!(hello.service::<dyn Greeting>().expect("it has one").greet(), "good day");
//! ```

use std::any::TypeId;
use std::sync::Arc;

/// What it means that a dialect does not answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Absence {
    /// A pass that asks cannot run: the pass manager says so before it starts.
    Required,
    /// A conservative default answers.
    Default,
    /// The asker does without.
    Optional,
}

/// Implemented by [`service!`](crate::service) for `dyn Trait` types only.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a service",
    label = "a service is the type `dyn Trait` of a trait that `service!` made one, never an implementation"
)]
pub trait ServiceKind: Send + Sync + 'static {
    /// Its name in messages and lists.
    const NAME: &'static str;
    /// What it means that a dialect does not answer.
    const ABSENCE: Absence;
    /// The conservative default, for [`Absence::Default`].
    fn default_service() -> Option<Arc<Self>> {
        None
    }
}

/// Makes `dyn Trait` the key of a service: `service!(dyn Trait, "Name", Optional)`,
/// `service!(dyn Trait, "Name", Required)` or `service!(dyn Trait, "Name", Default(value))`.
#[macro_export]
macro_rules! service {
    (dyn $service:path, $name:literal, Default($default:expr)) => {
        impl $crate::ServiceKind for dyn $service {
            const NAME: &'static str = $name;
            const ABSENCE: $crate::Absence = $crate::Absence::Default;
            fn default_service() -> Option<std::sync::Arc<Self>> {
                Some(std::sync::Arc::new($default))
            }
        }
    };
    (dyn $service:path, $name:literal, $absence:ident) => {
        impl $crate::ServiceKind for dyn $service {
            const NAME: &'static str = $name;
            const ABSENCE: $crate::Absence = $crate::Absence::$absence;
        }
    };
}

/// The answers of one service over all operations, resolved: what a pass asks in its inner loop.
///
/// Index by operation kind; kinds without an answer give `None` (or the default).
pub struct ServiceTable<S: ServiceKind + ?Sized> {
    /// The different answers.
    answers: Vec<Arc<S>>,
    /// By operation kind and by dialect, which of the answers; past the last one where there is none.
    by_kind: Vec<Answer>,
    by_dialect: Vec<Answer>,
    /// That of everything else.
    default: Answer,
}

/// The number of an answer of a table.
type Answer = u16;

const NO_ANSWER: Answer = Answer::MAX;

impl<S: ServiceKind + ?Sized> ServiceTable<S> {
    /// The answers of so many kinds and dialects: none yet but the default.
    pub(crate) fn new(kinds: usize, dialects: usize) -> Self {
        let answers: Vec<Arc<S>> = S::default_service().into_iter().collect();
        let default = if answers.is_empty() { NO_ANSWER } else { 0 };
        Self { answers, by_kind: vec![NO_ANSWER; kinds], by_dialect: vec![NO_ANSWER; dialects], default }
    }

    /// Attaches an answer to an operation kind or a dialect, by number. Says whether there was none.
    pub(crate) fn attach(&mut self, to: Target, answer: Arc<S>) -> bool {
        let slot = match to {
            Target::Kind(kind) => &mut self.by_kind[kind],
            Target::Dialect(dialect) => &mut self.by_dialect[dialect],
        };
        let is_free = *slot == NO_ANSWER;
        // There are at most so many kinds.
        *slot = self.answers.len() as Answer;
        self.answers.push(answer);
        is_free
    }

    /// Kinds without an answer of their own get that of their dialect, given by number for each, or the default.
    pub(crate) fn resolve(&mut self, dialects: impl Iterator<Item = usize>) {
        for (answer, dialect) in self.by_kind.iter_mut().zip(dialects) {
            let others = [self.by_dialect[dialect], self.default];
            if *answer == NO_ANSWER {
                *answer = others.into_iter().find(|&other| other != NO_ANSWER).unwrap_or(NO_ANSWER);
            }
        }
    }

    /// The answer for an operation kind: its own, its dialect's, or the default.
    #[inline]
    pub fn get(&self, kind: crate::OpKind) -> Option<&S> {
        let answer = *self.by_kind.get(kind.index()).unwrap_or(&self.default);
        self.answers.get(usize::from(answer)).map(|answer| &**answer)
    }

    /// The answer of a dialect itself, by its number.
    pub(crate) fn of_dialect(&self, dialect: usize) -> Option<&S> {
        let answer = *self.by_dialect.get(dialect)?;
        self.answers.get(usize::from(answer)).map(|answer| &**answer)
    }
}

/// What answers, by number.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    Kind(usize),
    Dialect(usize),
}

/// A service by name and key, for lists and for checks before a pipeline runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ServiceId {
    /// The key.
    pub key: TypeId,
    /// The name.
    pub name: &'static str,
    /// What absence means.
    pub absence: Absence,
}

impl ServiceId {
    /// The id of the service `S`.
    pub fn of<S: ServiceKind + ?Sized>() -> Self {
        Self { key: TypeId::of::<S>(), name: S::NAME, absence: S::ABSENCE }
    }
}
