#!/usr/bin/env swift
// Checks that the Swift snippets of the README, of the articles and of doc comments are compiled: each ```swift block
// must be part of a file of Tests/SnippetTests or of the second engine, apart from indentation and blank lines.
// `<!-- no-compile -->` on the line before a block exempts it, and so does a `…` in a doc comment.

import Foundation

guard FileManager.default.fileExists(atPath: "Package.swift") else {
    fputs("run this in the folder of the package, or by `make snippets`\n", stderr)
    exit(1)
}

func lines(of path: String) throws -> [String] {
    try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n")
        .map { $0.trimmingCharacters(in: .whitespaces) }
}

func files(in folder: String, _ suffix: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return names.filter { $0.hasSuffix(suffix) }.map { "\(folder)/\($0)" }.sorted()
}

/// The lines that count, between line breaks.
func text(_ lines: some Sequence<String>) -> Data {
    Data("\n\(lines.filter { !$0.isEmpty }.joined(separator: "\n"))\n".utf8)
}

let engine = "Examples/AsyncHTTPClientEngine"
let folders = ["Tests/SnippetTests", "\(engine)/Sources/AsyncHTTPClientEngine", "\(engine)/Tests"]
let compiled = try folders.flatMap { files(in: $0, ".swift") }.map { text(try lines(of: $0)) }

var missing = 0
for path in ["README.md"] + files(in: "Sources", ".md") + files(in: "Sources", ".swift") {
    let isSource = path.hasSuffix(".swift")
    var lines = try lines(of: path)
    if isSource {
        lines = lines.map { $0.hasPrefix("///") ? $0.dropFirst(3).trimmingCharacters(in: .whitespaces) : "" }
    }
    var start: Int?
    for (index, line) in lines.enumerated() where line.hasPrefix("```") {
        guard let fence = start else {
            start = index
            continue
        }
        start = nil
        let block = lines[(fence + 1)..<index]
        guard lines[fence] == "```swift", fence == 0 || lines[fence - 1] != "<!-- no-compile -->" else { continue }
        guard !isSource || !block.contains(where: { $0.contains("…") }) else { continue }
        if !compiled.contains(where: { $0.range(of: text(block)) != nil }) {
            print("\(path):\(fence + 2): the snippet is in no file that is compiled: \(block.first ?? "")")
            missing += 1
        }
    }
}
exit(missing == 0 ? 0 : 1)
