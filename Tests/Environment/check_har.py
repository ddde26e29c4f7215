"""Validates a recording against HAR 1.2, and opens it with haralyzer, a reader that is not ours."""

import json
import os
import sys

from haralyzer import HarParser
from jsonschema import Draft202012Validator

with open(os.path.join(os.path.dirname(__file__), "har-1.2.json"), encoding="utf-8") as file:
    schema = json.load(file)
with open(sys.argv[1], encoding="utf-8") as file:
    har = json.load(file)
Draft202012Validator(schema).validate(har)

entries = [entry for page in HarParser(har).pages for entry in page.entries]
assert len(entries) == len(har["log"]["entries"]) >= int(sys.argv[2]), f"haralyzer sees {len(entries)} entries"
for entry, raw in zip(entries, har["log"]["entries"]):
    assert (entry.request.method, entry.request.url) == (raw["request"]["method"], raw["request"]["url"])
    assert (entry.status, entry.time) == (raw["response"]["status"], raw["time"]) and entry.startTime
    assert len(entry.request.headers) == len(raw["request"]["headers"])
