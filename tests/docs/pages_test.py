"""Checks the pages: their links, their lines, how long the short ones are, and that fields of errors have remedies."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "demo/frame/README.md"])
MOST_LINES = {"README.md": 120, "docs/performance.md": 150}
MOST_CHARACTERS = 128  # of a line outside tables and code

FENCE = re.compile(r"^```.*?^```$", flags=re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")
# With which the sentence of an error begins: "plan.key.shift: is 32, ..."
FIELD = re.compile(r'"((?:context|vulkanDevice|cudaDevice|d3d12Device|d3d12Buffer|d3d12Memory|buffer|vulkanBuffer'
                   r'|vulkanMemory|memoryFd|cudaBuffer|plan|frame|handoff|transfer|requirements|merge'
                   r'|pyramid|build|vulkanPyramid|vulkanDepth)(?:\.[A-Za-z]+)+)')
HEADING = re.compile(r"^#+ (.+)$", flags=re.MULTILINE)


def prose_of(page):
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def anchors_of(page):
    """As GitHub makes them of headings."""
    headings = (heading.lower() for heading in HEADING.findall(prose_of(page)))
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in headings}


def links_of(page):
    """Pairs of a file and an anchor, of links that are not to other sites."""
    for target in LINK.findall(prose_of(page)):
        if "://" not in target:
            path, _, anchor = target.partition("#")
            yield (page.parent / path).resolve() if path else page, anchor


class PagesTest(unittest.TestCase):
    def test_links_lead_somewhere(self):
        for page in PAGES:
            for target, anchor in links_of(page):
                with self.subTest(page=page.relative_to(ROOT), target=target, anchor=anchor):
                    self.assertTrue(target.exists())
                    if anchor:
                        self.assertIn(anchor, anchors_of(target))

    def test_every_page_is_linked(self):
        linked = {target for page in PAGES for target, _ in links_of(page) if target != page}
        self.assertEqual([page.relative_to(ROOT) for page in PAGES if page not in linked and page.name != "README.md"], [])

    def test_lines_are_short(self):
        for page in PAGES:
            for line in prose_of(page).splitlines():
                if not line.startswith("|"):
                    self.assertLessEqual(len(line), MOST_CHARACTERS, f"{page.relative_to(ROOT)}: {line}")

    def test_short_pages_stay_short(self):
        for name, most in MOST_LINES.items():
            self.assertLessEqual(len((ROOT / name).read_text(encoding="utf-8").splitlines()), most, name)

    def test_every_field_of_an_error_has_a_remedy(self):
        sources = [path for folder in ("src", "interop") for path in (ROOT / folder).rglob("*.cpp")]
        fields = {field for path in sources for field in FIELD.findall(path.read_text(encoding="utf-8"))}
        remedies = (ROOT / "docs/guide/errors.md").read_text(encoding="utf-8")
        self.assertGreater(len(fields), 50)
        self.assertEqual(sorted(field for field in fields if field not in remedies), [])


if __name__ == "__main__":
    unittest.main()
