"""Reads public declarations from Swift source, for each platform, where no compiler for it is at hand.

It knows the grammar of declarations, not types: a conformance is seen where it is written, not where it follows from
another one. What it cannot read, it reports instead of passing over it.
"""

import glob
import re
import sys

APPLE = ["macOS", "iOS", "tvOS", "watchOS", "visionOS"]
PLATFORMS = ["Linux", *APPLE]
# Where each module that a condition names can be imported.
IMPORTS = {
    **dict.fromkeys(["FoundationNetworking", "FoundationEssentials", "Glibc"], ["Linux"]),
    **dict.fromkeys(["Darwin", "os", "ImageIO", "CryptoKit", "Security"], APPLE),
    **dict.fromkeys(["Musl", "Android", "WASILibc"], []),
    "AppKit": ["macOS"],
    "UIKit": ["iOS", "tvOS", "watchOS", "visionOS"],
}
FLAGS = {"THREAD_SANITIZER": False, "DEBUG": False}

ATTRIBUTE = r"@[\w.]+(?:\([^()]*\))?"
ACCESS = "public|open|package|internal|private|fileprivate"
MODIFIER = (
    rf"(?:{ATTRIBUTE}|(?:{ACCESS})(?:\(set\))?|nonisolated(?:\(\w+\))?|static|final"
    r"|class(?=\s+(?:func|var|let|subscript))|mutating|nonmutating|consuming|borrowing|override|required|convenience"
    r"|lazy|weak|unowned(?:\(\w+\))?|dynamic|indirect|prefix|infix|postfix|isolated|distributed)"
)
TYPES = ["struct", "enum", "class", "actor", "protocol"]
MEMBERS = "extension|func|init|deinit|subscript|var|let|case|typealias|associatedtype|import|operator|macro"
KEYWORD = f"{'|'.join(TYPES)}|{MEMBERS}"
DECLARATION = re.compile(rf"(?P<modifiers>(?:{MODIFIER}\s+)*)(?P<keyword>{KEYWORD})\b(?P<rest>.*)", re.DOTALL)
START = re.compile(rf"\s*(?:{MODIFIER}\s|(?:{KEYWORD})\b|\}}|$)")


def string_end(text, start):
    """Where the string ends that begins here, whose interpolations may contain others."""
    opening = re.compile(r'(#*)("""|")').match(text, start)
    closing, escape, at = opening[2] + opening[1], "\\" + opening[1], opening.end()
    while not text.startswith(closing, at):
        if at >= len(text):
            sys.exit(f"a string has no end: {text[start : start + 80]!r}")
        if not text.startswith(escape, at):
            at += 1
        elif text[at + len(escape)] != "(":
            at += len(escape) + 1
        else:
            depth, at = 1, at + len(escape) + 1
            while depth > 0 and at < len(text):
                depth += {"(": 1, ")": -1}.get(text[at], 0)
                at = string_end(text, at) if text[at] == '"' else at + 1
    return at + len(closing)


def without_comments(text, strings):
    """The text with a number for each string, which is kept in `strings`."""
    result, at = [], 0
    for_comment = re.compile(r"/\*|\*/")
    while match := re.compile(r'//[^\n]*|/\*|#*"').search(text, at):
        result.append(text[at : match.start()])
        at = match.end()
        if match[0] == "/*":
            depth = 1
            while depth > 0:
                mark = for_comment.search(text, at)
                depth, at = depth + (1 if mark[0] == "/*" else -1), mark.end()
        elif not match[0].startswith("//"):
            at = string_end(text, match.start())
            strings.append(text[match.start() : at])
            result.append(f'"{len(strings) - 1}"')
    return "".join(result) + text[at:]


def holds(condition, platform):
    def fact(match):
        name, value = match[1], match[2]
        if name == "os":
            return str(value == platform)
        if name == "canImport" and value in IMPORTS:
            return str(platform in IMPORTS[value])
        if name in ("hasAttribute", "hasFeature", "compiler", "swift"):
            return "True"  # as in the newest compiler
        if value is None and name in FLAGS:
            return str(FLAGS[name])
        sys.exit(f"Scripts/source_api.py does not know where `{match[0]}` holds")

    text = re.sub(r"(\w+)(?:\(([^()]*)\))?", fact, condition)
    return eval(text.replace("&&", " and ").replace("||", " or ").replace("!", " not ").strip())


