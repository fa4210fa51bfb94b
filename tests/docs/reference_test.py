"""Checks the reference that Doxygen makes of the public headers: no warning, a page for each function, and each sentence
at its field. reference_test.py DOXYGEN DOXYFILE"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HEADERS = sorted((ROOT / "include/sluice").iterdir())
MOST_CHARACTERS = 120  # of a line
SKIPPED = 77

FUNCTION = re.compile(r"^SLU_API [^(;]*?(slu\w+)\(", flags=re.MULTILINE)
# A field or a value with the beginning of a comment on its line.
FIELD = re.compile(r"^  (?:[\w*]+ )*\*?(\w+)(?:\[[^;]*)?(?: = [-\w<]+)?[;,] */\* (.+?)(?: \*/)?$", flags=re.MULTILINE)

doxygen, doxyfile = "doxygen", "Doxyfile"


def make_reference(folder, **settings):
    """What Doxygen reports, or "" if nothing. The XML is in the folder. Doxygen 1.9 knows only with HTML which parameters
    are documented."""
    settings = {"OUTPUT_DIRECTORY": folder, "GENERATE_XML": "YES", **settings}
    lines = [f"@INCLUDE = {doxyfile}", *(f'{name} = "{value}"' for name, value in settings.items())]
    done = subprocess.run([doxygen, "-"], input="\n".join(lines), capture_output=True, text=True, check=False)
    return done.stderr or ("" if done.returncode == 0 else f"exit status {done.returncode}")


def text_of(element):
    return " ".join("".join(element.itertext()).split()) if element is not None else ""


def letters_of(text):
    """Doxygen renders signs in ways of its own."""
    return re.sub(r"\W", "", text)


class ReferenceTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.report = make_reference(folder.name)
        pages = [xml.etree.ElementTree.parse(page) for page in pathlib.Path(folder.name).glob("xml/*.xml")]
        cls.functions = {function.findtext("name"): function for page in pages
                         for function in page.iter("memberdef") if function.get("kind") == "function"}
        fields = [(field, page.findtext(".//compoundname")) for page in pages for field in page.iter("memberdef")
                  if field.get("kind") == "variable"]
        values = [(value, enum.findtext("name")) for page in pages for enum in page.iter("memberdef")
                  if enum.get("kind") == "enum" for value in enum.iter("enumvalue")]
        cls.fields = {(owner, field.findtext("name")): text_of(field.find("briefdescription")) +
                      text_of(field.find("detaileddescription")) for field, owner in fields + values}

    def test_doxygen_reports_nothing(self):
        self.assertEqual(self.report, "")

    def test_pages_of_functions_are_whole(self):
        names = {name for header in HEADERS for name in FUNCTION.findall(header.read_text(encoding="utf-8"))}
        self.assertGreater(len(names), 20)
        for name in names:
            with self.subTest(function=name):
                function = self.functions[name]
                self.assertTrue(text_of(function.find("briefdescription")))
                described = [text_of(item) for item in function.iter("parametername")]
                declared = [text_of(parameter.find("declname")) for parameter in function.findall("param")]
                self.assertEqual(described, [parameter for parameter in declared if parameter])
                kinds = {section.get("kind"): text_of(section) for section in function.iter("simplesect")}
                self.assertIn("thread", kinds.get("par", ""))
                if function.findtext("type") != "void":
                    self.assertIn("return", kinds)
                if text_of(function.find("type")) == "SluResult":
                    self.assertIn("SLU_", kinds["return"])

    def test_sentences_are_at_their_fields(self):
        count = 0
        for header in HEADERS:
            for owner, body in re.findall(r"^(?:typedef (?:struct|enum) |SLU_ENUM\()(\w+)(?: \{|\))\n(.*?)^(?:\}|SLU_ENUM_END)",
                                          header.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE):
                for name, sentence in FIELD.findall(body):
                    count += 1
                    self.assertTrue(letters_of(self.fields[owner, name]).startswith(letters_of(sentence)),
                                    f"{owner}::{name}: {sentence}: {self.fields[owner, name]}")
        self.assertGreater(count, 200)

    def test_a_parameter_without_a_sentence_is_reported(self):
        source = (ROOT / "include/sluice/sluice.h").read_text(encoding="utf-8")
        line = " * frame binds buffers with a hostPointer.\n"
        self.assertEqual(source.count(line), 1)
        with tempfile.TemporaryDirectory() as folder:
            header = pathlib.Path(folder, "sluice.h")
            header.write_text(source.replace(line, ""), encoding="utf-8")
            report = make_reference(folder, INPUT=header)
        self.assertRegex(report, r"parameters? of \S*sluCompact.* (?:is|are) not documented:\s*parameter 'frame'")

    def test_a_field_without_a_sentence_is_reported(self):
        source = (ROOT / "include/sluice/sluice.h").read_text(encoding="utf-8")
        bare, count = re.subn(r"(uint32_t keptCount;) +/\* those that fit the capacity,[^*]*\*/", r"\1", source)
        self.assertEqual(count, 1)
        with tempfile.TemporaryDirectory() as folder:
            header = pathlib.Path(folder, "sluice.h")
            header.write_text(bare, encoding="utf-8")
            self.assertRegex(make_reference(folder, INPUT=header), r"keptCount .* is not documented")

    def test_lines_of_headers_are_short(self):
        for header in HEADERS:
            for line in header.read_text(encoding="utf-8").splitlines():
                self.assertLessEqual(len(line), MOST_CHARACTERS, f"{header.name}: {line}")


if __name__ == "__main__":
    doxygen, doxyfile = sys.argv[1:]
    if not os.access(doxygen, os.X_OK):
        print("Doxygen is missing: install the package doxygen, and configure again")
        sys.exit(1 if os.environ.get("SLUICE_REQUIRE_DOXYGEN", "0") != "0" else SKIPPED)
    unittest.main(argv=sys.argv[:1])
