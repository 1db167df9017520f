"""The package offers what it says it does."""

import importlib
import pkgutil

import eval.clustering


def test_all_names_exist_once_in_order():
    names = eval.clustering.__all__
    assert len(set(names)) == len(names)
    assert all(hasattr(eval.clustering, name) for name in names)


def test_every_public_name_is_declared_by_its_module():
    modules = [
        importlib.import_module(f"eval.clustering.{module.name}")
        for module in pkgutil.iter_modules(eval.clustering.__path__)
    ]
    declared = {name for module in modules for name in module.__all__}
    assert set(eval.clustering.__all__) <= declared
