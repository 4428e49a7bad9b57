"""Nothing is forgotten: each stem has its files, each name its export, page and description, each promise its check."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import evalstats
from evalstats._result import HypothesisTestResult
from evalstats.report import sentences

ROOT = Path(__file__).parents[1]
ROOMS = (
    "adjustment",
    "agreement",
    "bayes",
    "design",
    "distributions",
    "effects",
    "metrics",
    "multiple",
    "paired",
    "pairwise",
    "reproducibility",
    "study",
)
# stems that serve their room only, with the reason why users do not see them
PRIVATE_STEMS = {
    "distributions/tails": "the tails of the normal, chi-squared and F distributions",
    "study/bootstrap_632": "the .632 and .632+ scores of run_study",
    "study/splits": "the resampling schemes of run_study",
    "study/config": "the TOML file of evalstats study",
    "study/metric": "the score of a fold of run_study",
    "study/plan": "understands the arguments of run_study",
    "study/result": "what run_study returns",
    "study/runs": "one repeat of run_study",
    "study/store": "the directory of run_study",
    "agreement/beyond_chance": "what all coefficients of its room share",
    "agreement/ratings": "understands the ratings of several raters",
    "agreement/tables": "understands tables of counts",
    "bayes/chains": "how well the chains of bayes_hierarchical_test agree",
    "distributions/dirichlet_process": "the posterior of bayes_signed_rank_test",
    "bayes/hierarchical_model": "the model and the sampler of bayes_hierarchical_test",
    "distributions/dirichlet": "the probabilities of bayes_sign_test",
    "bayes/posterior": "what every posterior of its room is",
    "effects/effect_size": "what all effect sizes of its room share",
    "distributions/noncentral_t_limits": "the interval of standardized differences",
    "design/discordant": "exact power of the tests of wins against losses",
    "distributions/noncentral_t": "power of the t-tests",
    "design/simulation": "simulated power of the tests of ranks",
    "metrics/classes": "labels of any type become codes",
    "metrics/forman_scholz_exact": "exact sums of forman_scholz_simulation",
    "metrics/forman_scholz_monte_carlo": "draws of forman_scholz_simulation",
    "metrics/formulas": "the formulas on counts, with their declarations",
    "metrics/concordant_pairs": "the sorting kernel of AUC",
    "metrics/positive_class": "which of two classes is the positive one",
    "metrics/registry": "what a metric declares about itself",
    "metrics/sample_weight": "understands the weights of cases",
    "metrics/scored_cases": "understands labels, scores, weights and folds",
    "metrics/scoring": "labels or counts become a score",
    "metrics/undefined": "the policies for undefined scores",
    "metrics/case_groups": "which cases belong together",
    "distributions/binomial": "the null distribution of sign_test and mcnemar_test",
    "distributions/discordant_groups": "the null distributions of mcnemar_test and pairwise_mcnemar_test",
    "paired/scored_pairs": "predictions that change hands and cases that are drawn again",
    "distributions/signed_rank": "the null distribution of wilcoxon_test",
    "distributions/walsh_averages": "the Hodges-Lehmann estimate and interval of wilcoxon_test",
    "adjustment/bergmann_hommel": "a method of adjust_pairwise",
    "adjustment/exhaustive_sets": "the partitions behind adjust_pairwise",
    "adjustment/hypotheses_on_a_line": "the partitions behind adjust_pairwise, on a line",
    "adjustment/rom": "the constants of a method of adjust_pvalues",
    "adjustment/shaffer": "two methods of adjust_pairwise",
    "distributions/rank_sums": "the null distributions of friedman_test",
    "multiple/rank_sum_pvalues": "what the tests of pairs after Friedman share",
    "multiple/incomplete_blocks": "what skillings_mack_test and durbin_test share",
    "multiple/mean_ranks": "the ranks of every test of its room",
    "distributions/permuted_rows": "the permutation distribution of quade_test and friedman_aligned_test",
    "multiple/decomposition": "the sums of squares of rm_anova_test and tukey_test",
    "distributions/studentized_tail": "from a known standard deviation to an estimated one",
    "pairwise/common_datasets": "the pairs of compare where scores are missing",
    "adjustment/which_pairs": "what tests of pairs return, what a control may be, where the value of a pair stands",
    "distributions/studentized_range": "the null distribution of nemenyi_test and tukey_test",
}
HEAVY = ("scipy.special", "scipy.stats", "pandas", "statsmodels", "matplotlib", "rpy2", "pyarrow", "openpyxl", "joblib")


def stems() -> list[str]:
    return sorted(f"{room}/{p.stem}" for room in ROOMS for p in (ROOT / "evalstats" / room).glob("[!_]*.py"))


PUBLIC_STEMS = [stem for stem in stems() if stem not in PRIVATE_STEMS]
each_public_stem = pytest.mark.parametrize("stem", PUBLIC_STEMS)


def module(stem: str) -> object:
    return importlib.import_module(f"evalstats.{stem.replace('/', '.')}")


def result_classes() -> list[type]:
    for stem in PUBLIC_STEMS:
        module(stem)
    found, waiting = [], [HypothesisTestResult]
    while waiting:
        below = waiting.pop().__subclasses__()
        found += [c for c in below if c.__module__.startswith("evalstats.")]
        waiting += below
    return sorted({c for c in found if not c.__subclasses__()}, key=lambda c: c.__name__)


def test_private_stems_exist() -> None:
    """A stem that went away must leave the list too."""
    assert set(PRIVATE_STEMS) <= set(stems())


def test_public_names_are_sorted_and_there() -> None:
    assert list(evalstats.__all__) == sorted(evalstats.__all__)
    assert all(hasattr(evalstats, name) for name in evalstats.__all__)


@each_public_stem
def test_export_is_not_forgotten(stem: str) -> None:
    """Metrics are exported by their room, everything else by the package."""
    exported = evalstats.metrics.__all__ if stem.startswith("metrics/") else evalstats.__all__

    missing = [name for name in module(stem).__all__ if name not in exported and not name.endswith("_METRICS")]

    assert missing == []


@pytest.mark.parametrize("stem", stems())
def test_tests_are_not_forgotten(stem: str) -> None:
    room, name = stem.split("/")

    assert (ROOT / "tests" / room / f"test_{name}.py").is_file()


@each_public_stem
def test_docs_page_is_not_forgotten(stem: str) -> None:
    """The page names every public name of its stem, runs an example, and stands in the index."""
    page = (ROOT / "docs" / "reference" / f"{stem}.md").read_text(encoding="utf-8")
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")

    missing = [n for n in module(stem).__all__ if n not in page]

    assert missing == []
    assert "```python" in page
    assert f"reference/{stem}.md" in index


@each_public_stem
def test_r_case_is_not_forgotten(stem: str) -> None:
    """Every public function of a room has R cases, or a reason and an oracle in without_r.toml."""
    functions = {n for n in module(stem).__all__ if inspect.isfunction(getattr(module(stem), n))}
    without_r = tomllib.loads((ROOT / "r_reference" / "without_r.toml").read_text(encoding="utf-8"))
    cases = ROOT / "r_reference" / f"{stem}.toml"
    asked = set(tomllib.loads(cases.read_text(encoding="utf-8"))["reference"]) if cases.is_file() else set()

    assert functions - asked - set(without_r) == set()
    if cases.is_file():
        assert cases.with_suffix(".R").is_file()
        assert cases.with_suffix(".json").is_file()


@pytest.mark.parametrize("result", result_classes(), ids=lambda c: c.__name__)
def test_description_is_not_forgotten(result: type) -> None:
    assert result.__name__ in sentences.SENTENCES
    assert result.__name__ in evalstats.__all__


def test_every_public_name_stands_in_the_docs() -> None:
    pages = "\n".join(p.read_text(encoding="utf-8") for p in (ROOT / "docs").rglob("*.md"))

    names = [*evalstats.__all__, *evalstats.metrics.__all__]
    missing = [name for name in names if not re.search(rf"\b{name}\b", pages)]

    assert missing == []


def test_every_public_function_stands_in_the_changelog() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")

    missing = [n for n in evalstats.__all__ if inspect.isfunction(getattr(evalstats, n)) and n not in changelog]

    assert missing == []


def test_import_loads_numpy_only() -> None:
    script = f"import sys, evalstats; print([m for m in {HEAVY!r} if m in sys.modules])"

    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout

    assert loaded.strip() == "[]"


@pytest.mark.parametrize("path", sorted((ROOT / "evalstats").rglob("*.py")), ids=lambda p: str(p.relative_to(ROOT)))
def test_module_states_its_subject_and_its_names(path: Path) -> None:
    """Each module opens with a docstring, and each that defines something public lists it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    public = [n for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef) and not n.name.startswith("_")]

    assert ast.get_docstring(tree)
    assert not public or any(isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == "__all__" for n in tree.body)


