// Measures JSONReader next to JSONDecoder: lists of models of the kinds that APIs have.
//
//     swift run -c release --package-path Benchmarks decode-cost
//
// Both read each document in one run, in turns, and the medians of the processor's time are compared.

import APIKit
import ArgumentParser
import BenchmarkSupport

@main
struct DecodeCost: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode-cost",
        abstract: "Measures JSONReader next to JSONDecoder."
    )

    @Option(help: "Measure only what has this in its name, such as \"GitHub\".")
    var only = ""

    @Option(help: "How many rounds to take the median of.")
    var rounds = 15

    @Option(help: "How many objects a list has.")
    var count = 300

    @Flag(help: "Print ratios with quartiles as tab-separated values.")
    var tsv = false

    func run() throws {
        try report("5 members", Five.self)
        try report("10 members", Ten.self)
        try report("20 members", Twenty.self)
        try report("20 members that begin alike", Alike.self)
        try report("GitHub's user, 18 members", GitHubUser.self)
        try report("GitHub's repository, 72 members", GitHubRepository.self)
        try report("20 of its 72 members", RepositorySummary.self)
        try report("nested lists", NestedLists.self)
        try report("any value, found out by trying", AnyValue.self)
        try report("10 members in snake case", TenInSnakeCase.self)
        try report("20 members in snake case", TwentyInSnakeCase.self)
        try report("40 members in snake case", FortyInSnakeCase.self)
        try report("77 members in snake case", RepositoryInSnakeCase.self)
        try report("11 of 77 members, with acronyms", AcronymsOfRepository.self)
        try report("the other benchmarks' item", Item.self, Item.list(count))
    }

    private func report<Model: Sample>(_ name: String, _ type: Model.Type) throws {
        let list = Array(repeating: Model.json, count: count).joined(separator: ",")
        try report(name, type, Data("[\(list)]".utf8), keys: Model.keys)
    }

    private func report<Model: Decodable>(
        _ name: String, _ type: Model.Type, _ data: Data, keys: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys
    ) throws {
        guard only.isEmpty || name.contains(only) else { return }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = keys
        let reader = JSONReader(keys: keys)
        var (decoderTimes, readerTimes): ([Double], [Double]) = ([], [])
        for round in -2..<rounds {
            let start = Cost.now
            _ = try decoder.decode([Model].self, from: data)
            let middle = Cost.now
            _ = try reader.decode([Model].self, from: data)
            let end = Cost.now
            guard round >= 0 else { continue }
            decoderTimes.append((middle - start).cpu)
            readerTimes.append((end - middle).cpu)
        }
        if tsv {
            TabSeparated.print(name, "JSONReader", zip(readerTimes, decoderTimes).map { $0 / $1 })
            return
        }
        let (decoderTime, readerTime) = (decoderTimes.median ?? 0, readerTimes.median ?? 0)
        let numbers = String(
            format: "JSONDecoder %9.1f µs   JSONReader %9.1f µs   ratio %.3f   %4.0f MB/s", decoderTime * 1e6,
            readerTime * 1e6, readerTime / decoderTime, Double(data.count) / readerTime / 1e6)
        print("\(name.padding(toLength: 32, withPad: " ", startingAt: 0)) \(numbers)")
    }
}
