//! The context: interned entities and loaded dialects.

use crate::affine::AffineMap;
use crate::interner::Interner;
use crate::location::FileHandle;
use crate::registry::{Columns, LoadedDialect, Loading, Registry, RegistryError};
use crate::service::{ServiceKind, ServiceTable};
use crate::spec::{AttrDefault, OpDef, OpSpec, Traits};
use crate::types::fixed_types;
use crate::{Absence, Attr, AttrData, ForeignDialect, LocData, ServiceId, Type, TypeData};
use hashbrown::Equivalent;
use rustc_hash::FxHashMap;
use std::any::{Any, TypeId};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

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

/// The kind of an operation, as a dense number of its context.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct OpKind(pub(crate) u16);

impl OpKind {
    /// The number, for tables.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The properties of a kind of operation in a context.
pub struct OpInfo {
    /// The full name.
    pub name: Name,
    /// The declaration; `None` for an unregistered operation.
    pub spec: Option<&'static OpSpec>,
    /// The traits; none for an unregistered operation.
    pub traits: Traits,
    /// The index of its dialect in [`Context::dialects`], if loaded.
    pub dialect: Option<usize>,
    /// The assembly format, compiled at first use.
    pub(crate) format: std::sync::OnceLock<Box<Result<crate::text::Format, String>>>,
    /// The names of its inherent attributes.
    pub(crate) inherent: Box<[Name]>,
    /// The default values of its declared attributes, parsed at first use.
    pub(crate) defaults: std::sync::OnceLock<Box<[Option<Attr>]>>,
    /// The dictionary of these defaults, created at first use.
    pub(crate) default_props: std::sync::OnceLock<Attr>,
}

impl OpInfo {
    /// Whether an attribute of this name is inherent.
    pub fn is_inherent(&self, name: Name) -> bool {
        self.inherent.contains(&name)
    }

    /// The inherent attributes of an operation with all defaults.
    pub(crate) fn default_props(&self, ctx: &Context) -> Attr {
        *self.default_props.get_or_init(|| {
            let values = (0..).map(|index| self.default_attr(ctx, index));
            let entries = self.inherent.iter().zip(values).filter_map(|(&name, value)| Some((name, value?)));
            Attr::dictionary(ctx, &entries.collect::<Vec<_>>())
        })
    }

    /// The default of declared attribute `index`, if it has one.
    ///
    /// # Panics
    /// Panics if the text of a default does not parse, which is a bug in the declaration.
    pub fn default_attr(&self, ctx: &Context, index: usize) -> Option<Attr> {
        let attrs = self.spec.map_or(&[][..], |spec| spec.attrs);
        let value = |default: AttrDefault| match default {
            AttrDefault::Value(value) => value(ctx),
            AttrDefault::Text(text) => crate::text::parse_attr(ctx, text).unwrap_or_else(|_| {
                panic!("the default '{text}' of an attribute of '{}' does not parse", self.name.as_str(ctx))
            }),
        };
        let all = self.defaults.get_or_init(|| attrs.iter().map(|attr| attr.default.map(value)).collect());
        all.get(index).copied().flatten()
    }
}

/// Interned types, attributes, names and locations, and the loaded dialects. Clones share everything; thread-safe.
#[derive(Clone)]
pub struct Context(Arc<Inner>);

struct Inner {
    names: Interner<Box<str>>,
    types: Interner<TypeData>,
    attrs: Interner<AttrData>,
    locs: Interner<LocData>,
    files: Interner<Box<str>>,
    infos: Box<[OpInfo]>,
    kinds: Interner<KindKey>,
    n_registered: usize,
    dialects: Vec<LoadedDialect>,
    foreign: FxHashMap<&'static str, &'static ForeignDialect>,
    columns: Arc<Columns>,
    /// The tables of services that no dialect implements but that have a default, created at first use.
    default_columns: boxcar::Vec<(TypeId, Box<dyn Any + Send + Sync>)>,
    next_body_tag: AtomicU32,
    next_distinct: AtomicU64,
    aliases: AtomicBool,
    prints_op_on_diagnostic: AtomicBool,
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

/// The names that the infrastructure uses.
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
    /// Creates a context with the dialects of a registry, which is frozen.
    ///
    /// # Errors
    /// Two dialects, operations, types or attributes have the same name, or a declaration is in the namespace of another
    /// dialect.
    pub fn new(registry: Registry) -> Result<Context, RegistryError> {
        Ok(Self::freeze(Loading::of(registry)?))
    }

