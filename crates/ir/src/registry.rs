//! The registry of dialects, and loaded dialects.

use crate::service::{ServiceKind, ServiceTable, Target};
use crate::spec::{OpDef, OpSpec};
use crate::{AttrDef, DataSpec, ForeignDialect, OpKind, ServiceId, TypeDef};
use minoan_diag::nearest;
use rustc_hash::FxHashMap;
use std::any::{Any, TypeId};
use std::sync::Arc;

/// A dialect: a namespace of operations, and its services.
pub trait Dialect: Send + Sync + 'static {
    /// The namespace.
    fn name(&self) -> &'static str;
    /// Declares operations and services.
    fn register(&self, dialect: &mut DialectBuilder<'_>);
}

/// A loaded dialect.
pub struct LoadedDialect {
    pub(crate) name: &'static str,
    pub(crate) number: usize,
    pub(crate) ops: Vec<OpKind>,
    pub(crate) data: DialectData,
    pub(crate) services: Services,
    pub(crate) columns: Arc<Columns>,
}

/// The types and attributes of a dialect.
#[derive(Default)]
pub(crate) struct DialectData {
    /// In order of declaration.
    specs: Vec<&'static DataSpec>,
    types: FxHashMap<&'static str, &'static DataSpec>,
    attrs: FxHashMap<&'static str, &'static DataSpec>,
    keeps_text: bool,
}

impl LoadedDialect {
    /// The namespace.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Its operations, by name.
    pub fn ops(&self) -> &[OpKind] {
        &self.ops
    }

    /// Its types and attributes, in order of declaration.
    pub fn data(&self) -> &[&'static DataSpec] {
        &self.data.specs
    }

    /// The declared type with a mnemonic.
    pub fn type_spec(&self, mnemonic: &str) -> Option<&'static DataSpec> {
        self.data.types.get(mnemonic).copied()
    }

    /// The declared attribute with a mnemonic.
    pub fn attr_spec(&self, mnemonic: &str) -> Option<&'static DataSpec> {
        self.data.attrs.get(mnemonic).copied()
    }

    /// Whether types and attributes that it does not declare are valid, represented by their text.
    pub fn allows_unknown_types(&self) -> bool {
        self.data.keeps_text
    }

    /// The dialect's own implementation of a service, excluding those of its operations and the default.
    pub fn service<S: ServiceKind + ?Sized>(&self) -> Option<&S> {
        let column = self.columns.get(&TypeId::of::<S>())?.downcast_ref::<ServiceTable<S>>()?;
        column.of_dialect(self.number)
    }

    /// The services that the dialect or one of its operations implements, by name.
    pub fn services(&self) -> impl Iterator<Item = ServiceId> + '_ {
        let mut services: Vec<ServiceId> = self.services.values().copied().collect();
        services.sort_unstable_by_key(|service| (service.name, service.key));
        services.into_iter()
    }

    /// Whether the dialect or one of its operations implements a service.
    pub fn implements(&self, service: ServiceId) -> bool {
        self.services.contains_key(&service.key)
    }
}

pub(crate) type Columns = FxHashMap<TypeId, Box<dyn Any + Send + Sync>>;

/// Services by key.
pub(crate) type Services = FxHashMap<TypeId, ServiceId>;

/// An error when dialects are loaded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RegistryError {
    /// Two declarations of the same operation, or two dialects with the same namespace.
    DuplicateName(String),
    /// An operation whose name does not start with its dialect's namespace.
    ForeignOp {
        /// The declaring dialect.
        dialect: &'static str,
        /// The operation's name.
        op: &'static str,
    },
    /// A type or attribute of another dialect's namespace.
    ForeignData {
        /// The declaring dialect.
        dialect: &'static str,
        /// The full name of the type or attribute.
        name: String,
    },
    /// A second implementation of a service for the same dialect or operation.
    DuplicateService {
        /// The service.
        service: &'static str,
        /// The dialect or operation.
        of: String,
    },
    /// An extension of a dialect or operation that is not loaded.
    UnknownTarget {
        /// The service.
        service: &'static str,
        /// The dialect or operation.
        of: String,
        /// A similar name.
        near: Option<String>,
    },
    /// A dialect promised a service that no extension provides.
    BrokenPromise {
        /// The service.
        service: &'static str,
        /// The dialect.
        dialect: &'static str,
        /// The provider of the implementation, as described by the dialect.
        hint: &'static str,
    },
    /// More than 65,000 kinds of operations and dialects.
    TooManyKinds,
}

