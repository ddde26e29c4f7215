import APIKitJSON
import Foundation

/// A model type, with random values of it, as both decoders read it.
struct Shape: Sendable, CustomStringConvertible {
    let description: String
    /// A random value as JSON.
    let json: @Sendable (inout SplitMix) -> Data
    /// What differs between the decoders, nil if nothing does.
    let difference: @Sendable (Document, Strategy) -> String?

    /// - Parameters:
    ///   - type: The model type.
    ///   - isOrdered: Whether both decoders read its values in one order. `JSONDecoder` has none in a dictionary, so
    ///     that either of two errors may be the first.
    ///   - make: Makes a random value.
    init<Model: Codable & Equatable & Sendable>(
        _ type: Model.Type, isOrdered: Bool = true, _ make: @escaping @Sendable (inout SplitMix) -> Model
    ) {
        description = "\(type)"
        json = { random in
            let encoder = JSONEncoder()
            encoder.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
            encoder.dataEncodingStrategy = random.bool() ? .base64 : .deferredToData
            return (try? encoder.encode(make(&random))) ?? Data("null".utf8)
        }
        difference = { document, strategy in
            Self.difference(Model.self, isOrdered: isOrdered, document, strategy)
        }
    }

    /// What differs between the decoders when they read a text as a model.
    static func difference<Model: Decodable & Equatable & Sendable>(
        _ type: Model.Type, isOrdered: Bool, _ document: Document, _ strategy: Strategy
    ) -> String? {
        let (decoder, reader) = strategy.coders
        let found = Outcome { try reader.decode(Model.self, from: document.data) }
        guard let json = document.json else { return found.problemOfInvalidText }
        let expected = Outcome { try decoder.decode(Model.self, from: json.respelled) }
        // One change makes one error, which both find whatever the order.
        return expected.difference(to: found, isOrdered: isOrdered || document.changes < 2)
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
            let unprefixed: @Sendable ([any CodingKey]) -> any CodingKey = {
                Name($0.last!.stringValue.replacing("x_", with: ""))
            }
            let day: @Sendable (any Decoder) throws -> Date = {
                Date(timeIntervalSince1970: try Double(from: $0) * 86_400)
            }
            let text: @Sendable (any Decoder) throws -> Data = { Data(try String(from: $0).utf8) }
            decoder.keyDecodingStrategy = .custom(unprefixed)
            decoder.dateDecodingStrategy = .custom(day)
            decoder.dataDecodingStrategy = .custom(text)
            decoder.userInfo[.unit] = 7
            (reader.keys, reader.dates, reader.data) = (.custom(unprefixed), .custom(day), .custom(text))
            reader.userInfo[.unit] = 7
        case .seconds:
            decoder.dateDecodingStrategy = .secondsSince1970
            decoder.dataDecodingStrategy = .deferredToData
            (reader.dates, reader.data) = (.secondsSince1970, .deferredToData)
        case .milliseconds:
            decoder.dateDecodingStrategy = .millisecondsSince1970
            reader.dates = .millisecondsSince1970
            decoder.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
            reader.nonConformingFloats = .convertFromString(
                positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        }
        return (decoder, reader)
    }
}

extension CodingUserInfoKey {
    /// What a strategy tells the models.
    static let unit = CodingUserInfoKey(rawValue: "unit")!
}

/// A coding key by its name.
struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
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
