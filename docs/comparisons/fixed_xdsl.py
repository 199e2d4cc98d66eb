"""The exercise on xDSL: fixed-point numbers. `python fixed_xdsl.py program.mlir -p lower-fixed`; `python fixed_xdsl.py run program.mlir`."""

import subprocess
import sys
from enum import StrEnum
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, ModuleOp, i32, i64
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Dialect, ParametrizedAttribute, Region, SpacedOpaqueSyntaxAttribute, SSAValue, TypeAttribute
from xdsl.irdl import (
    BaseAttr, EqAttrConstraint, VarConstraint, irdl_attr_definition, irdl_op_definition, IRDLOperation, operand_def, opt_prop_def, prop_def,
    region_def, result_def, traits_def,
)
from xdsl.parser import Parser
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier, PatternRewriter, PatternRewriteWalker, RewritePattern, TypeConversionPattern, attr_type_rewrite_pattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import InsertPoint
from xdsl.traits import Commutative, HasCanonicalizationPatternsTrait, HasParent, IsTerminator, Pure, RecursiveMemoryEffect
from xdsl.transforms.canonicalize import CanonicalizePass
from xdsl.utils.exceptions import VerifyException
from xdsl.xdsl_opt_main import xDSLOptMain


@irdl_attr_definition
class Num(ParametrizedAttribute, TypeAttribute):
    name = "fixed.num"
    fraction: IntegerAttr

    def verify(self) -> None:
        if not 0 <= self.fraction.value.data <= 30:
            raise VerifyException(f"a number has at most 30 fractional bits, not {self.fraction.value.data}")


class Rounding(StrEnum):
    DOWN = "down"
    NEAREST = "nearest"


@irdl_attr_definition
class RoundingAttr(EnumAttribute[Rounding], SpacedOpaqueSyntaxAttribute):
    name = "fixed.rounding"


@irdl_op_definition
class Constant(IRDLOperation):
    name = "fixed.constant"
    units = prop_def(IntegerAttr.constr(EqAttrConstraint(i32)))
    result = result_def(Num)
    assembly_format = "$units attr-dict `:` type($result)"
    traits = traits_def(Pure())


@irdl_op_definition
class Add(IRDLOperation):
    name = "fixed.add"
    T: ClassVar = VarConstraint("T", BaseAttr(Num))
    lhs = operand_def(T)
    rhs = operand_def(T)
    result = result_def(T)
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($result)"
    traits = traits_def(Pure(), Commutative())


class MulPatterns(HasCanonicalizationPatternsTrait):
    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return (MulByOne(), OneByMul())


@irdl_op_definition
class Mul(IRDLOperation):
    name = "fixed.mul"
    T: ClassVar = VarConstraint("T", BaseAttr(Num))
    lhs = operand_def(T)
    rhs = operand_def(T)
    rounding = opt_prop_def(RoundingAttr)
    result = result_def(T)
    assembly_format = "$lhs `,` $rhs (`round` $rounding^)? attr-dict `:` type($result)"
    traits = traits_def(Pure(), Commutative(), MulPatterns())


@irdl_op_definition
class Repeat(IRDLOperation):
    name = "fixed.repeat"
    T: ClassVar = VarConstraint("T", BaseAttr(Num))
    times = operand_def(IndexType)
    init = operand_def(T)
    result = result_def(T)
    body = region_def("single_block")
    assembly_format = "$times `,` $init `:` type($init) $body attr-dict"
    traits = traits_def(RecursiveMemoryEffect())

    def verify_(self) -> None:
        if [arg.type for arg in self.body.block.args] != [self.init.type]:
            raise VerifyException("has a region with one argument of its type")


@irdl_op_definition
class Yield(IRDLOperation):
    name = "fixed.yield"
    next = operand_def(Num)
    assembly_format = "$next attr-dict `:` type($next)"
    traits = traits_def(IsTerminator(), HasParent(Repeat), Pure())


def is_one(value: SSAValue) -> bool:
    return isinstance(value.owner, Constant) and value.owner.units.value.data == 1 << value.type.fraction.value.data


