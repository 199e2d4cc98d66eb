"""The stub file names what the package has."""

import ast
import pathlib

import minoan as mn


def members(node):
    return {one.name for one in node.body if isinstance(one, (ast.FunctionDef, ast.ClassDef))}


def test_stubs_agree_with_the_package():
    path = pathlib.Path(mn.__file__).with_name("__init__.pyi")
    stub = ast.parse(path.read_text())
    classes = {node.name: node for node in stub.body if isinstance(node, ast.ClassDef)}
    named = members(stub) | {node.target.id for node in stub.body if isinstance(node, ast.AnnAssign)}
    assert named >= set(mn.__all__)
    for name, node in classes.items():
        declared = members(node)
        if not hasattr(mn, name):
            continue
        existing = getattr(mn, name)
        missing = [member for member in declared if not hasattr(existing, member)]
        assert not missing, (name, missing)
        public = {member for member in vars(existing) if not member.startswith("_")}
        if existing.__module__ == "minoan":
            assert public <= declared, (name, public - declared)
    assert path.with_name("py.typed").exists()
