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
    pub(crate) by_kind: Vec<Option<Arc<S>>>,
    pub(crate) by_dialect: Vec<Option<Arc<S>>>,
    pub(crate) default: Option<Arc<S>>,
}

impl<S: ServiceKind + ?Sized> ServiceTable<S> {
    /// The answer for an operation kind: its own, its dialect's, or the default.
    #[inline]
    pub fn get(&self, kind: crate::OpKind) -> Option<&S> {
        match self.by_kind.get(kind.index()) {
            Some(answer) => answer.as_deref(),
            None => self.default.as_deref(),
        }
    }
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

    /// By what lists of services are sorted: the name first.
    pub(crate) fn order(self) -> (&'static str, TypeId) {
        (self.name, self.key)
    }
}
