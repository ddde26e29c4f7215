/// A HAR as it is read, leniently: browsers leave out members that the format requires.
struct HARLog: Decodable {
    struct Log: Decodable {
        let entries: [Entry]
    }

    struct Entry: Decodable {
        let startedDateTime: String?
        let request: Request
        let response: Response
    }

    struct Request: Decodable {
        let method: String
        let url: String
        let bodySize: Double?
        let postData: PostData?
    }

    struct PostData: Decodable {
        let mimeType: String?
        let text: String?
        let params: [Field]?
        let _encoding: String?
    }

    struct Response: Decodable {
        let status: Int
        let headers: [Field]?
        let content: Content?
        let _error: String?
        let comment: String?
    }

    struct Content: Decodable {
        let mimeType: String?
        let text: String?
        let encoding: String?
    }

    struct Field: Decodable {
        let name: String
        let value: String?
    }

    let log: Log

    /// Reads a HAR.
    ///
    /// - Throws: ``HARError`` if the bytes are not one, even after completing one that is cut off.
    init(_ data: Data, of url: URL) throws(HARError) {
        self = try Self.completed(data, of: url).log
    }

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

    /// The entries by the time at which they began, as the format asks readers to sort them.
    func entries(of url: URL) throws -> [HAREntry] {
        let entries = try log.entries.enumerated().map { index, entry in
            do {
                return try HAREntry(entry, number: index + 1)
            } catch {
                throw HARError(url, "log.entries[\(index)].\(error)")
            }
        }
        let dates = log.entries.map { $0.startedDateTime.flatMap(ISO8601.date) ?? .distantPast }
        return entries.indices.sorted { (dates[$0], $0) < (dates[$1], $1) }.map { entries[$0] }
    }
}
