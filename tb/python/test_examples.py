"""What the examples print is what docs/exploration.md says, and the README names each with its command."""

import re
import subprocess
import sys

import pytest

from conftest import SOURCE

EXAMPLES = sorted((SOURCE / "python" / "examples").glob("*.py"))


def words(text):
    return " ".join(text.split())


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_the_answer_stands_in_the_document(example, tmp_path):
    done = subprocess.run([sys.executable, "-B", example], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    document = (SOURCE / "docs" / "exploration.md").read_text()
    part = re.search(f"<!-- {example.stem} begin -->\n```\n(.*?)```\n<!-- {example.stem} end -->", document, re.DOTALL)
    assert part, f"docs/exploration.md has no part {example.stem}"
    assert words(part.group(1)) == words(done.stdout), f"scripts/examples_doc.sh writes it anew:\n{done.stdout}"
    assert re.search(r"\n\nAnswer: [^\n]+\.\n$", done.stdout), "a table and an answer of one paragraph"


def test_each_question_has_its_command():
    readme = (SOURCE / "README.md").read_text()
    assert len(EXAMPLES) == 4
    for example in EXAMPLES:
        assert f"\nscripts/python.sh python/examples/{example.name}" in readme
