"""Doxygen's input filter: turns the comments of a public header into Doxygen's, line by line. A comment is of what follows
it, or of what stands before it on its line. In the comment of a function a line that begins with a parameter's name is of
that parameter, and a line that begins with "Returns" is of the result."""
import re
import sys

TOKEN = re.compile(r"""
    (?P<block>/\*.*?\*/) | (?P<lines>^[ \t]*//[^\n]*(?:\n[ \t]*//[^\n]*)*) | (?P<line>//[^\n]*)
  | (?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
  | (?P<directive>^[ \t]*\#(?:\\\n|(?!/\*|//)[^\n])*) | (?P<mark>[{};]) | (?P<other>.)""",
                   flags=re.VERBOSE | re.DOTALL | re.MULTILINE)
SCOPE = re.compile(r"\b(?:namespace|struct|class|enum|union|extern)\b[^()]*$")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", flags=re.DOTALL)
PARAMETER = re.compile(r"(\w+)\)?(?:\[[^\]]*\])*\s*(?:=(?!\()[^,]*?)?[,)]")
SECTION = re.compile(r"/\* -{3,}")
LIST_ITEM = re.compile(r"\s*(?:- |\d+\. )")
FUNCTION = re.compile(r"\s*SLU_API\b[^(;]*?(\w+)\(")
GROUP = re.compile(r"\s*#define [^\n]*/\*")
UNDEFINED = re.compile(r"^#undef (\w+)$", flags=re.MULTILINE)
# Names that Doxygen links only if they are marked. It warns if there is nothing of that name.
NAME = re.compile(r"(?<![\w:])((?:slu[A-Z]|SLU_|Slu[A-Z]\w+::)\w+)(?![\w\\(…])")
# What is the same in every struct and enumeration is said here.
SAME_EVERYWHERE = [
    (r"uint32_t structSize;", lambda match: "The bytes of the struct, as sizeof tells them."),
    (r"(?:const )?void\* pNext;", lambda match: "NULL, or the next struct of the chain."),
    (r"SLU_\w+_MAX_ENUM = 0x7fffffff", lambda match: "Makes the type 32 bits wide."),
    (r"SLU_STRUCTURE_TYPE_(\w+) = \d+,", lambda match: f"Of a #Slu{match[1].title().replace('_', '')}."),
]
# The conventions of sluice.h about threads, for the page of each function.
THREADS = [
    (r"slu(?:Create|Destroy)\w+|sluCmdSelfTest|sluGetSelfTestResult|sluGetD3D12Shaders",
     "One thread at a time creates and destroys objects of a context, and runs its self-test."),
    (r"slu(?:CmdRelease|CmdAcquire)(?:D3D12)?|sluEnqueueHandoff", "One thread at a time hands over buffers of a context."),
    (r"sluCompact|sluCmdCompact(?:D3D12)?|sluEnqueueCompact",
     "Several threads may call it at once for different plans. A plan is for one thread at a time."),
    (r"slu(?:Cmd|Enqueue)?BuildPyramid(?:D3D12)?",
     "Several threads may call it at once for different pyramids. An SluPyramid is for one thread at a time."),
    (r"sluGet\w+|sluMerge\w+", "Any thread may call it."),
]
ERRORS = "Any function may also return what the conventions of sluice.h name; sluGetErrorMessage has the sentence."


def marked(text):
    """A piece of a sentence, with what Doxygen takes for commands escaped, and names as links. `code` stays as it is."""
    pieces = text.split("`")
    for i in range(0, len(pieces), 2):
        pieces[i] = NAME.sub(r"#\1", re.sub(r"([\\@<>&%#*])", r"\\\1", pieces[i]))
    return "`".join(pieces)


