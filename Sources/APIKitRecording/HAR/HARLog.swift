import APIKitCore
import APIKitTesting

/// A HAR as it is read, leniently: tools leave out members that the format requires, and write others in a form of
/// their own.
struct HARLog: Decodable {
    /// A value that is nil if it is missing or of another type.
    @propertyWrapper struct Lenient<Value: Decodable>: Decodable {
        var wrappedValue: Value?

        init(from decoder: any Decoder) throws {
            wrappedValue = try? Value(from: decoder)
        }

        init() {}
    }

    struct Log: Decodable {
        let entries: [Lenient<Entry>]
    }

    struct Entry: Decodable {
        @Lenient var startedDateTime: String?
        let request: Request
        let response: Response
    }

    struct Request: Decodable {
        let method: String
        let url: String
        @Lenient var bodySize: Double?
        @Lenient var postData: PostData?
    }

    struct PostData: Decodable {
        @Lenient var mimeType: String?
        @Lenient var text: String?
        @Lenient var params: [Lenient<Field>]?
        @Lenient var _encoding: String?
    }

    struct Response: Decodable {
        let status: Int
        @Lenient var headers: [Lenient<Field>]?
        @Lenient var content: Content?
        @Lenient var _error: String?
        @Lenient var comment: String?
    }

    struct Content: Decodable {
        @Lenient var mimeType: String?
        @Lenient var text: String?
        @Lenient var encoding: String?
    }

    struct Field: Decodable {
        let name: String
        let value: String?
    }

    let log: Log

    /// Reads a HAR, and finds where it can be continued. Of one that is cut off, the complete entries count.
    ///
    /// - Returns: The HAR and its layout, which is nil if it is not UTF-8.
    /// - Throws: ``HARError`` if the bytes are not a HAR.
    static func completed(_ data: Data, of url: URL) throws(HARError) -> (log: HARLog, layout: HARLayout?) {
        let bytes = Array(data)
        do {
            return (try JSONDecoder().decode(HARLog.self, from: data), HARLayout(bytes, isValid: true))
        } catch {
            guard case DecodingError.dataCorrupted = error, let layout = HARLayout(bytes, isValid: false),
                let log = try? JSONDecoder().decode(HARLog.self, from: data.prefix(layout.insertion) + layout.tail)
            else { throw HARError(url, ErrorText.of(error)) }
            return (log, layout)
        }
    }

    /// The entries with a response, by the time at which they began, as the format asks readers to sort them.
    var entries: [HAREntry] {
        let entries = log.entries.enumerated().compactMap { index, entry in
            entry.wrappedValue.map { (HAREntry($0, number: index + 1), $0.startedDateTime.flatMap(ISO8601.date)) }
        }
        return entries.sorted { ($0.1 ?? .distantPast, $0.0.number) < ($1.1 ?? .distantPast, $1.0.number) }.map(\.0)
    }
}

extension KeyedDecodingContainer {
    func decode<Value>(_ type: HARLog.Lenient<Value>.Type, forKey key: Key) throws -> HARLog.Lenient<Value> {
        try decodeIfPresent(type, forKey: key) ?? HARLog.Lenient()
    }
}
