#!/usr/bin/env python3
"""Prints how many instructions a file of callgrind counts outside libcurl and the libraries that it uses."""
import re
import sys

OTHERS = re.compile(r"/lib(curl|ssl|crypto|nghttp2|z|brotli\w+|zstd)[-.]")
names = {}  # the objects by their numbers, which are named once
is_other = is_call = False
total = 0
with open(sys.argv[1]) as lines:
    for line in lines:
        if match := re.match(r"c?ob=(\(\d+\)) ?(.*)", line):
            number, name = match.groups()
            name = names.setdefault(number, name)
            if line[0] == "o":
                is_other = OTHERS.search(name) is not None
        elif line.startswith("calls="):
            is_call = True  # the next line has the costs of the called function, which are counted there
        elif line[0] in "+-*0123456789":
            if not is_call and not is_other:
                total += int(line.split()[-1])
            is_call = False
print(total)
