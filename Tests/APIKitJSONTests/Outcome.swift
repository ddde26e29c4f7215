/// What decoding led to.
enum Outcome<Model: Equatable> {
    case value(Model)
    case failure(Failure)
    case other(String)

    /// A `DecodingError`.
    struct Failure {
        let kind: String
        let path: [String]
        let text: String

        /// Whether `JSONReader` found that the text is not JSON.
        var isSyntax: Bool {
            kind == "dataCorrupted" && path.isEmpty
                && (text.hasPrefix("invalid JSON") || text.hasPrefix("there is no JSON"))
        }

        /// Whether `JSONDecoder` found a number in valid JSON that does not fit: it says neither which one nor where.
        var isNumberWithoutPath: Bool {
            kind == "dataCorrupted" && path.isEmpty && text == "The given data was not valid JSON."
        }

        /// The number that does not fit, as `JSONReader` says it.
        var number: Substring? {
            kind == "dataCorrupted" && text.hasPrefix("the number ")
                ? text.dropFirst("the number ".count).prefix { $0 != " " } : nil
        }
    }

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
            let path = context.codingPath.map(\.stringValue)
            self = .failure(Failure(kind: kind, path: path, text: context.debugDescription))
        } catch {
            self = .other("\(error)")
        }
    }

    /// What is wrong with what `JSONReader` made of a text that is not JSON.
    var problemOfInvalidText: String? {
        if case .failure(let failure) = self, failure.isSyntax { nil } else { "not JSON, but \(self)" }
    }

    /// What differs from the outcome of `JSONReader` for the same JSON. Of several errors either may be found first,
    /// unless `isOrdered` says otherwise.
    func difference(to reader: Outcome, isOrdered: Bool) -> String? {
        switch (self, reader) {
        case (.value(let value), .value(let other)) where value == other: nil
        // A value that does not equal itself holds a NaN, and the description of such a date would end the process.
        case (.value(let value), .value(let other)) where value != value && other != other: nil
        case (_, .failure(let failure)) where failure.isSyntax: "JSON, but \(failure)"
        case (.failure(let failure), .failure(let other)) where (failure.kind, failure.path) == (other.kind, other.path):
            nil
        case (.failure(let failure), .failure(let other)) where failure.isNumberWithoutPath && other.number != nil: nil
        case (_, .failure(let failure)) where failure.number.map(StrictJSON.losesFraction) ?? false: nil
        case (.failure, .failure) where !isOrdered: nil
        default: "\(self) and \(reader)"
        }
    }
}
