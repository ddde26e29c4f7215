import APIKitJSON
import Foundation

/// A model type, with random values of it, as both decoders read it.
struct Shape: Sendable, CustomStringConvertible {
    let description: String
    /// A random value as JSON.
    let json: @Sendable (inout SplitMix) -> Data
    /// What differs between the decoders, nil if nothing does.
    let difference: @Sendable (Data, Strategy) -> String?

    /// - Parameters:
    ///   - type: The model type.
    ///   - isOrdered: Whether both decoders read its values in one order. `JSONDecoder` has none in a dictionary, so that
    ///     either of two errors may be the first.
    ///   - make: Makes a random value.
    init<Model: Codable & Equatable & Sendable>(
        _ type: Model.Type, isOrdered: Bool = true, _ make: @escaping @Sendable (inout SplitMix) -> Model
    ) {
        description = "\(type)"
        json = { random in
            let encoder = JSONEncoder()
            encoder.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
            return (try? encoder.encode(make(&random))) ?? Data("null".utf8)
        }
        difference = { data, strategy in
            let (decoder, reader) = strategy.coders
            let expected = Outcome { try decoder.decode(Model.self, from: data) }
            let found = Outcome { try reader.decode(Model.self, from: data) }
            if !isOrdered, case .failure = expected, case .failure = found { return nil }
            return expected.difference(to: found)
        }
    }
}

/// The strategies that both decoders have.
enum Strategy: CaseIterable, Sendable {
    case plain, snakeCase, custom, seconds, milliseconds

    var coders: (decoder: JSONDecoder, reader: JSONReader) {
        let decoder = JSONDecoder()
        var reader = JSONReader(dates: .deferredToDate)
        switch self {
        case .plain: break
        case .snakeCase:
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            reader.keys = .convertFromSnakeCase
        case .custom:
            decoder.keyDecodingStrategy = .custom { Name($0.last!.stringValue.replacing("x_", with: "")) }
            reader.keys = .custom { Name($0.last!.stringValue.replacing("x_", with: "")) }
        case .seconds:
            decoder.dateDecodingStrategy = .secondsSince1970
            reader.dates = .secondsSince1970
        case .milliseconds:
            decoder.dateDecodingStrategy = .millisecondsSince1970
            reader.dates = .millisecondsSince1970
            decoder.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
            reader.nonConformingFloats = .init(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        }
        return (decoder, reader)
    }
}

/// A coding key by its name.
struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

/// What decoding led to.
enum Outcome<Model: Equatable> {
    case value(Model)
    case failure(kind: String, path: [String])
    case other(String)

    init(_ decode: () throws -> Model) {
        do {
            self = .value(try decode())
        } catch let error as DecodingError {
            let (kind, context): (String, DecodingError.Context) =
                switch error {
                case .typeMismatch(_, let context): ("typeMismatch", context)
                case .valueNotFound(_, let context): ("valueNotFound", context)
                case .keyNotFound(let key, let context): ("keyNotFound \(key.stringValue)", context)
                case .dataCorrupted(let context): ("dataCorrupted", context)
                @unknown default: ("unknown", .init(codingPath: [], debugDescription: ""))
                }
            self = .failure(kind: kind, path: context.codingPath.map(\.stringValue))
        } catch {
            self = .other("\(error)")
        }
    }

    /// What differs from an outcome of `JSONReader`.
    func difference(to other: Outcome) -> String? {
        switch (self, other) {
        case (.value(let value), .value(let otherValue)) where value == otherValue: nil
        // A value that does not equal itself holds a NaN.
        case (.value(let value), .value(let otherValue)) where "\(value)" == "\(otherValue)": nil
        case (.failure("dataCorrupted", []), .failure("dataCorrupted", _)): nil
        case (.failure(let kind, let path), .failure(let otherKind, let otherPath))
        where kind == otherKind && path == otherPath:
            nil
        // JSON that is stricter than `JSONDecoder` has it.
        case (_, .failure("dataCorrupted", [])): nil
        default: "\(self) and \(other)"
        }
    }
}

/// A sequence of random numbers that is the same for the same seed (G. Steele et al., 2014).
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }
}