    /// Creates a context without dialects: every operation is unregistered.
    pub fn bare() -> Context {
        Context::new(Registry::new()).expect("nothing is declared twice")
    }

    fn freeze(loading: Loading) -> Context {
        let Loading { dialects, ops, data, columns, implemented, foreign, .. } = loading;
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
        attrs.push_alone(AttrData::Dictionary([].into()));
        let mut infos = Vec::with_capacity(ops.len());
        let kinds = Interner::new();
        let mut loaded: Vec<LoadedDialect> = dialects
            .into_iter()
            .zip(implemented)
            .zip(data)
            .enumerate()
            .map(|(number, ((name, services), data))| LoadedDialect {
                name,
                number,
                ops: Vec::new(),
                data,
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
                default_props: std::sync::OnceLock::new(),
            });
        }
        Context(Arc::new(Inner {
            n_registered: ops.len(),
            names,
            types,
            attrs,
            locs: Interner::new(),
            files: Interner::new(),
            infos: infos.into(),
            kinds,
            dialects: loaded,
            foreign,
            columns,
            default_columns: boxcar::Vec::new(),
            next_body_tag: AtomicU32::new(1),
            next_distinct: AtomicU64::new(0),
            aliases: AtomicBool::new(false),
            prints_op_on_diagnostic: AtomicBool::new(false),
            well_known,
        }))
    }

    /// Interns a string.
    pub fn name(&self, text: &str) -> Name {
        Name(self.0.names.intern(text, || text.into()))
    }

    /// The names that the infrastructure uses.
    pub fn names(&self) -> &WellKnown {
        &self.0.well_known
    }

    /// Interns a type. Prefer the constructors of [`Type`].
    pub fn intern_type(&self, data: TypeData) -> Type {
        Type(self.0.types.intern(&ByRef(&data), || {
            if crate::text::type_prefix(&data).is_some() {
                self.0.aliases.store(true, Ordering::Relaxed);
            }
            data.clone()
        }))
    }

    /// The data of a type.
    #[inline]
    pub fn type_data(&self, ty: Type) -> &TypeData {
        self.0.types.get(ty.0)
    }

    /// Interns an attribute. Prefer the constructors of [`Attr`].
    pub fn intern_attr(&self, data: AttrData) -> Attr {
        if let AttrData::AffineMap(AffineMap { dims, symbols, .. }) = &data {
            debug_assert!(*dims < 1 << 24 && *symbols < 1 << 24);
        }
        Attr(self.0.attrs.intern(&ByRef(&data), || {
            if crate::text::may_have_alias(self, &data) {
                self.0.aliases.store(true, Ordering::Relaxed);
            }
            data.clone()
        }))
    }

    /// Sets whether the verifier adds a note with the operation in generic form to each error.
    pub fn print_op_on_diagnostic(&self, yes: bool) {
        self.0.prints_op_on_diagnostic.store(yes, Ordering::Relaxed);
    }

    pub(crate) fn prints_op_on_diagnostic(&self) -> bool {
        self.0.prints_op_on_diagnostic.load(Ordering::Relaxed)
    }

    /// Whether a type or attribute with an alias has been interned.
    pub(crate) fn has_aliases(&self) -> bool {
        self.0.aliases.load(Ordering::Relaxed)
    }

    /// The number of interned types, attributes and locations.
    pub(crate) fn n_interned(&self) -> usize {
        self.0.types.len() + self.0.attrs.len() + self.0.locs.len()
    }

