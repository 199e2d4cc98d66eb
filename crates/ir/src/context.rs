//! The context: what is interned, and what dialects are loaded.

use crate::affine::AffineMap;
use crate::interner::Interner;
use crate::location::FileHandle;
use crate::service::{ServiceKind, ServiceTable};
use crate::spec::{OpDef, OpSpec, Traits};
use crate::types::fixed_types;
use crate::{Absence, Attr, AttrData, LocData, ServiceId, Type, TypeData};
use hashbrown::Equivalent;
use minoan_diag::nearest;
use rustc_hash::FxHashMap;
use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// An interned string.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Name(u32);

impl Name {
    /// The text.
    pub fn as_str(self, ctx: &Context) -> &str {
        ctx.0.names.get(self.0)
    }

    /// A small dense number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What an operation is, as a dense number of its context.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct OpKind(pub(crate) u16);

impl OpKind {
    /// The number, for tables.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// What a context knows of an operation kind.
pub struct OpInfo {
    /// Full name.
    pub name: Name,
    /// Its declaration; `None` for an operation that no loaded dialect declares.
    pub spec: Option<&'static OpSpec>,
    /// Traits; none for an undeclared operation.
    pub traits: Traits,
    /// Number of its dialect in [`Context::dialects`], where it is loaded.
    pub dialect: Option<usize>,
    /// Its assembly format, compiled at its first use.
    pub(crate) format: std::sync::OnceLock<Result<crate::text::Format, String>>,
    /// Names of its inherent attributes.
    pub(crate) inherent: Box<[Name]>,
    /// Values of the defaults of its declared attributes, parsed at the first question.
    pub(crate) defaults: std::sync::OnceLock<Box<[Option<Attr>]>>,
}

impl OpInfo {
    /// Whether an attribute of this name belongs to the operation itself.
    pub fn is_inherent(&self, name: Name) -> bool {
        self.inherent.contains(&name)
    }

    /// The default of declared attribute number `index`, where it has one.
    ///
    /// # Panics
    /// If the text of a default is not an attribute: a mistake in the declaration.
    pub fn default_attr(&self, ctx: &Context, index: usize) -> Option<Attr> {
        let attrs = self.spec.map_or(&[][..], |spec| spec.attrs);
        let parse = |text: &str| match crate::text::parse_attr(ctx, text) {
            Ok(attr) => attr,
            Err(_) => {
                panic!("the default '{text}' of an attribute of '{}' does not parse", self.name.as_str(ctx))
            }
        };
        let all = self.defaults.get_or_init(|| attrs.iter().map(|attr| attr.default.map(parse)).collect());
        all.get(index).copied().flatten()
    }
}

/// A dialect: a namespace of operations, and the services it answers.
pub trait Dialect: Send + Sync + 'static {
    /// The namespace: what stands before the dot.
    fn name(&self) -> &'static str;
    /// Declares operations and services.
    fn register(&self, dialect: &mut DialectBuilder<'_>);
}

/// A loaded dialect.
pub struct LoadedDialect {
    name: &'static str,
    number: usize,
    ops: Vec<OpKind>,
    services: Services,
    columns: Arc<Columns>,
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

    /// The dialect's own answer to a service, without the answers of its operations and without the default.
    pub fn service<S: ServiceKind + ?Sized>(&self) -> Option<&S> {
        let column = self.columns.get(&TypeId::of::<S>())?.downcast_ref::<ServiceTable<S>>()?;
        column.by_dialect.get(self.number)?.as_deref()
    }

    /// The services that it or one of its operations answers, by name.
    pub fn services(&self) -> impl Iterator<Item = ServiceId> + '_ {
        self.services.values().copied()
    }

    /// Whether it or one of its operations answers a service.
    pub fn answers(&self, service: ServiceId) -> bool {
        self.services.contains_key(&service.order())
    }
}

type Columns = FxHashMap<TypeId, Box<dyn Any + Send + Sync>>;

/// Services by name; the key tells two of one name apart.
type Services = BTreeMap<(&'static str, TypeId), ServiceId>;

/// What went wrong while dialects were loaded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RegistryError {
    /// Two declarations of one operation, or two dialects of one namespace.
    DuplicateName(String),
    /// An operation whose name does not begin with its dialect's namespace.
    ForeignOp {
        /// The dialect that declares it.
        dialect: &'static str,
        /// Its name.
        op: &'static str,
    },
    /// A service that the same dialect or operation answers already.
    DuplicateService {
        /// The service.
        service: &'static str,
        /// The dialect or operation.
        of: String,
    },
    /// An extension for a dialect or operation that is not loaded.
    UnknownTarget {
        /// The service.
        service: &'static str,
        /// The dialect or operation.
        of: String,
        /// A name that is near.
        near: Option<String>,
    },
    /// A dialect promised a service that no extension brought.
    BrokenPromise {
        /// The service.
        service: &'static str,
        /// The dialect.
        dialect: &'static str,
        /// Where the implementation is to be had, in the dialect's words.
        hint: &'static str,
    },
    /// More than 65,535 kinds of operations.
    TooManyKinds,
}

impl std::fmt::Display for RegistryError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RegistryError::DuplicateName(name) => write!(f, "'{name}' is declared twice"),
            RegistryError::ForeignOp { dialect, op } => {
                write!(f, "dialect '{dialect}' declares '{op}', which is not in its namespace")
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
            RegistryError::TooManyKinds => write!(f, "more than 65,535 kinds of operations"),
        }
    }
}