def compiled(text, platform):
    """The text without the lines that the platform does not compile."""
    lines, stack = [], []  # of each open `#if`: whether its branch is compiled, and whether an earlier one was
    for line in text.split("\n"):
        directive = re.match(r"\s*#(if|elseif|else|endif)\b(.*)", line)
        if not directive:
            lines += [line] if all(is_compiled for is_compiled, _ in stack) else []
        elif directive[1] == "endif":
            stack.pop()
        elif directive[1] == "if":
            stack.append((holds(directive[2], platform), False))
        else:
            was = any(stack.pop())
            stack.append((not was and (directive[1] == "else" or holds(directive[2], platform)), was))
    return "\n".join(lines)


def block_end(text, start):
    depth = 0
    for at in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return at + 1
    sys.exit("unbalanced braces")


def split(text, separator=","):
    """The parts between the separators that are in no brackets."""
    parts, depth = [""], 0
    for index, char in enumerate(text):
        depth += 1 if char in "([{<" else -1 if char in ")]}" or char == ">" and text[index - 1] != "-" else 0
        if char == separator and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return parts


def labels(keyword, rest):
    """The name of a function and its labels, as in `send(_:options:)`."""
    name = re.match(r"\s*(`?\w+`?|[^\s\w(]+)?[?!]?", rest)
    base = keyword if keyword in ("init", "subscript") else name[1].strip("`")
    rest = rest[0 if keyword in ("init", "subscript") else name.end() :]
    if "(" not in rest:
        return base
    depth, start = 0, rest.index("(")
    for end in range(start, len(rest)):
        depth += {"(": 1, ")": -1}.get(rest[end], 0)
        if depth == 0:
            break
    result = ""
    for parameter in filter(str.strip, split(rest[start + 1 : end])):
        words, *types = split(parameter, ":")
        words = re.sub(rf"{ATTRIBUTE}\s+", "", words).split()
        named = types and base[0] not in "=+-*/<>!" and (keyword != "subscript" or len(words) > 1)
        result += (words[0] if named else "_") + ":"
    return f"{base}({result})"


def has_setter(body):
    accessors, inner = "", body[1:-1]
    while accessors != inner:
        accessors, inner = inner, re.sub(r"\{[^{}]*\}", "", inner)
    return re.search(r"(?:^|\bget|;)\s*(?:(?:non)?mutating )?(?:set|didSet|willSet|_modify)\b", accessors, re.MULTILINE)


