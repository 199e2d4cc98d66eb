//! Services: interfaces that dialects and operations implement.
//!
//! A service is a trait declared by the code that *queries* it, and made a key by [`service!`](crate::service).
//! Dialects and extensions attach implementations to a [`Registry`](crate::Registry), which a
//! [`Context`](crate::Context) freezes. An operation's own implementation takes precedence over its dialect's, and
//! that over the default.
//!
//! * The key is the trait object type: a query by an implementation type does not compile.
//! * A second implementation of a service for the same operation or dialect is an error, as is one for an undeclared
//!   operation.
//! * The meaning of a missing implementation is part of the service: [`Absence::Required`], [`Absence::Default`],
//!   [`Absence::Optional`].
//! * A query is a table lookup: no hashing per operation given a [`ServiceTable`].
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

/// The meaning of a missing implementation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Absence {
    /// A pass that requires the service cannot run: the pass manager reports it before the start.
    Required,
    /// A conservative default applies.
    Default,
    /// The caller handles its absence.
    Optional,
}

/// Implemented by [`service!`](crate::service) for `dyn Trait` types only.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a service",
    label = "a service is the type `dyn Trait` of a trait that `service!` made one, never an implementation"
)]
pub trait ServiceKind: Send + Sync + 'static {
    /// The name in messages and listings.
    const NAME: &'static str;
    /// The meaning of a missing implementation.
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

/// The resolved implementations of one service for all operations, for inner loops of passes.
///
/// Indexed by operation kind; kinds without an implementation yield `None` or the default.
pub struct ServiceTable<S: ServiceKind + ?Sized> {
    /// The distinct implementations.
    implementations: Vec<Arc<S>>,
    /// By operation kind and by dialect: the index of the implementation, or a past-the-end index.
    by_kind: Vec<ImplIndex>,
    by_dialect: Vec<ImplIndex>,
    /// The default.
    default: ImplIndex,
}

/// The index of an implementation.
type ImplIndex = u16;

const NO_IMPL: ImplIndex = ImplIndex::MAX;

impl<S: ServiceKind + ?Sized> ServiceTable<S> {
    /// Creates a table for the given numbers of kinds and dialects, with the default only.
    pub(crate) fn new(kinds: usize, dialects: usize) -> Self {
        let implementations: Vec<Arc<S>> = S::default_service().into_iter().collect();
        let default = if implementations.is_empty() { NO_IMPL } else { 0 };
        Self { implementations, by_kind: vec![NO_IMPL; kinds], by_dialect: vec![NO_IMPL; dialects], default }
    }

    /// Attaches an implementation to an operation kind or a dialect; returns whether there was none.
    pub(crate) fn attach(&mut self, to: Target, implementation: Arc<S>) -> bool {
        let slot = match to {
            Target::Kind(kind) => &mut self.by_kind[kind],
            Target::Dialect(dialect) => &mut self.by_dialect[dialect],
        };
        let is_free = *slot == NO_IMPL;
        // Bounded by the number of kinds.
        *slot = self.implementations.len() as ImplIndex;
        self.implementations.push(implementation);
        is_free
    }

    /// Operation kinds without an implementation inherit that of their dialect, whose index is given for each, or the
    /// default.
    pub(crate) fn resolve(&mut self, dialects: impl Iterator<Item = usize>) {
        for (implementation, dialect) in self.by_kind.iter_mut().zip(dialects) {
            let others = [self.by_dialect[dialect], self.default];
            if *implementation == NO_IMPL {
                *implementation = others.into_iter().find(|&other| other != NO_IMPL).unwrap_or(NO_IMPL);
            }
        }
    }

    /// The implementation for an operation kind: its own, its dialect's, or the default.
    #[inline]
    pub fn get(&self, kind: crate::OpKind) -> Option<&S> {
        let implementation = *self.by_kind.get(kind.index()).unwrap_or(&self.default);
        self.implementations.get(usize::from(implementation)).map(|implementation| &**implementation)
    }

    /// The implementation of a dialect itself, by its index.
    pub(crate) fn of_dialect(&self, dialect: usize) -> Option<&S> {
        let implementation = *self.by_dialect.get(dialect)?;
        self.implementations.get(usize::from(implementation)).map(|implementation| &**implementation)
    }
}

/// The implementer of a service, by index.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    Kind(usize),
    Dialect(usize),
}

/// A service by name and key, for listings and for checks before a pipeline runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ServiceId {
    /// The key.
    pub key: TypeId,
    /// The name.
    pub name: &'static str,
    /// The meaning of a missing implementation.
    pub absence: Absence,
}

impl ServiceId {
    /// The id of the service `S`.
    pub fn of<S: ServiceKind + ?Sized>() -> Self {
        Self { key: TypeId::of::<S>(), name: S::NAME, absence: S::ABSENCE }
    }
}