impl std::fmt::Display for RegistryError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RegistryError::DuplicateName(name) => write!(f, "'{name}' is declared twice"),
            RegistryError::ForeignOp { dialect, op } => {
                write!(f, "dialect '{dialect}' declares '{op}', which is not in its namespace")
            }
            RegistryError::ForeignData { dialect, name } => {
                write!(f, "dialect '{dialect}' declares '{name}', which is not in its namespace")
            }
            RegistryError::DuplicateService { service, of } => {
                write!(f, "service {service} is registered twice for '{of}'")
            }
            RegistryError::UnknownTarget { service, of, near } => {
                write!(f, "service {service} is registered for '{of}', which is not loaded")?;
                near.as_ref().map_or(Ok(()), |near| write!(f, "; did you mean '{near}'?"))
            }
            RegistryError::BrokenPromise { service, dialect, hint } => {
                write!(f, "dialect '{dialect}' promises service {service}, but nothing provides it: {hint}")
            }
            RegistryError::TooManyKinds => {
                write!(f, "more than {MAX_KINDS} kinds of operations and dialects")
            }
        }
    }
}

impl std::error::Error for RegistryError {}

type Attach = Box<dyn FnOnce(&mut Loading) -> Result<(), RegistryError>>;

/// Dialects and extensions, to be frozen into a [`Context`](crate::Context).
#[derive(Default)]
pub struct Registry {
    ops: Vec<(&'static str, &'static OpSpec)>,
    data: Vec<(&'static str, &'static DataSpec)>,
    keeps_text: Vec<&'static str>,
    dialects: Vec<&'static str>,
    dependents: Vec<Box<dyn Dialect>>,
    attach: Vec<Attach>,
    promises: Vec<(ServiceId, &'static str, &'static str)>,
    foreign: Vec<&'static ForeignDialect>,
}

impl Registry {
    /// Creates an empty registry.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a dialect. A duplicate namespace is an error of [`Context::new`](crate::Context::new).
    ///
    /// The dialects that it [depends on](DialectBuilder::depends_on) are loaded with it.
    pub fn add(&mut self, dialect: impl Dialect) -> &mut Self {
        self.add_dialect(&dialect);
        self
    }

    fn add_dialect(&mut self, dialect: &dyn Dialect) {
        self.dialects.push(dialect.name());
        dialect.register(&mut DialectBuilder { name: dialect.name(), registry: self });
    }

    /// Adds the dialects that others depend on, unless they have been added.
    fn add_dependents(&mut self) {
        while let Some(dialect) = self.dependents.pop() {
            if !self.dialects.contains(&dialect.name()) {
                self.add_dialect(&*dialect);
            }
        }
    }

    /// Adds facts about dialects that need not be loaded.
    pub fn add_foreign(&mut self, dialects: &'static [ForeignDialect]) -> &mut Self {
        self.foreign.extend(dialects);
        self
    }

    /// Attaches a service to an existing dialect.
    pub fn extend_dialect<S: ServiceKind + ?Sized>(
        &mut self,
        dialect: &'static str,
        service: Arc<S>,
    ) -> &mut Self {
        self.attach.push(Box::new(move |loading| loading.attach_dialect::<S>(dialect, service)));
        self
    }

    /// Attaches a service to an operation of any dialect.
    pub fn extend_op<S: ServiceKind + ?Sized>(&mut self, op: &'static str, service: Arc<S>) -> &mut Self {
        self.attach.push(Box::new(move |loading| loading.attach_op::<S>(op, service)));
        self
    }
}