class MulByOne(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: Mul, rewriter: PatternRewriter):
        if is_one(op.rhs):
            rewriter.replace(op, [], [op.lhs])


class OneByMul(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: Mul, rewriter: PatternRewriter):
        if is_one(op.lhs):
            rewriter.replace(op, [], [op.rhs])


FIXED = Dialect("fixed", [Constant, Add, Mul, Repeat, Yield], [Num, RoundingAttr])


class LowerConstant(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: Constant, rewriter: PatternRewriter):
        rewriter.replace(op, arith.ConstantOp(IntegerAttr(op.units.value.data, i32)))


class LowerAdd(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: Add, rewriter: PatternRewriter):
        rewriter.replace(op, arith.AddiOp(op.lhs, op.rhs, result_type=i32))


class LowerMul(RewritePattern):
    """Types are converted afterwards, so the operands still say how many fractional bits they have."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: Mul, rewriter: PatternRewriter):
        fraction = op.result.type.fraction.value.data
        lhs, rhs = arith.ExtSIOp(op.lhs, i64), arith.ExtSIOp(op.rhs, i64)
        ops = [lhs, rhs, arith.MuliOp(lhs.result, rhs.result)]
        if op.rounding is not None and op.rounding.data == Rounding.NEAREST:
            half = arith.ConstantOp(IntegerAttr((1 << fraction) >> 1, i64))
            ops += [half, arith.AddiOp(ops[-1].result, half.result)]
        by = arith.ConstantOp(IntegerAttr(fraction, i64))
        shifted = arith.ShRSIOp(ops[-1].result, by.result)
        rewriter.replace(op, ops + [by, shifted, arith.TruncIOp(shifted.result, i32)])


class LowerRepeat(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: Repeat, rewriter: PatternRewriter):
        zero, one = (arith.ConstantOp(IntegerAttr(value, IndexType())) for value in (0, 1))
        body = rewriter.move_region_contents_to_new_regions(op.body)
        rewriter.insert_block_argument(body.block, 0, IndexType())
        end = body.block.last_op
        rewriter.insert(scf.YieldOp(end.next), InsertPoint.before(end))
        rewriter.erase(end)
        rewriter.replace(op, [zero, one, scf.ForOp(zero.result, op.times, one.result, [op.init], body)])


class ConvertTypes(TypeConversionPattern):
    @attr_type_rewrite_pattern
    def convert_type(self, ty: Num):
        return i32


class LowerFixed(ModulePass):
    name = "lower-fixed"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        PatternRewriteWalker(GreedyRewritePatternApplier([LowerMul(), LowerRepeat()])).rewrite_module(op)
        PatternRewriteWalker(GreedyRewritePatternApplier([LowerConstant(), LowerAdd()])).rewrite_module(op)
        PatternRewriteWalker(ConvertTypes(recursive=True)).rewrite_module(op)


class FixedOpt(xDSLOptMain):
    def register_all_dialects(self):
        super().register_all_dialects()
        self.ctx.register_dialect("fixed", lambda: FIXED)

    def register_all_passes(self):
        super().register_all_passes()
        self.register_pass("lower-fixed", lambda: LowerFixed)


def run(path: str):
    """Calls the function `main`, compiled by MLIR's tools: xDSL has no code generator in process."""
    with open(path) as file:
        module = Parser(FixedOpt(args=[path]).ctx, file.read()).parse_module()
    module.verify()
    for the_pass in (CanonicalizePass(), LowerFixed()):
        the_pass.apply(FixedOpt(args=[path]).ctx, module)
    module.verify()
    passes = ["--convert-scf-to-cf", "--convert-to-llvm", "--reconcile-unrealized-casts"]
    text = subprocess.run(["mlir-opt", *passes], input=str(module), text=True, check=True, stdout=subprocess.PIPE).stdout
    subprocess.run(["mlir-runner", "-e", "main", "-entry-point-result=i32"], input=text, text=True, check=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["run"]:
        run(sys.argv[2])
    else:
        FixedOpt().run()