def test_every_module_can_be_imported_alone() -> None:
    names = [m.name for m in pkgutil.walk_packages(evalstats.__path__, "evalstats.") if not m.name.endswith("__main__")]

    for name in names:
        importlib.import_module(name)

    assert {f"evalstats.{stem.replace('/', '.')}" for stem in stems()} <= set(names)


def test_test_script_installs_every_r_package_that_cases_need() -> None:
    script = (ROOT / "scripts" / "test").read_text(encoding="utf-8")
    needed = set()
    for path in (ROOT / "r_reference").rglob("*.toml"):
        for reference in tomllib.loads(path.read_text(encoding="utf-8")).get("reference", {}).values():
            needed |= set(reference["packages"])

    missing = [p for p in needed - {"stats", "base"} if f'"{p}"' not in script]

    assert missing == []


def test_project_speaks_of_the_project_alone() -> None:
    """No path of a machine, no pointer to something that readers do not have."""
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    # folders of a machine or a user, the workplace's own library, numbers of a tracker
    forbidden = re.compile(r"/(?:home|root|tmp|work|Users)/|\.\./[s]hared|\bissue #?\d+\b")

    found = [
        f"{name}: {match.group()}"
        for name in files
        if (ROOT / name).suffix in {".py", ".md", ".toml", ".R", ".ini", ""} and (ROOT / name).is_file()
        for match in forbidden.finditer((ROOT / name).read_text(encoding="utf-8"))
    ]

    assert found == []
