//! The typing rules of the primitives on linear maps.

use super::Checker;
use super::prim::{Args, Wrong, wrong};
use crate::prims::Prim;
use crate::types::{Type, TypeId, Types};

impl Checker<'_> {
    /// The type of a primitive that returns a linear map.
    pub(super) fn linear_map_type(&mut self, prim: Prim, args: &Args) -> Result<TypeId, Wrong> {
        let types = &args.types;
        let (from, to) = match prim {
            Prim::LmZero => (types[0], types[1]),
            Prim::LmOne => (types[0], types[0]),
            Prim::LmScale => {
                self.same(args, 1, Types::FLOAT, "the factor is 'Float'")?;
                (types[0], types[0])
            }
            Prim::LmScaleR => (Types::FLOAT, types[0]),
            Prim::LmDot => (types[0], Types::FLOAT),
            Prim::LmCompose => {
                let ((middle, to), (from, found)) = (self.linear_map(args, 0)?, self.linear_map(args, 1)?);
                let (middle, found) = (self.out.types.tangent(middle), self.out.types.tangent(found));
                if !self.out.types.agree(middle, found) {
                    let (middle, found) = (self.text(middle), self.text(found));
                    return wrong(
                        1,
                        format!("the first map takes '{middle}', but the second one gives '{found}'"),
                    );
                }
                (from, to)
            }
            Prim::LmAdd => {
                let (from, to) = self.linear_map(args, 0)?;
                self.same(args, 1, types[0], "both maps must have one type")?;
                (from, to)
            }
            Prim::LmHCat | Prim::LmVCat => {
                let mut maps = Vec::new();
                for index in 0..types.len() {
                    let (from, to) = self.linear_map(args, index)?;
                    maps.push(if prim == Prim::LmHCat { (from, to) } else { (to, from) });
                }
                let Some(&(_, shared)) = maps.first() else { return wrong(0, "at least one map is needed") };
                for (index, &(_, found)) in maps.iter().enumerate() {
                    if !self.out.types.agree(shared, found) {
                        let side = if prim == Prim::LmHCat { "target" } else { "source" };
                        let (expected, found) = (self.text(shared), self.text(found));
                        return wrong(
                            index,
                            format!("all maps must have one {side}; expected '{expected}', found '{found}'"),
                        );
                    }
                }
                let parts: Vec<_> = maps.iter().map(|&(part, _)| part).collect();
                let tuple = self.out.types.tuple(parts);
                if prim == Prim::LmHCat { (tuple, shared) } else { (shared, tuple) }
            }
            Prim::LmHCatV | Prim::LmVCatV => {
                let (rank, element) = self.tensor_parts(args, 0)?;
                self.tensor_map(0, prim == Prim::LmVCatV, rank, element)?
            }
            _ => {
                let rank = self.index_rank(args, 0)?;
                let element = self.lambda_from(args, 1, types[0])?;
                self.tensor_map(1, prim == Prim::LmBuild, rank, element)?
            }
        };
        Ok(self.out.types.intern(Type::LinearMap(from, to)))
    }

    /// The type of the application of a linear map.
    pub(super) fn application_type(&mut self, prim: Prim, args: &Args) -> Result<TypeId, Wrong> {
        let (map, value) = if prim == Prim::LmApply { (0, 1) } else { (1, 0) };
        let (from, to) = self.linear_map(args, map)?;
        let (from, to) = (self.out.types.tangent(from), self.out.types.tangent(to));
        let (taken, given, side) =
            if prim == Prim::LmApply { (from, to, "source") } else { (to, from, "target") };
        self.same(args, value, taken, &format!("the map is applied to a tangent of its {side}"))?;
        Ok(given)
    }

    /// The source and the target of the map of a tensor of maps.
    fn tensor_map(
        &mut self,
        arg: usize,
        to_tensors: bool,
        rank: u32,
        element: TypeId,
    ) -> Result<(TypeId, TypeId), Wrong> {
        let &Type::LinearMap(from, to) = self.out.types.get(element) else {
            return wrong(arg, format!("expected linear maps as elements, found '{}'", self.text(element)));
        };
        let types = &mut self.out.types;
        Ok(if to_tensors { (from, types.tensor(rank, to)) } else { (types.tensor(rank, from), to) })
    }
}