impl std::error::Error for RegistryError {}

type Attach = Box<dyn FnOnce(&mut Loading) -> Result<(), RegistryError>>;

/// Dialects and extensions, before they are frozen into a [`Context`].
#[derive(Default)]
pub struct Registry {
    ops: Vec<(&'static str, &'static OpSpec)>,
    dialects: Vec<&'static str>,
    attach: Vec<Attach>,
    promises: Vec<(ServiceId, &'static str, &'static str)>,
}

impl Registry {
    /// A registry without dialects.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a dialect. Adding the same namespace twice is an error of [`Context::new`].
    pub fn add(&mut self, dialect: impl Dialect) -> &mut Self {
        self.dialects.push(dialect.name());
        dialect.register(&mut DialectBuilder { name: dialect.name(), registry: self });
        self
    }

    /// Attaches a service to somebody else's dialect.
    pub fn extend_dialect<S: ServiceKind + ?Sized>(
        &mut self,
        dialect: &'static str,
        service: Arc<S>,
    ) -> &mut Self {
        self.attach.push(Box::new(move |loading| loading.attach_dialect::<S>(dialect, service)));
        self
    }

    /// Attaches a service to one operation, of whatever dialect.
    pub fn extend_op<S: ServiceKind + ?Sized>(&mut self, op: &'static str, service: Arc<S>) -> &mut Self {
        self.attach.push(Box::new(move |loading| loading.attach_op::<S>(op, service)));
        self
    }
}

/// What a [`Dialect`] declares itself into.
pub struct DialectBuilder<'a> {
    name: &'static str,
    registry: &'a mut Registry,
}

impl DialectBuilder<'_> {
    /// Declares an operation.
    pub fn op<O: OpDef>(&mut self) -> &mut Self {
        self.spec(O::SPEC)
    }

    /// Declares an operation by its spec.
    pub fn spec(&mut self, spec: &'static OpSpec) -> &mut Self {
        self.registry.ops.push((self.name, spec));
        self
    }

    /// Answers a service for all operations of the dialect.
    pub fn service<S: ServiceKind + ?Sized>(&mut self, service: Arc<S>) -> &mut Self {
        self.registry.extend_dialect::<S>(self.name, service);
        self
    }

    /// Answers a service for one operation.
    pub fn op_service<O: OpDef, S: ServiceKind + ?Sized>(&mut self, service: Arc<S>) -> &mut Self {
        self.registry.extend_op::<S>(O::SPEC.name, service);
        self
    }

    /// Promises that an extension will bring a service; `hint` says which, for when it was forgotten.
    pub fn promise<S: ServiceKind + ?Sized>(&mut self, hint: &'static str) -> &mut Self {
        self.registry.promises.push((ServiceId::of::<S>(), self.name, hint));
        self
    }
}