/// Declares a dialect: a unit struct with its types, attributes and operations.
///
/// The lists are, in any order, `types(..)`, `attrs(..)`, `ops(..)`, `services(Lower = ..)` for those that the dialect
/// implements for all of its operations, `depends(OtherDialect, ..)`, the dialects that are loaded with it, and
/// `register(names::register, ..)`, functions that receive the [`DialectBuilder`] and declare the rest, such as what a table
/// generates. Services of one operation belong in its declaration: `#[op(.., services(..))]`.
///
/// ```
/// use minoan_ir::{Context, Registry, dialect, op, ty};
///
/// /// A clock.
/// #[ty("time.clock")]
/// pub struct Clock {
///     /// The ticks in a second.
///     rate: u32,
/// }
///
/// /// The current tick.
/// #[op("time.now", assembly = "$clock attr-dict `:` type($clock)")]
/// pub struct Now {
///     clock: Operand<Clock>,
/// }
///
/// dialect! {
///     /// Clocks.
///     pub TimeDialect = "time": types(Clock), ops(Now)
/// }
///
/// let mut registry = Registry::new();
/// registry.add(TimeDialect);
/// assert!(Context::new(registry).is_ok());
/// ```
#[macro_export]
macro_rules! dialect {
    (@types $dialect:ident $($item:path),* $(,)?) => { $($dialect.ty::<$item>();)* };
    (@attrs $dialect:ident $($item:path),* $(,)?) => { $($dialect.attr::<$item>();)* };
    (@ops $dialect:ident $($item:path),* $(,)?) => { $($dialect.op::<$item>();)* };
    (@depends $dialect:ident $($item:path),* $(,)?) => { $($dialect.depends_on($item);)* };
    (@services $dialect:ident $($service:path = $implementation:expr),* $(,)?) => {
        $($dialect.service::<dyn $service>(::std::sync::Arc::new($implementation));)*
    };
    (@register $dialect:ident $($register:path),* $(,)?) => { $($register($dialect);)* };
    ($(#[$meta:meta])* $vis:vis $dialect:ident = $name:literal: $($list:ident($($item:tt)*)),* $(,)?) => {
        $(#[$meta])*
        $vis struct $dialect;

        impl $crate::Dialect for $dialect {
            fn name(&self) -> &'static str {
                $name
            }

            fn register(&self, dialect: &mut $crate::DialectBuilder<'_>) {
                $($crate::dialect!(@$list dialect $($item)*);)*
            }
        }
    };
}

/// Receives the declarations of a [`Dialect`].
pub struct DialectBuilder<'a> {
    name: &'static str,
    registry: &'a mut Registry,
}

impl DialectBuilder<'_> {
    /// Declares an operation, with the services that its declaration lists.
    pub fn op<O: OpDef>(&mut self) -> &mut Self {
        self.spec(O::SPEC);
        O::register(self);
        self
    }

    /// Declares an operation by its spec.
    pub fn spec(&mut self, spec: &'static OpSpec) -> &mut Self {
        self.registry.ops.push((self.name, spec));
        self
    }

    /// Declares a type.
    pub fn ty<T: TypeDef>(&mut self) -> &mut Self {
        self.registry.data.push((self.name, T::SPEC));
        self
    }

    /// Declares an attribute.
    pub fn attr<A: AttrDef>(&mut self) -> &mut Self {
        self.registry.data.push((self.name, A::SPEC));
        self
    }

    /// Loads another dialect with this one, because folds, patterns or the assembly of this dialect create its operations. As in
    /// MLIR, it may be added to the registry as well.
    pub fn depends_on(&mut self, dialect: impl Dialect) -> &mut Self {
        self.registry.dependents.push(Box::new(dialect));
        self
    }

    /// Accepts types and attributes of the dialect that it does not declare; they are represented by their text.
    pub fn allow_unknown_types(&mut self) -> &mut Self {
        self.registry.keeps_text.push(self.name);
        self
    }

    /// Implements a service for all operations of the dialect.
    pub fn service<S: ServiceKind + ?Sized>(&mut self, service: Arc<S>) -> &mut Self {
        self.registry.extend_dialect::<S>(self.name, service);
        self
    }

    /// Implements a service for an operation.
    pub fn op_service<O: OpDef, S: ServiceKind + ?Sized>(&mut self, service: Arc<S>) -> &mut Self {
        self.registry.extend_op::<S>(O::SPEC.name, service);
        self
    }

    /// Implements a service for an operation by name, for several operations without a common type.
    pub fn service_of<S: ServiceKind + ?Sized>(&mut self, op: &'static str, service: Arc<S>) -> &mut Self {
        self.registry.extend_op::<S>(op, service);
        self
    }

    /// Promises that an extension provides a service; `hint` names it in the error if it is missing.
    pub fn promise<S: ServiceKind + ?Sized>(&mut self, hint: &'static str) -> &mut Self {
        self.registry.promises.push((ServiceId::of::<S>(), self.name, hint));
        self
    }
}

