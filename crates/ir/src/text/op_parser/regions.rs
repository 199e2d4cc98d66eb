//! Regions and the arguments of their entry blocks.

use super::{OpParser, Parsed, RegionArg};
use crate::{Attr, Block, Body, Builder, Region, Traits, Type, Value};

impl OpParser<'_, '_> {
    /// Parses the next region, whose entry block has these arguments. Adds an implicit terminator.
    pub fn region(&mut self, args: &[RegionArg]) -> Parsed<()> {
        self.p.op_region(&mut self.build, args)?;
        self.p.complete_region(&mut self.build);
        Ok(())
    }

    /// Parses the next region if a `{` is next; otherwise there is no region.
    pub fn optional_region(&mut self, args: &[RegionArg]) -> Parsed<bool> {
        let found = self.p.is("{");
        if found {
            self.region(args)?;
        }
        Ok(found)
    }

    /// Parses the next region; `end` creates the implicit terminator of its last block.
    pub fn region_ended_by(
        &mut self,
        args: &[RegionArg],
        end: impl FnOnce(&mut Builder<'_>, Block),
    ) -> Parsed<()> {
        self.p.op_region(&mut self.build, args)?;
        let loc = self.build.loc;
        let (body, region) = self.last_region();
        let block = body.region(region).blocks().next_back();
        let block = block.unwrap_or_else(|| body.add_block(region, &[]));
        let is_terminator = |op| {
            let op = body.op(op);
            op.has_trait(Traits::TERMINATOR) || op.context().info(op.kind()).is_none()
        };
        if !body.block(block).last().is_some_and(is_terminator) {
            end(&mut Builder::at_end(body, block).with_loc(loc), block);
        }
        Ok(())
    }

    /// Appends an implicit region: a block with arguments of these types, which `build` fills.
    pub fn build_region(&mut self, args: &[Type], build: impl FnOnce(&mut Builder<'_>, &[Value])) {
        let loc = self.build.loc;
        self.p.empty_region(&mut self.build);
        let (body, region) = self.last_region();
        let block = body.add_block(region, args);
        let args: Vec<Value> = body.block(block).args().collect();
        build(&mut Builder::at_end(body, block).with_loc(loc), &args);
    }

    /// Appends a region without blocks.
    pub fn empty_region(&mut self) {
        self.p.empty_region(&mut self.build);
    }

    /// Moves the last parsed region before the others.
    pub fn last_region_first(&mut self) {
        let many = self.build.regions.len();
        self.build.regions.rotate_right(1.min(many));
    }

    /// Whether the last parsed region has no blocks.
    pub fn last_region_is_empty(&mut self) -> bool {
        let (body, region) = self.last_region();
        body.region(region).is_empty()
    }

    /// Parses `%name: type`, with an optional attribute dictionary and location; see [`OpParser::region_arg_attrs`].
    pub fn region_arg(&mut self) -> Parsed<RegionArg> {
        let loc = self.p.here();
        let name = self.p.operand()?;
        if name.number > 0 {
            return Err(self.error_at(name.span, "argument name cannot have a result number"));
        }
        self.p.expect(":")?;
        let ty = self.p.ty()?;
        let attrs = if self.p.is("{") {
            let entries = self.p.dictionary()?;
            Attr::dictionary(self.ctx(), &entries)
        } else {
            Attr::EMPTY
        };
        let loc = self.p.optional_loc()?.unwrap_or(loc);
        self.p.arg_extras.insert(name.span.start, (loc, attrs));
        Ok(RegionArg { name, ty })
    }

    /// Parses an optional `loc(..)` after a region argument that was not parsed by [`OpParser::region_arg`].
    pub fn region_arg_loc(&mut self, arg: &RegionArg) -> Parsed<()> {
        if let Some(loc) = self.p.optional_loc()? {
            self.p.arg_extras.insert(arg.name.span.start, (loc, Attr::EMPTY));
        }
        Ok(())
    }

    /// The attribute dictionary of a region argument.
    pub fn region_arg_attrs(&self, arg: &RegionArg) -> Attr {
        self.p.arg_extras.get(&arg.name.span.start).map_or(Attr::EMPTY, |&(_, attrs)| attrs)
    }

    /// The last appended region, and the body that contains it.
    fn last_region(&mut self) -> (&mut Body, Region) {
        match &mut self.build.nested {
            Some(body) => {
                let last = body.regions().count() - 1;
                let region = body.root(last);
                (&mut **body, region)
            }
            None => (self.p.body(), *self.build.regions.last().expect("appended by the caller")),
        }
    }
}
