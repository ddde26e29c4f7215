#!/usr/bin/env python3
"""Reports every use, in code that Apple's platforms compile, of an API for which Apple requires a stated reason.

A textual check: it looks for the names of https://developer.apple.com/documentation/bundleresources/describing-use-of-required-reason-api
in Sources, outside of comments and of branches for other platforms.
"""
import glob, os, re, sys

NAMES = re.compile(r"\b(%s)\b" % "|".join("""
    creationDate modificationDate fileModificationDate fileCreationDate contentModificationDate contentModificationDateKey
    creationDateKey getattrlist getattrlistbulk fgetattrlist getattrlistat stat fstat fstatat lstat
    systemUptime mach_absolute_time
    volumeAvailableCapacity\\w* volumeTotalCapacity\\w* systemFreeSize systemSize statfs statvfs fstatfs fstatvfs
    activeInputModes UserDefaults NSUserDefaults AppStorage""".split()))
# Conditions of which Apple's platforms know the value; of any other, both branches count.
APPLE = r"canImport\((Darwin|os|CryptoKit|Security|ImageIO)\)"
OTHER = r"os\(Linux\)|canImport\((Glibc|Musl|Android|FoundationEssentials|FoundationNetworking)\)|defined\(__linux__\)"

def findings(text):
    """The lines, from 1, with a name that Apple's platforms compile."""
    branches = []  # of each open #if: whether this branch is compiled, and whether none before it certainly was
    for number, line in enumerate(text.split("\n"), 1):
        line = re.sub(r"//.*", "", line).strip()
        if match := re.match(r"#\s*(if|elseif|elif|else|endif|ifdef|ifndef)\b\s*(.*)", line):
            word, condition = match.groups()
            isOpen = branches.pop()[1] if word in ("elseif", "elif", "else", "endif") else True
            if word == "endif": continue
            isTrue = word == "else" or bool(re.fullmatch(f"({APPLE})|!({OTHER})", condition))
            isFalse = bool(re.fullmatch(f"!({APPLE})|{OTHER}", condition))
            branches.append((isOpen and not isFalse, isOpen and not isTrue))
        elif all(isCompiled for isCompiled, _ in branches) and (match := NAMES.search(line)):
            yield number, match[0]

# The check finds what it should, and nothing else.
SAMPLE = """stat(path, &a)  // 1
#if canImport(Darwin)
_ = attributes[.modificationDate]  // 3
#elseif canImport(Glibc)
lstat(path, &a)
#else
fstat(1, &a)
#endif
#if !canImport(Darwin)
fstat(1, &a)
#else
#if DEBUG
mach_absolute_time()  // 13
#else
UserDefaults.standard  // 15
#endif
#endif
status.statistics()  // no stat here
"""
assert [number for number, _ in findings(SAMPLE)] == [1, 3, 13, 15], list(findings(SAMPLE))

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
files = sorted(path for path in glob.glob("Sources/**/*", recursive=True) if path.endswith((".swift", ".c", ".h")))
lines = [f"{path}:{at}: {name} needs a stated reason on Apple's platforms"
         for path in files for at, name in findings(open(path, encoding="utf-8").read())]
print("\n".join(lines), end="\n" if lines else "")
sys.exit(1 if lines else 0)