def line_of(text, before, parameters):
    """A line of a comment, which may begin what is said of a parameter or of the result; before: the line before it."""
    word = re.match(r"\s*(\w+)", text)
    if word and (not before or before.endswith((".", ":"))):
        if word[1] in parameters:
            return f" @param {word[1]} {marked(text[word.end():].lstrip())}"
        if word[1] == "Returns":
            return f" @return {marked(text[word.end():].lstrip())}"
    return marked(text)


def converted(lines, parameters):
    """The lines of a comment without the signs that make it one. Behind an empty line, what is indented is code."""
    code, before, result = False, "", []
    for line in lines:
        indented = line.startswith("  ") and not LIST_ITEM.match(line)
        code = bool(line) and indented and (code or not before)
        result.append("    " + line if code else line_of(line, before.strip(), parameters))
        before = line
    return result


def parameters_of(rest):
    """Names of the parameters that the declaration behind a comment has."""
    declaration = re.split(r"[;{]", COMMENT.sub("", rest), maxsplit=1)[0]
    return set(PARAMETER.findall(declaration))


def conventions_of(rest):
    """Lines for the function of the C API behind a comment."""
    function = FUNCTION.match(rest)
    if not function:
        return []
    errors = [f" {marked(ERRORS)}"] if "SluResult" in function[0] else []
    threads = next(sentence for name, sentence in THREADS if re.fullmatch(name, function[1]))
    return [*errors, " @par Threads", f" {threads}"]


def comment_of(source, begin, end, name):
    """The comment source[begin:end], for the header `name` if it begins it, the code before it on its line or behind."""
    text = source[begin:end].lstrip()
    before = source[source.rfind("\n", 0, begin) + 1:begin].strip()
    of_section = SECTION.match(text) or not before and GROUP.match(source[end:])
    if of_section or before.startswith(("}", "#")) and not before.startswith("#define"):
        return "\n" * text.count("\n")
    parameters = set() if before else parameters_of(source[end:])
    block = text.startswith("/*")
    inner = text[2:-2] if block else text
    sign = r"^\s*\* ?|^ " if block else r"^\s*// ?"
    lines = converted([re.sub(sign, "", line).rstrip() for line in inner.split("\n")], parameters)
    if begin == 0:
        lines[0] = f"@file {name} @brief {lines[0]}"
    elif not before:
        lines += conventions_of(source[end:])
    opening = ("/**" if block else "///") + ("< " if before else " ")
    joint = "\n" + (" * " if block else opening)
    return opening + joint.join(lines) + (" */" if block else "")


def directive_of(text, undefined):
    """A macro that the header undefines is nothing that a program has."""
    macro = re.match(r"\s*#define (\w+)", text)
    return "" if macro and macro[1] in undefined else text


def filtered(source, name):
    """The header with its comments turned, except those in bodies of functions."""
    undefined = UNDEFINED.findall(source)
    source = re.sub(r"^SLU_ENUM_END\((\w+)\)", r"} \1", source, flags=re.MULTILINE)  # as values.h has them in C
    source = re.sub(r"^SLU_ENUM\((\w+)\)", r"typedef enum \1 {", source, flags=re.MULTILINE)
    result, scopes, statement = [], [], ""
    for token in TOKEN.finditer(source):
        text = token[0]
        if token["block"] or token["lines"] or token["line"]:
            text = comment_of(source, token.start(), token.end(), name) if False not in scopes else text
        elif token["directive"]:
            text = directive_of(text, undefined)
        elif token["mark"]:
            if text == "{":
                scopes.append(bool(SCOPE.search(statement)))
            elif text == "}" and scopes:
                scopes.pop()
            statement = ""
        else:
            statement += text
        result.append(text)
    text = "".join(result)
    for code, description in SAME_EVERYWHERE:
        text = re.sub(rf"^ *{code}$", lambda match: f"{match[0]} /**< {description(match)} */", text, flags=re.MULTILINE)
    return text


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as header:
        sys.stdout.write(filtered(header.read(), re.split(r"[/\\]", sys.argv[1])[-1]))