/// What fills the empty places of one column, given the operations and the numbers of their dialects.
type Resolve = (TypeId, fn(&mut Columns, &[(usize, &'static OpSpec)]));

/// Tables while extensions are attached.
struct Loading {
    dialects: Vec<&'static str>,
    ops: Vec<(usize, &'static OpSpec)>,
    op_numbers: FxHashMap<&'static str, usize>,
    columns: Columns,
    answered: Vec<Services>,
    resolve: Vec<Resolve>,
}

impl Loading {
    fn column<S: ServiceKind + ?Sized>(&mut self) -> &mut ServiceTable<S> {
        let (kinds, dialects) = (self.ops.len(), self.dialects.len());
        let resolve = &mut self.resolve;
        let column = self.columns.entry(TypeId::of::<S>()).or_insert_with(|| {
            resolve.push((TypeId::of::<S>(), resolve_column::<S>));
            let by_kind = (0..kinds).map(|_| None).collect();
            let by_dialect = (0..dialects).map(|_| None).collect();
            Box::new(ServiceTable::<S> { by_kind, by_dialect, default: S::default_service() })
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
        let slot = &mut self.column::<S>().by_dialect[number];
        if slot.replace(service).is_some() {
            return Err(RegistryError::DuplicateService { service: S::NAME, of: dialect.into() });
        }
        self.answered[number].insert(ServiceId::of::<S>().order(), ServiceId::of::<S>());
        Ok(())
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
        let slot = &mut self.column::<S>().by_kind[number];
        if slot.replace(service).is_some() {
            return Err(RegistryError::DuplicateService { service: S::NAME, of: op.into() });
        }
        let dialect = self.ops[number].0;
        self.answered[dialect].insert(ServiceId::of::<S>().order(), ServiceId::of::<S>());
        Ok(())
    }
}

/// Operations without an answer of their own get their dialect's, or the default.
fn resolve_column<S: ServiceKind + ?Sized>(columns: &mut Columns, ops: &[(usize, &'static OpSpec)]) {
    let column =
        columns.get_mut(&TypeId::of::<S>()).and_then(|column| column.downcast_mut::<ServiceTable<S>>());
    let ServiceTable { by_kind, by_dialect, default } = column.expect("a column has the type of its key");
    for (slot, (dialect, _)) in by_kind.iter_mut().zip(ops) {
        if slot.is_none() {
            *slot = by_dialect[*dialect].clone().or_else(|| default.clone());
        }
    }
}

/// Interned types, attributes, names and locations, and the loaded dialects. Clones share everything, and all of
/// it may be used from several threads at once.
#[derive(Clone)]
pub struct Context(Arc<Inner>);

struct Inner {
    names: Interner<Box<str>>,
    types: Interner<TypeData>,
    attrs: Interner<AttrData>,
    locs: Interner<LocData>,
    files: Interner<Box<str>>,
    infos: boxcar::Vec<OpInfo>,
    kinds: Interner<KindKey>,
    n_registered: usize,
    dialects: Vec<LoadedDialect>,
    columns: Arc<Columns>,
    /// Tables of services that nobody answers but that have a default, made at the first question.
    default_columns: boxcar::Vec<(TypeId, Box<dyn Any + Send + Sync>)>,
    next_body_tag: AtomicU32,
    next_distinct: AtomicU64,
    well_known: WellKnown,
}

/// The key of an operation kind: its name. Kinds are numbered in the order of first interning.
#[derive(PartialEq, Eq, Hash)]
struct KindKey(Name);

impl Equivalent<KindKey> for Name {
    fn equivalent(&self, key: &KindKey) -> bool {
        *self == key.0
    }
}

/// Names that the infrastructure itself reads.
#[allow(missing_docs, reason = "each is the name it spells")]
pub struct WellKnown {
    pub sym_name: Name,
    pub sym_visibility: Name,
    pub function_type: Name,
    pub operand_segments: Name,
    pub result_segments: Name,
    pub value: Name,
    pub arg_attrs: Name,
    pub res_attrs: Name,
}

impl Context {
    /// A context with the dialects of a registry, frozen.
    pub fn new(registry: Registry) -> Result<Context, RegistryError> {
        let Registry { mut ops, dialects, attach, promises } = registry;
        let mut names: Vec<&'static str> = dialects.clone();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(RegistryError::DuplicateName(pair[0].to_owned()));
        }
        ops.sort_by_key(|(_, spec)| spec.name);
        if ops.len() > usize::from(u16::MAX) {
            return Err(RegistryError::TooManyKinds);
        }
        let mut loading = Loading {
            answered: vec![Services::new(); names.len()],
            dialects: names,
            ops: Vec::with_capacity(ops.len()),
            op_numbers: FxHashMap::default(),
            columns: Columns::default(),
            resolve: Vec::new(),
        };
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
        for attach in attach {
            attach(&mut loading)?;
        }
        for (service, dialect, hint) in promises {
            let number = loading.dialects.binary_search(&dialect).expect("the dialect was added");
            if !loading.answered[number].contains_key(&service.order()) {
                return Err(RegistryError::BrokenPromise { service: service.name, dialect, hint });
            }
        }
        for (_, resolve) in std::mem::take(&mut loading.resolve) {
            resolve(&mut loading.columns, &loading.ops);
        }
        Ok(Self::freeze(loading))
    }

    /// A context without dialects: every operation is unregistered.
    pub fn bare() -> Context {
        Context::new(Registry::new()).expect("nothing is declared twice")
    }

    fn freeze(loading: Loading) -> Context {
        let Loading { dialects, ops, columns, answered, .. } = loading;
        let columns = Arc::new(columns);
        let names = Interner::<Box<str>>::new();
        let name = |text: &str| Name(names.intern(text, || text.into()));
        let well_known = WellKnown {
            sym_name: name("sym_name"),
            sym_visibility: name("sym_visibility"),
            function_type: name("function_type"),
            operand_segments: name("operandSegmentSizes"),
            result_segments: name("resultSegmentSizes"),
            value: name("value"),
            arg_attrs: name("arg_attrs"),
            res_attrs: name("res_attrs"),
        };
        let types = Interner::new();
        for data in fixed_types() {
            types.intern(&ByRef(&data), || data.clone());
        }
        let attrs = Interner::new();
        let boolean = |value: i64| AttrData::Integer { value: value.into(), ty: Type::I1 };
        for data in [AttrData::Dictionary([].into()), AttrData::Unit, boolean(0), boolean(1)] {
            attrs.intern(&ByRef(&data), || data.clone());
        }
        let infos = boxcar::Vec::new();
        let kinds = Interner::new();
        let mut loaded: Vec<LoadedDialect> = dialects
            .into_iter()
            .zip(answered)
            .enumerate()
            .map(|(number, (name, services))| LoadedDialect {
                name,
                number,
                ops: Vec::new(),
                services,
                columns: columns.clone(),
            })
            .collect();
        for (dialect, spec) in &ops {
            let op_name = name(spec.name);
            let kind = kinds.intern(&op_name, || KindKey(op_name));
            loaded[*dialect].ops.push(OpKind(kind as u16));
            let mut inherent: Vec<Name> = spec.attrs.iter().map(|attr| name(attr.name)).collect();
            if spec.traits.has(Traits::OPERAND_SEGMENTS) {
                inherent.push(well_known.operand_segments);
            }
            if spec.traits.has(Traits::RESULT_SEGMENTS) {
                inherent.push(well_known.result_segments);
            }
            infos.push(OpInfo {
                name: op_name,
                spec: Some(spec),
                traits: spec.traits,
                dialect: Some(*dialect),
                format: std::sync::OnceLock::new(),
                inherent: inherent.into(),
                defaults: std::sync::OnceLock::new(),
            });
        }
        Context(Arc::new(Inner {
            n_registered: ops.len(),
            names,
            types,
            attrs,
            locs: Interner::new(),
            files: Interner::new(),
            infos,
            kinds,
            dialects: loaded,
            columns,
            default_columns: boxcar::Vec::new(),
            next_body_tag: AtomicU32::new(1),
            next_distinct: AtomicU64::new(0),
            well_known,
        }))
    }

    /// Interns a string.
    pub fn name(&self, text: &str) -> Name {
        Name(self.0.names.intern(text, || text.into()))
    }

    /// The names that the infrastructure itself reads.
    pub fn names(&self) -> &WellKnown {
        &self.0.well_known
    }

    /// Interns a type. Prefer the constructors of [`Type`].
    pub fn intern_type(&self, data: TypeData) -> Type {
        Type(self.0.types.intern(&ByRef(&data), || data.clone()))
    }

    /// What a type is.
    #[inline]
    pub fn type_data(&self, ty: Type) -> &TypeData {
        self.0.types.get(ty.0)
    }

    /// Interns an attribute. Prefer the constructors of [`Attr`].
    pub fn intern_attr(&self, data: AttrData) -> Attr {
        if let AttrData::AffineMap(AffineMap { dims, symbols, .. }) = &data {
            debug_assert!(*dims < 1 << 24 && *symbols < 1 << 24);
        }
        Attr(self.0.attrs.intern(&ByRef(&data), || data.clone()))
    }

    /// What an attribute is.
    #[inline]
    pub fn attr_data(&self, attr: Attr) -> &AttrData {
        self.0.attrs.get(attr.0)
    }

    /// A `distinct` attribute that is equal to no other.
    pub fn distinct(&self, referenced: Attr) -> Attr {
        let id = self.0.next_distinct.fetch_add(1, Ordering::Relaxed);
        self.intern_attr(AttrData::Distinct { id, referenced })
    }

    pub(crate) fn intern_loc(&self, data: LocData) -> u32 {
        self.0.locs.intern(&ByRef(&data), || data.clone())
    }

    pub(crate) fn loc_data(&self, id: u32) -> &LocData {
        self.0.locs.get(id)
    }

    /// The handle of a file name.
    pub fn file(&self, name: &str) -> FileHandle {
        FileHandle(self.0.files.intern(name, || name.into()))
    }

    pub(crate) fn file_name(&self, file: FileHandle) -> Name {
        self.name(self.0.files.get(file.0))
    }

    pub(crate) fn new_body_tag(&self) -> u32 {
        self.0.next_body_tag.fetch_add(1, Ordering::Relaxed)
    }

    /// The kind of an operation name, declared or not. `None` after 65,535 different names.
    pub fn op_kind(&self, name: &str) -> Option<OpKind> {
        let name = self.name(name);
        if let Some(kind) = self.0.kinds.find(&name) {
            return Some(OpKind(kind as u16));
        }
        if self.0.kinds.len() >= usize::from(u16::MAX) {
            return None;
        }
        let kind = self.0.kinds.intern(&name, || KindKey(name));
        Some(OpKind(u16::try_from(kind).ok()?))
    }

    /// The kind of an operation name when a loaded dialect declares it.
    pub fn registered_kind(&self, name: &str) -> Option<OpKind> {
        let name = Name(self.0.names.find(name)?);
        let kind = self.0.kinds.find(&name)?;
        ((kind as usize) < self.0.n_registered).then_some(OpKind(kind as u16))
    }

    /// The kind of a declared operation.
    ///
    /// # Panics
    /// If its dialect is not loaded.
    pub fn kind_of<O: OpDef>(&self) -> OpKind {
        let kind = self.registered_kind(O::SPEC.name);
        kind.unwrap_or_else(|| panic!("the dialect of '{}' is not loaded", O::SPEC.name))
    }

    /// Full name of an operation kind.
    pub fn kind_name(&self, kind: OpKind) -> &str {
        self.0.kinds.get(u32::from(kind.0)).0.as_str(self)
    }

    /// What is known of an operation kind; `None` for one that no loaded dialect declares.
    #[inline]
    pub fn info(&self, kind: OpKind) -> Option<&OpInfo> {
        if kind.index() < self.0.n_registered { Some(&self.0.infos[kind.index()]) } else { None }
    }

    /// The declaration of an operation kind.
    pub fn spec(&self, kind: OpKind) -> Option<&'static OpSpec> {
        self.info(kind)?.spec
    }

    /// The loaded dialects, by name.
    pub fn dialects(&self) -> &[LoadedDialect] {
        &self.0.dialects
    }

    /// A loaded dialect.
    pub fn dialect(&self, name: &str) -> Option<&LoadedDialect> {
        let at = self.0.dialects.binary_search_by(|dialect| dialect.name.cmp(name)).ok()?;
        Some(&self.0.dialects[at])
    }

    /// All declared operations, by name.
    pub fn registered_kinds(&self) -> impl Iterator<Item = OpKind> + use<> {
        (0..self.0.n_registered).map(|kind| OpKind(kind as u16))
    }

    /// The dialects that answer a service for themselves or one of their operations, by name.
    pub fn dialects_with<S: ServiceKind + ?Sized>(&self) -> impl Iterator<Item = &LoadedDialect> {
        self.0.dialects.iter().filter(|dialect| dialect.answers(ServiceId::of::<S>()))
    }

    /// The answers of a service over all operations; `None` when nobody answers and there is no default.
    pub fn service_table<S: ServiceKind + ?Sized>(&self) -> Option<&ServiceTable<S>> {
        let key = TypeId::of::<S>();
        if let Some(column) = self.0.columns.get(&key) {
            return column.downcast_ref();
        }
        if S::ABSENCE != Absence::Default {
            return None;
        }
        let made = self.0.default_columns.iter().find(|(_, (made, _))| *made == key).map(|(at, _)| at);
        let at = made.unwrap_or_else(|| {
            let default = S::default_service();
            // Two threads may both come here; either table serves.
            let table = ServiceTable::<S> { by_kind: Vec::new(), by_dialect: Vec::new(), default };
            self.0.default_columns.push((key, Box::new(table)))
        });
        self.0.default_columns.get(at)?.1.downcast_ref()
    }

    /// The answer of an operation kind: its own, its dialect's, or the default.
    pub fn service<S: ServiceKind + ?Sized>(&self, kind: OpKind) -> Option<&S> {
        self.service_table::<S>()?.get(kind)
    }
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let dialects: Vec<_> = self.0.dialects.iter().map(|dialect| dialect.name).collect();
        f.debug_struct("Context").field("dialects", &dialects).finish()
    }
}

impl PartialEq for Context {
    /// Whether they are the same context.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// A key that is the item itself, by reference.
#[derive(Hash)]
struct ByRef<'a, T>(&'a T);

impl<T: Eq> Equivalent<T> for ByRef<'_, T> {
    fn equivalent(&self, key: &T) -> bool {
        self.0 == key
    }
}
