import Foundation

// The entry of libFuzzer. Tests/Fuzz/fuzz-json compiles it together with the decoder and the models of the decoder's
// tests.

/// Reads bytes by several models, and ends the process if `JSONReader` does not refuse what is not JSON, or reads JSON
/// otherwise than `JSONDecoder` does.
@_cdecl("LLVMFuzzerTestOneInput")
public func readJSON(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let document = Document(Data(UnsafeBufferPointer(start: bytes, count: count)), changes: .max)
    // Dates as `JSONDecoder` does not read them.
    _ = try? JSONReader().decode([Date].self, from: document.data)
    _ = try? JSONReader().decode([String: Date].self, from: document.data)
    // At some numbers with more than 128 digits, `JSONDecoder` ends the process.
    let isReadable = document.json.map { json in !json.numbers.contains { $0.count > 100 } } ?? true
    let strategy = Strategy.allCases[count % Strategy.allCases.count]
    for difference in differences where isReadable {
        if let difference = difference(document, strategy) { fatalError("\(strategy): \(difference)") }
        // What is not JSON is refused before its model matters.
        if document.json == nil { break }
    }
    return 0
}

private let differences: [@Sendable (Document, Strategy) -> String?] = [
    { Shape.difference(Anything.self, isOrdered: false, $0, $1) },
    { Shape.difference(Optionals.self, isOrdered: true, $0, $1) },
    { Shape.difference([String: Int?].self, isOrdered: false, $0, $1) },
    { Shape.difference(NumberLists.self, isOrdered: true, $0, $1) },
    { Shape.difference([Int8].self, isOrdered: true, $0, $1) },
    { Shape.difference([Int].self, isOrdered: true, $0, $1) },
    { Shape.difference([UInt64].self, isOrdered: true, $0, $1) },
    { Shape.difference([Exact].self, isOrdered: true, $0, $1) },
    { Shape.difference([Double].self, isOrdered: true, $0, $1) },
    { Shape.difference([Float].self, isOrdered: true, $0, $1) },
    { Shape.difference([Decimal].self, isOrdered: true, $0, $1) },
    { Shape.difference([Date].self, isOrdered: true, $0, $1) },
    { Shape.difference([Data].self, isOrdered: true, $0, $1) },
    { Shape.difference([URL].self, isOrdered: true, $0, $1) },
    { Shape.difference([Payload].self, isOrdered: true, $0, $1) },
    { Shape.difference(Lossy.self, isOrdered: true, $0, $1) },
    { Shape.difference(Presence.self, isOrdered: true, $0, $1) },
    { Shape.difference([Tagged].self, isOrdered: true, $0, $1) },
    { Shape.difference(SnakeCased.self, isOrdered: true, $0, $1) },
]