class Reader:
    """The public declarations of modules on one platform: `lines[module]` as in the API's text."""

    def __init__(self, platform):
        self.platform = platform
        self.types = {}  # whether each type of these modules is public
        self.members = []  # module, type, whether it is public itself, name, declaration
        self.conformances = []  # module, type, protocol, condition

    def read(self, module, file):
        strings = []
        text = compiled(without_comments(open(file, encoding="utf-8").read(), strings), self.platform)
        self.file, self.module, self.strings = file, module, strings
        end = self.scope(text + "\n}", 0, "", "", "", False)
        if end != len(text) + 2:
            sys.exit(f"{file}: unbalanced braces")

    def scope(self, text, at, path, parent, condition, is_visible):
        """Reads declarations up to the brace that closes the scope, and returns where it ends."""
        pending, depth, is_value = "", 0, False

        def flush(body=""):
            nonlocal pending, is_value
            if pending.strip():
                self.declare(pending.strip(), body, path, parent, condition, is_visible)
            pending, is_value = "", False

        while True:
            char = text[at]
            match = DECLARATION.match(pending.strip()) if char in "{\n=;" else None
            if char == "}" and depth == 0:
                flush()
                return at + 1
            if char == "{":
                end = block_end(text, at)
                if is_value or depth > 0:
                    pending += "" if is_value else text[at:end]
                elif match and match["keyword"] in [*TYPES, "extension"]:
                    is_available = "unavailable" not in match["modifiers"]
                    if is_available and self.scope(text, at + 1, *self.enter(match, path, is_visible)) != end:
                        sys.exit(f"{self.file}: cannot read {pending.strip()}")
                    pending = ""
                else:
                    flush(text[at:end])
                at = end
                continue
            depth += 1 if char in "([" else -1 if char in ")]" else 0
            if char == "=" and depth == 0 and not re.search(r"[=!<>]", text[at - 1] + text[at + 1]):
                is_value = is_value or bool(match) and match["keyword"] in ("var", "let")
            if char in "\n;" and depth == 0:
                is_open = not match or re.search(r"(?:->|[:,&])\s*$", pending)
                if char == ";" or not is_open and START.match(text[at + 1 :].lstrip().split("\n")[0]):
                    flush()
            pending += "" if is_value or char == ";" and depth == 0 else char
            at += 1

    def enter(self, match, path, is_visible):
        """Notes a type or an extension, and returns how its members are read."""
        keyword, words = match["keyword"], match["modifiers"].split()
        header, where, condition = " ".join(match["rest"].split()).partition(" where ")
        name, *inherited = split(header, ":")
        name, generics = re.match(r"([\w.]+|\[.*\])(.*)", name.strip()).groups()
        full = path + name
        is_public = is_visible or "public" in words or "open" in words
        if keyword != "extension":
            self.types[full] = is_public and self.types.get(path[:-1], True)
            declaration = self.text(match["modifiers"], keyword, name + generics + where + condition)
            self.members.append((self.module, full, True, full, declaration))
        for protocol in split(":".join(inherited)):
            if protocol.strip():
                protocol = re.sub(rf"(?:(?:{ATTRIBUTE}|nonisolated)\s+)*", "", protocol.strip())
                self.conformances.append((self.module, full, protocol, condition if keyword == "extension" else ""))
        is_visible = keyword == "protocol" or keyword == "extension" and is_public
        return full + ".", keyword, condition if keyword == "extension" else "", is_visible

    def declare(self, pending, body, path, parent, condition, is_visible):
        match = DECLARATION.match(pending)
        if not match:
            sys.exit(f"{self.file}: cannot read `{pending}`")
        keyword, rest, words = match["keyword"], match["rest"], match["modifiers"].split()
        if keyword in ("import", "deinit", "operator") or "unavailable" in match["modifiers"]:
            return
        is_public = "public" in words or "open" in words or keyword == "case"
        is_public = is_public or is_visible and not {"private", "fileprivate", "internal", "package"} & set(words)
        for name in split(rest) if keyword == "case" else [rest]:
            declaration = self.text(match["modifiers"], keyword, name)
            if keyword in ("var", "subscript") and body:
                declaration += " { get set }" if has_setter(body) else " { get }"
            declaration += f" (where {condition})" if condition else ""
            declaration += " (requirement)" if parent == "protocol" else ""
            if keyword in ("func", "init", "subscript", "case"):
                name = labels(keyword, name.partition("=")[0] if keyword == "case" else name)
            else:
                name = re.split(r"[:=<{]", name)[0].strip().strip("`")
            self.members.append((self.module, path[:-1], is_public, path + name, declaration))

    def text(self, modifiers, keyword, rest):
        modifiers = " ".join(word for word in re.findall(MODIFIER, modifiers) if word not in ("public", "open"))
        text = " ".join(f"{modifiers} {keyword}{'' if re.match('[(<?!]', rest) else ' '}{rest}".split())
        text = re.sub(r'"(\d+)"', lambda match: self.strings[int(match[1])], text)
        return text.replace("( ", "(").replace(" )", ")")

    def is_public(self, path):
        parts = path.split(".")
        return all(self.types.get(".".join(parts[:count]), True) for count in range(1, len(parts) + 1))

    def lines(self, module):
        found = {
            f"{name}: {declaration}"
            for where, path, is_public, name, declaration in self.members
            if where == module and is_public and self.is_public(path)
        }
        for where, path, protocol, condition in self.conformances:
            if where == module and self.is_public(path) and self.is_public(protocol):
                found.add(f"{path}: conforms to {protocol}" + (f" where {condition}" if condition else ""))
        return found

    def names(self, module):
        """The names alone, to compare with what the compiler finds, which leaves out those with an underscore."""
        lines = {line for line in self.lines(module) if ": conforms to " not in line and not line.startswith("_")}
        return {line.partition(": ")[0] for line in lines}


def platform_lines(modules):
    """What some platforms have and others do not, or has an underscore, by module, and the names that Linux has."""
    readers = {platform: Reader(platform) for platform in PLATFORMS}
    for reader in readers.values():
        for module in modules:
            for file in sorted(glob.glob(f"Sources/{module}/**/*.swift", recursive=True)):
                reader.read(module, file)
    result = {}
    for module in modules:
        found = {platform: reader.lines(module) for platform, reader in readers.items()}
        if not any(found[platform] for platform in APPLE):
            result[module] = ["Linux: all of it"]
            continue
        result[module] = []
        for line in sorted(set().union(*found.values())):
            platforms = [platform for platform in PLATFORMS if line in found[platform]]
            if platforms == PLATFORMS:
                result[module] += [line] if line.startswith("_") else []
            else:
                result[module].append(f"{'Apple' if platforms == APPLE else ', '.join(platforms)}: {line}")
    return result, {module: readers["Linux"].names(module) for module in modules}
