#!/usr/bin/env python3
"""Merges the symbol graphs of the package's modules into those of one module, APIKit, for its documentation.

usage: merge_graphs.py FROM TO
"""

import glob
import json
import os
import sys

MODULES = [
    "APIKitJSON", "APIKitCore", "APIKitClients", "APIKitStreams", "APIKitFoundation", "APIKitCurl", "APIKitTesting", "APIKitRecording",
    "EngineConformance", "APIKitTestServer",
]  # fmt: skip
source, target = sys.argv[1:]
merged, others = None, {}
for module in MODULES:
    for path in sorted(glob.glob(f"{source}/{module}.symbols.json") + glob.glob(f"{source}/{module}@*.symbols.json")):
        # On Linux URLSession is FoundationNetworking's. The links are written as they hold on Apple's platforms.
        graph = json.loads(open(path, encoding="utf-8").read().replace("FoundationNetworking", "Foundation"))
        extended = os.path.basename(path).partition("@")[2].removesuffix(".symbols.json")
        extended = extended.replace("FoundationNetworking", "Foundation").replace("FoundationEssentials", "Foundation")
        graph["module"]["name"] = "APIKit"
        if extended and extended not in MODULES:
            into = others.setdefault(extended, graph)
        else:
            # What extends a type of another of these modules becomes a member of the type itself.
            blocks = {r["source"]: r["target"] for r in graph["relationships"] if r["kind"] == "extensionTo"}
            graph["symbols"] = [s for s in graph["symbols"] if s["identifier"]["precise"] not in blocks]
            graph["relationships"] = [r for r in graph["relationships"] if r["kind"] != "extensionTo"]
            for relationship in graph["relationships"]:
                for end in ("source", "target"):
                    relationship[end] = blocks.get(relationship[end], relationship[end])
            merged = into = merged or graph
        if into is not graph:
            into["symbols"] += graph["symbols"]
            into["relationships"] += graph["relationships"]
for name, graph in [("APIKit", merged), *((f"APIKit@{name}", graph) for name, graph in others.items())]:
    with open(f"{target}/{name}.symbols.json", "w", encoding="utf-8") as file:
        json.dump(graph, file)