    /// The data of an attribute.
    #[inline]
    pub fn attr_data(&self, attr: Attr) -> &AttrData {
        self.0.attrs.get(attr.0)
    }

    /// Creates a `distinct` attribute, which is equal to no other.
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

    /// The kind of an operation name, registered or not. `None` if there are 65,535 different names.
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

    /// The kind of an operation name, if a loaded dialect declares it.
    pub fn registered_kind(&self, name: &str) -> Option<OpKind> {
        let name = Name(self.0.names.find(name)?);
        let kind = self.0.kinds.find(&name)?;
        ((kind as usize) < self.0.n_registered).then_some(OpKind(kind as u16))
    }

    /// The kind of a declared operation.
    ///
    /// # Panics
    /// Panics if the dialect is not loaded.
    #[track_caller]
    pub fn kind_of<O: OpDef>(&self) -> OpKind {
        self.declared_kind::<O>().unwrap_or_else(|message| panic!("{message}"))
    }

    /// The kind of a declared operation, or a message if the dialect is not loaded.
    pub(crate) fn declared_kind<O: OpDef>(&self) -> Result<OpKind, String> {
        let name = O::SPEC.name;
        self.registered_kind(name).ok_or_else(|| {
            format!(
                "'{name}' is not declared in this context: add its dialect to the registry, and the operation in the dialect's `register`"
            )
        })
    }

    /// The full name of an operation kind.
    pub fn kind_name(&self, kind: OpKind) -> &str {
        self.0.kinds.get(u32::from(kind.0)).0.as_str(self)
    }

    /// The properties of an operation kind; `None` for an unregistered one.
    #[inline]
    pub fn info(&self, kind: OpKind) -> Option<&OpInfo> {
        self.0.infos.get(kind.index())
    }

    /// The declaration of an operation kind.
    #[inline]
    pub fn spec(&self, kind: OpKind) -> Option<&'static OpSpec> {
        self.info(kind)?.spec
    }

    /// The loaded dialects, by name.
    pub fn dialects(&self) -> &[LoadedDialect] {
        &self.0.dialects
    }

    /// The loaded dialect with this name.
    pub fn dialect(&self, name: &str) -> Option<&LoadedDialect> {
        let at = self.0.dialects.binary_search_by(|dialect| dialect.name.cmp(name)).ok()?;
        Some(&self.0.dialects[at])
    }

    /// The declared facts about an unloaded dialect.
    pub(crate) fn foreign(&self, name: &str) -> Option<&'static ForeignDialect> {
        self.0.foreign.get(name).copied()
    }

    /// The traits that are known of an undeclared operation.
    pub(crate) fn foreign_traits(&self, op: &str) -> Traits {
        let dialect = op.split_once('.').and_then(|(dialect, _)| self.foreign(dialect));
        dialect.map_or(Traits::NONE, |dialect| dialect.traits(op))
    }

    /// All registered operations, by name.
    pub fn registered_kinds(&self) -> impl Iterator<Item = OpKind> + use<> {
        (0..self.0.n_registered).map(|kind| OpKind(kind as u16))
    }

    /// The dialects that implement a service, themselves or by one of their operations, sorted by name.
    pub fn dialects_with<S: ServiceKind + ?Sized>(&self) -> impl Iterator<Item = &LoadedDialect> {
        self.0.dialects.iter().filter(|dialect| dialect.implements(ServiceId::of::<S>()))
    }

    /// The implementations of a service for all operations; `None` if no dialect implements it and there is no
    /// default.
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
            // Two threads may race here; either table is valid.
            self.0.default_columns.push((key, Box::new(ServiceTable::<S>::new(0, 0))))
        });
        self.0.default_columns.get(at)?.1.downcast_ref()
    }

    /// The implementation for an operation kind: its own, its dialect's, or the default.
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
    /// Whether both are the same context.
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
