//! The module: the arenas of a file's syntax tree.

use super::{
    AttrId, AttrKind, AttrNode, Binder, BinderId, Binding, Block, BlockId, CallExtra, CtorId, CtorNode,
    DataId, DataNode, Expr, ExprId, ExprKind, ExtraId, FnId, FnNode, Ident, Item, MatchId, MatchNode,
    Pattern, PatternId, PatternKind, Run, TypeExpr, TypeExprId, TypeKind, TypeParam,
};
use crate::metadata::Metadata;
use minoan_diag::{FileId, Span};
use minoan_frontend::{Names, Symbol};

/// The syntax tree of a file.
#[derive(Clone, Debug)]
pub struct Module {
    /// The source file.
    pub file: FileId,
    /// The interned identifiers.
    pub names: Names,
    /// The top-level forms, in order. Those of the prelude come first; see [`Module::own_items`].
    pub items: Vec<Item>,
    /// The number of `items` that belong to the prelude.
    pub prelude_items: usize,
    /// The metadata section.
    pub metadata: Metadata,
    /// The names of definitions with syntax errors; references to them are not reported.
    pub broken: Vec<Symbol>,
    pub(crate) exprs: Vec<Expr>,
    pub(crate) expr_lists: Vec<ExprId>,
    pub(crate) types: Vec<TypeExpr>,
    pub(crate) binders: Vec<Binder>,
    pub(crate) fns: Vec<FnNode>,
    pub(crate) matches: Vec<MatchNode>,
    pub(crate) patterns: Vec<Pattern>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) bindings: Vec<Binding>,
    pub(crate) extras: Vec<CallExtra>,
    pub(crate) attrs: Vec<AttrNode>,
    pub(crate) datas: Vec<DataNode>,
    pub(crate) ctors: Vec<CtorNode>,
}

/// Declares the lookup and insertion functions of each arena.
macro_rules! arenas {
    ($($field:ident: $get:ident $add:ident($id:ident) -> $node:ty, $what:literal;)*) => {
        impl Module {$(
            #[doc = concat!("The ", $what, " of that id.")]
            pub fn $get(&self, id: $id) -> &$node {
                &self.$field[id.index()]
            }

            #[doc = concat!("Adds the ", $what, ".")]
            pub fn $add(&mut self, node: $node) -> $id {
                self.$field.push(node);
                $id(self.$field.len() as u32 - 1)
            }
        )*}
    };
}

arenas! {
    exprs: expr push_expr(ExprId) -> Expr, "expression";
    types: type_expr push_type(TypeExprId) -> TypeExpr, "written type";
    binders: binder add_binder(BinderId) -> Binder, "binder";
    fns: function add_function(FnId) -> FnNode, "function";
    matches: match_node add_match(MatchId) -> MatchNode, "`match`";
    patterns: pattern push_pattern(PatternId) -> Pattern, "pattern";
    blocks: block push_block(BlockId) -> Block, "block";
    extras: extra add_extra(ExtraId) -> CallExtra, "type arguments and attributes";
    attrs: attr push_attr(AttrId) -> AttrNode, "value of an attribute";
    datas: data push_data(DataId) -> DataNode, "data type";
    ctors: ctor push_ctor(CtorId) -> CtorNode, "constructor";
}

impl Module {
    /// Creates a module without forms.
    pub fn new(file: FileId) -> Self {
        Self {
            file,
            names: Names::default(),
            items: Vec::new(),
            prelude_items: 0,
            metadata: Metadata::default(),
            broken: Vec::new(),
            exprs: Vec::new(),
            expr_lists: Vec::new(),
            types: Vec::new(),
            binders: Vec::new(),
            fns: Vec::new(),
            matches: Vec::new(),
            patterns: Vec::new(),
            blocks: Vec::new(),
            bindings: Vec::new(),
            extras: Vec::new(),
            attrs: Vec::new(),
            datas: Vec::new(),
            ctors: Vec::new(),
        }
    }