/// Resolves one column, given the operations and the indices of their dialects.
type Resolve = (TypeId, fn(&mut Columns, &[(usize, &'static OpSpec)]));

/// The maximum number of operations and dialects: their numbers have 16 bits, and each may implement a service.
const MAX_KINDS: usize = 65_000;

/// The tables while extensions are attached.
pub(crate) struct Loading {
    /// Sorted by name.
    pub(crate) dialects: Vec<&'static str>,
    /// Sorted by name, with the index of the dialect.
    pub(crate) ops: Vec<(usize, &'static OpSpec)>,
    op_numbers: FxHashMap<&'static str, usize>,
    /// By dialect.
    pub(crate) data: Vec<DialectData>,
    pub(crate) columns: Columns,
    /// The services that each dialect implements, itself or by one of its operations.
    pub(crate) implemented: Vec<Services>,
    resolve: Vec<Resolve>,
    /// By name, except those that are loaded.
    pub(crate) foreign: FxHashMap<&'static str, &'static ForeignDialect>,
}

impl Loading {
    /// Validates a registry and attaches all services.
    pub(crate) fn of(mut registry: Registry) -> Result<Loading, RegistryError> {
        registry.add_dependents();
        let Registry { mut ops, data, keeps_text, dialects, dependents: _, attach, promises, foreign } =
            registry;
        let mut names: Vec<&'static str> = dialects.clone();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(RegistryError::DuplicateName(pair[0].to_owned()));
        }
        ops.sort_by_key(|(_, spec)| spec.name);
        if ops.len() + names.len() > MAX_KINDS {
            return Err(RegistryError::TooManyKinds);
        }
        let mut loading = Loading {
            implemented: vec![Services::default(); names.len()],
            data: names.iter().map(|_| DialectData::default()).collect(),
            dialects: names,
            ops: Vec::with_capacity(ops.len()),
            op_numbers: FxHashMap::default(),
            columns: Columns::default(),
            resolve: Vec::new(),
            foreign: foreign.into_iter().map(|dialect| (dialect.name, dialect)).collect(),
        };
        loading.foreign.retain(|name, _| loading.dialects.binary_search(name).is_err());
        for (dialect, spec) in ops {
            let namespace = spec.name.split_once('.').map(|(namespace, _)| namespace);
            if namespace != Some(dialect) {
                return Err(RegistryError::ForeignOp { dialect, op: spec.name });
            }
            if loading.op_numbers.insert(spec.name, loading.ops.len()).is_some() {
                return Err(RegistryError::DuplicateName(spec.name.to_owned()));
            }
            let number = loading.dialects.binary_search(&dialect).expect("the dialect was added");
            loading.ops.push((number, spec));
        }
        loading.declare(data)?;
        for dialect in keeps_text {
            let number = loading.dialects.binary_search(&dialect).expect("the dialect was added");
            loading.data[number].keeps_text = true;
        }
        for attach in attach {
            attach(&mut loading)?;
        }
        for (service, dialect, hint) in promises {
            let number = loading.dialects.binary_search(&dialect).expect("the dialect was added");
            if !loading.implemented[number].contains_key(&service.key) {
                return Err(RegistryError::BrokenPromise { service: service.name, dialect, hint });
            }
        }
        for (_, resolve) in std::mem::take(&mut loading.resolve) {
            resolve(&mut loading.columns, &loading.ops);
        }
        Ok(loading)
    }

    /// Adds types and attributes, each with the declaring dialect.
    fn declare(&mut self, data: Vec<(&'static str, &'static DataSpec)>) -> Result<(), RegistryError> {
        for (dialect, spec) in data {
            if spec.dialect != dialect {
                return Err(RegistryError::ForeignData { dialect, name: spec.name() });
            }
            let number = self.dialects.binary_search(&dialect).expect("the dialect was added");
            let data = &mut self.data[number];
            let known = if spec.is_type { &mut data.types } else { &mut data.attrs };
            if known.insert(spec.mnemonic, spec).is_some() {
                let sigil = if spec.is_type { '!' } else { '#' };
                return Err(RegistryError::DuplicateName(format!("{sigil}{}", spec.name())));
            }
            data.specs.push(spec);
        }
        Ok(())
    }

    fn column<S: ServiceKind + ?Sized>(&mut self) -> &mut ServiceTable<S> {
        let (kinds, dialects) = (self.ops.len(), self.dialects.len());
        let resolve = &mut self.resolve;
        let column = self.columns.entry(TypeId::of::<S>()).or_insert_with(|| {
            resolve.push((TypeId::of::<S>(), resolve_column::<S>));
            Box::new(ServiceTable::<S>::new(kinds, dialects))
        });
        column.downcast_mut().expect("a column has the type of its key")
    }

    fn attach_dialect<S: ServiceKind + ?Sized>(
        &mut self,
        dialect: &'static str,
        service: Arc<S>,
    ) -> Result<(), RegistryError> {
        let Some(number) = self.dialects.iter().position(|&name| name == dialect) else {
            let near = nearest(dialect, self.dialects.iter().copied()).map(str::to_owned);
            return Err(RegistryError::UnknownTarget { service: S::NAME, of: dialect.into(), near });
        };
        self.attach::<S>(Target::Dialect(number), number, dialect, service)
    }

    fn attach_op<S: ServiceKind + ?Sized>(
        &mut self,
        op: &'static str,
        service: Arc<S>,
    ) -> Result<(), RegistryError> {
        let Some(&number) = self.op_numbers.get(op) else {
            let near = nearest(op, self.op_numbers.keys().copied()).map(str::to_owned);
            return Err(RegistryError::UnknownTarget { service: S::NAME, of: op.into(), near });
        };
        self.attach::<S>(Target::Kind(number), self.ops[number].0, op, service)
    }

    fn attach<S: ServiceKind + ?Sized>(
        &mut self,
        to: Target,
        dialect: usize,
        of: &'static str,
        service: Arc<S>,
    ) -> Result<(), RegistryError> {
        if !self.column::<S>().attach(to, service) {
            return Err(RegistryError::DuplicateService { service: S::NAME, of: of.into() });
        }
        self.implemented[dialect].insert(TypeId::of::<S>(), ServiceId::of::<S>());
        Ok(())
    }
}

/// Operation kinds without an implementation inherit the implementation of their dialect, or the default.
fn resolve_column<S: ServiceKind + ?Sized>(columns: &mut Columns, ops: &[(usize, &'static OpSpec)]) {
    let column = columns.get_mut(&TypeId::of::<S>());
    let column = column.and_then(|column| column.downcast_mut::<ServiceTable<S>>());
    column.expect("a column has the type of its key").resolve(ops.iter().map(|(dialect, _)| *dialect));
}