    /// The forms of the file, excluding those of the prelude.
    pub fn own_items(&self) -> &[Item] {
        &self.items[self.prelude_items..]
    }

    /// The spelling of a symbol.
    pub fn text(&self, name: Symbol) -> &str {
        self.names.text(name)
    }

    /// The number of expressions; every id is smaller.
    pub fn expr_count(&self) -> usize {
        self.exprs.len()
    }

    /// The number of binders; every id is smaller.
    pub fn binder_count(&self) -> usize {
        self.binders.len()
    }

    /// The number of constructors; every id is smaller.
    pub fn ctor_count(&self) -> usize {
        self.ctors.len()
    }

    /// The number of data types; every id is smaller.
    pub fn data_count(&self) -> usize {
        self.datas.len()
    }

    /// Adds an expression.
    pub fn add_expr(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.push_expr(Expr { kind, span })
    }

    /// Adds a type expression.
    pub fn add_type(&mut self, kind: TypeKind, span: Span) -> TypeExprId {
        self.push_type(TypeExpr { kind, span })
    }

    /// Adds a pattern.
    pub fn add_pattern(&mut self, kind: PatternKind, span: Span) -> PatternId {
        self.push_pattern(Pattern { kind, span })
    }

    /// Adds an attribute value.
    pub fn add_attr(&mut self, kind: AttrKind, span: Span) -> AttrId {
        self.push_attr(AttrNode { kind, span })
    }

    /// Adds a block.
    pub fn add_block(&mut self, bindings: impl IntoIterator<Item = Binding>, body: ExprId) -> BlockId {
        let bindings = Run::push(&mut self.bindings, bindings);
        self.push_block(Block { bindings, body })
    }

    /// Adds a list of expressions.
    pub fn add_list(&mut self, items: impl IntoIterator<Item = ExprId>) -> Run<ExprId> {
        Run::push(&mut self.expr_lists, items)
    }

    /// Adds a data type with its constructors, given by name and field types.
    pub fn add_data(
        &mut self,
        name: Ident,
        type_params: Box<[TypeParam]>,
        ctors: impl IntoIterator<Item = (Ident, Box<[TypeExprId]>)>,
        external: bool,
    ) -> DataId {
        let data = DataId(self.datas.len() as u32);
        let ctors = ctors.into_iter().map(|(name, fields)| CtorNode { name, fields, data });
        let ctors = Run::push(&mut self.ctors, ctors);
        self.push_data(DataNode { name, type_params, ctors, external })
    }

    /// The expressions of a list.
    pub fn list(&self, run: Run<ExprId>) -> &[ExprId] {
        run.of(&self.expr_lists)
    }

    /// The bindings of a block.
    pub fn bindings(&self, run: Run<Binding>) -> &[Binding] {
        run.of(&self.bindings)
    }

    /// The constructors of a data type, in order.
    pub fn ctors_of(&self, data: DataId) -> impl Iterator<Item = CtorId> + use<> {
        let run = self.data(data).ctors;
        (run.start..run.start + run.len).map(CtorId)
    }
}

impl Module {
    /// The immediate subexpressions of an expression of this kind, in order of evaluation; empty for kinds that bind
    /// variables.
    pub(crate) fn parts(&self, kind: ExprKind) -> Vec<ExprId> {
        match kind {
            ExprKind::Call { callee, args, .. } => {
                [callee].into_iter().chain(self.list(args).iter().copied()).collect()
            }
            ExprKind::Tuple(parts) => self.list(parts).to_vec(),
            ExprKind::Binary(_, a, b) | ExprKind::RefWrite(a, b) => vec![a, b],
            ExprKind::Unary(_, a) | ExprKind::Project(a, _) | ExprKind::Ref(a) | ExprKind::RefRead(a) => {
                vec![a]
            }
            ExprKind::If { condition, then, otherwise } => vec![condition, then, otherwise],
            _ => Vec::new(),
        }
    }
}
