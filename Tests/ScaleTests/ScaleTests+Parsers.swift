import APIKitSupport
import APIKitTesting
import Foundation
import TestSupport

@testable import APIKitClients
@testable import APIKitCore
@testable import APIKitRecording
@testable import APIKitStreams

extension ScaleTests {
    private static let url = URL(string: "https://api.example.com/list?token=secret")!

    /// A parser of a text that repeats a piece.
    private static func parsing(
        _ name: String, _ piece: String, after start: String = "",
        _ parse: @escaping @Sendable (String) async throws -> Void
    ) -> Row {
        Row(name) { size in
            let text = start + String(repeating: piece, count: size)
            return { try await parse(text) }
        }
    }

    /// A parser of a head with so many headers.
    private static func parsing(
        _ name: String, headers: @escaping @Sendable (Int) -> HTTPHeaders,
        _ parse: @escaping @Sendable (HTTPResponse.Head) async throws -> Void
    ) -> Row {
        Row(name) { size in
            let head = HTTPResponse.Head(status: 200, headers: headers(size), url: url)
            return { try await parse(head) }
        }
    }

    static func numbered(_ count: Int) -> HTTPHeaders {
        HTTPHeaders((0..<count).map { HTTPHeaders.Field(name: .init(rawValue: "X-\($0)"), value: "\($0)") })
    }

    private static func equal(_ count: Int, _ name: HTTPHeaders.Name, _ value: String) -> HTTPHeaders {
        HTTPHeaders((0..<count).map { _ in HTTPHeaders.Field(name: name, value: value) })
    }

    private static func names(_ count: Int) -> String { (0..<count).map { "X-\($0)" }.joined(separator: ", ") }

    private static func readLinks(_ text: String) {
        let links = LinkHeader([.link: text], relativeTo: url)
        let first = links.first { _ in true }
        _ = (links[.last], first?["hreflang"], first?.title, links.description)
    }

    private static func readFilename(_ text: String) {
        let head = HTTPResponse.Head(status: 200, headers: ["Content-Disposition": text], url: url)
        _ = head.suggestedFilename
    }

    private static func readChallenges(_ headers: HTTPHeaders) {
        let challenges = headers.challenges
        _ = (challenges.last?["b"], challenges.map(\.description))
    }

    private static func removeCredential(from headers: HTTPHeaders) throws {
        var response = HTTPResponse.status(302, headers: headers)
        response.head.url = url
        _ = try Credential.query("token", "secret").removed(from: response)
    }

    private static func read<Response: StreamedResponse>(_ type: Response.Type, _ data: [Data]) async throws {
        for try await _ in Response(bytes: ByteStream(data)) {}
    }

    /// A document whose string arrives in so many pieces, which is read after each.
    private static func partialText(_ count: Int, _ read: (PartialJSON) -> Void) {
        var document = PartialJSON(#"{"text":""#)
        for _ in 0..<count {
            document.append("word ")
            read(document)
        }
    }

    private static func decode<Model: Decodable>(
        _ type: Model.Type, _ text: String, _ reader: JSONReader = JSONReader()
    ) throws {
        _ = try reader.decode(type, from: Data(text.utf8))
    }

    /// A value whose type is found out by trying.
    private struct Tried: Decodable {
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if (try? container.decode(Int.self)) == nil { _ = try? container.decode(Bool.self) }
        }
    }

    /// Values that are read as long as there are more.
    private struct Counted: Decodable {
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            while container.currentIndex < container.count ?? 0 { _ = try container.decode(Int.self) }
        }
    }

    /// Members and elements that are read from the last to the first, each by a wrong type.
    private struct Backwards: Decodable {
        fileprivate struct Name: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            if let members = try? decoder.container(keyedBy: Name.self) {
                for key in members.allKeys.reversed() { _ = try? members.decode([String: Bool].self, forKey: key) }
            } else {
                var list = try decoder.unkeyedContainer()
                var decoders: [any Decoder] = []
                while !list.isAtEnd { decoders.append(try list.superDecoder()) }
                for decoder in decoders.reversed() { _ = try? Bool(from: decoder) }
            }
        }
    }

    /// Looks for members that are not there, by keys that may be spelled otherwise.
    private struct Missing: Decodable {
        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Backwards.Name.self)
            for key in members.allKeys { _ = members.contains(.init(stringValue: "x_\(key.stringValue)URL")) }
        }
    }

    /// Reads the members of two objects by the keys of both, in turns and from the last to the first.
    private struct Alternating: Decodable {
        init(from decoder: any Decoder) throws {
            let pair = try decoder.container(keyedBy: Backwards.Name.self)
            let left = try pair.nestedContainer(keyedBy: Backwards.Name.self, forKey: .init(stringValue: "left"))
            let right = try pair.nestedContainer(keyedBy: Backwards.Name.self, forKey: .init(stringValue: "right"))
            for key in left.allKeys.reversed() {
                _ = try (left.decode(Int.self, forKey: key), right.decode(Int.self, forKey: key))
            }
        }
    }

    private static func alternating(_ name: String, _ reader: JSONReader) -> Row {
        Row(name) { size in
            let members = "{\((0..<size).map { #""n\#($0)":1"# }.joined(separator: ","))}"
            return { try decode(Alternating.self, "{\"left\":\(members),\"right\":\(members)}", reader) }
        }
    }

    /// Looks for the members of an object by the names of another one.
    private struct Respelled: Decodable {
        init(from decoder: any Decoder) throws {
            let pair = try decoder.container(keyedBy: Backwards.Name.self)
            let members = try pair.nestedContainer(keyedBy: Backwards.Name.self, forKey: .init(stringValue: "members"))
            for key in try pair.decode([String].self, forKey: .init(stringValue: "keys")) {
                _ = members.contains(.init(stringValue: key))
            }
        }
    }

    private static func respelled(_ name: String, _ key: @escaping @Sendable (Int) -> String) -> Row {
        Row(name) { size in
            let members = (0..<size).map { "\"\(sameLetters($0))_y\":1" }.joined(separator: ",")
            let keys = (0..<size).map { "\"\(key($0))\"" }.joined(separator: ",")
            let text = "{\"members\":{\(members)},\"keys\":[\(keys)]}"
            return { try decode(Respelled.self, text, JSONReader(keys: .convertFromSnakeCase)) }
        }
    }

    /// The letters of ``sameLetters(_:)`` and a small one where all of the members have a capital, with some acronym.
    private static func sameLettersAsNoMember(_ number: Int) -> String {
        "a" + (1..<24).map { number >> $0 & 1 == 1 ? "A" : "a" }.joined() + "y"
    }

    private static func missing(_ name: String, _ member: @escaping @Sendable (Int) -> String) -> Row {
        Row(name) { size in
            let text = (0..<size).map { "\"\(member($0))\":1" }.joined(separator: ",")
            return { try decode(Missing.self, "{\(text)}", JSONReader(keys: .convertFromSnakeCase)) }
        }
    }

    /// A name of always the same letters, between which the bits of a number are underscores.
    private static func sameLetters(_ number: Int) -> String {
        (0..<24).map { number >> $0 & 1 == 1 ? "a_" : "a" }.joined()
    }

    static var parsers: [Row] { links + heads + streams + locations + json }

    private static let json: [Row] = [
        parsing("numbers in JSON", "-1.5e1,", after: "[") { try decode([Double].self, $0 + "0]") },
        parsing("escapes in JSON", #"\u0061"#, after: "\"") { try decode(String.self, $0 + "\"") },
        parsing("members with one name", #""a":1,"#, after: "{") { try decode([String: Int].self, $0 + #""a":0}"#) },
        Row("members of a model") { size in
            let text = (0..<size).map { #""name\#($0)":1"# }.joined(separator: ",")
            return { try decode(Account?.self, #"{"id":1,"login":"a",\#(text)}"#) }
        },
        parsing("values of types that are tried", #""a","#, after: "[") { try decode([Tried].self, $0 + "0]") },
        parsing("members of types that are tried", #"{"a":["a"]},"#, after: "[") {
            try decode([[String: [Tried]]].self, $0 + "{}]")
        },
        Row("members of a model that fail from the last to the first") { size in
            let text = (0..<size).map { #""\#($0)":{"a":1}"# }.joined(separator: ",")
            return { try decode(Backwards.self, "{\(text)}") }
        },
        parsing("decoders of elements that fail from the last to the first", "1,", after: "[") {
            try decode(Backwards.self, $0 + "1]")
        },
        parsing("values that are counted", "1,", after: "[") { try decode(Counted.self, $0 + "1]") },
        parsing("objects with converted names", #"{"a":1},"#, after: "[") {
            try decode([[String: Int]].self, $0 + "{}]", JSONReader(keys: .custom { $0[$0.count - 1] }))
        },
        parsing("models with converted names", #"{"id":1,"login":"a"},"#, after: "[") {
            try decode([Account].self, $0 + #"{"id":1,"login":"a"}]"#, JSONReader(keys: .custom { $0[$0.count - 1] }))
        },
        missing("missing keys among names in capitals") { "N\($0)_url" },
        missing("missing keys among names of the same letters") { sameLetters($0) },
        respelled("keys of the same letters as all names") { sameLettersAsNoMember($0 << 2 | 7) },
        respelled("keys that are names themselves but for an underscore") { sameLetters($0) + "__y" },
        alternating("members of two objects in turns", JSONReader()),
        alternating("converted members of two objects in turns", JSONReader(keys: .convertFromSnakeCase)),
        parsing("open brackets of JSON", "[") { _ = try? decode([Int].self, $0) },
        parsing("differences of JSON", #"{"a":[1,"b"]},"#, after: "[") { text in
            _ = JSONValue(Data("\(text)0]".utf8))
        },
    ]

    private static let links: [Row] = [
        parsing("links", "<https://api.example.com/list?page=2>; rel=\"next\", ") { readLinks($0) },
        parsing("attributes of a link", "; title=x", after: "</>; rel=next") { readLinks($0) },
        parsing("encoded attributes of a link", "; title*=UTF-8''x; a=b", after: "</>; rel=next") { readLinks($0) },
        parsing("an encoded title", "%41", after: "</>; rel=next; title*=UTF-8''") { readLinks($0) },
        parsing("relations of a link", "next ", after: "</>; rel=\"") { readLinks($0) },
        parsing("open quotes in links", "</>; rel=\"next\\\", ") { readLinks($0) },
        parsing("links without ends", "<") { readLinks($0) },
        parsing("fields with links", headers: { equal($0, .link, "</>; rel=next") }) { _ = $0.links[.last] },
        parsing("other targets of links", "</>, ") { text in
            _ = HTTPHeaders([.init(name: .link, value: text)]).replacingLinkTargets { "\($0)a" }
        },
        parsing("a query credential in links", "</?token=secret&page=2>; rel=\"next\", ") {
            try removeCredential(from: [.link: $0])
        },
    ]

    private static let heads: [Row] = [
        parsing("parameters of a media type", "; a=\"b\\\"\"", after: "text/plain") { text in
            let type = MIMEType(rawValue: text)
            _ = (type.essence, type.parameter("charset"))
        },
        parsing("parameters before a file name", "; a=\"b\\\"\"", after: "attachment") { readFilename($0) },
        parsing("an encoded file name", "%41", after: "attachment; filename*=UTF-8''") { readFilename($0) },
        parsing("folders in a file name", "é. /", after: "attachment; filename=") { readFilename($0) },
        parsing("dots and spaces in a file name", ". ", after: "attachment; filename=") { readFilename($0) },
        parsing("headers", headers: numbered) { head in
            _ = (head.headers["X"], head.headers.description, head.storable)
            try head.headers.validate()
        },
        parsing("equal headers", headers: { equal($0, .vary, "Accept") }) { _ = ($0.headers[.vary], $0.variesBy) },
        parsing("headers of the connection", headers: { ["Connection": names($0)] }) { _ = $0.storable },
        parsing("numbers in headers", "1, ") { text in
            let names: [HTTPHeaders.Name] = [
                .contentLength, .contentEncoding, .contentRange, .retryAfter, .age, "X-RateLimit-Reset",
            ]
            let head = HTTPResponse.Head(
                status: 429, headers: HTTPHeaders(names.map { .init(name: $0, value: text) }), url: url)
            _ = (head.retryAfter, head.contentCodings, ContentRange(head), try? head.bodyLength(for: .get))
        },
        parsing("digits of a number", "1") { _ = ($0.wholeNumber, $0.deltaSeconds, ISO8601.date($0)) },
        parsing("dates", "Sun, 06 Nov 1994 08:49:37 GMT ") { _ = (Date(httpDate: $0), ISO8601.date($0)) },
        parsing("directives of a cache", "max-age=5, private=\"x\", y, ") { text in
            let head = HTTPResponse.Head(status: 200, headers: [.cacheControl: text], url: url)
            _ = CachePolicy(head, requestTime: .now, responseTime: .now, heuristicFraction: 0.1)
        },
        parsing("challenges", #"Bearer realm="x", a=b, Negotiate YII=, "#) { readChallenges([.wwwAuthenticate: $0]) },
        parsing("parameters of a challenge", #"a="\\", "#, after: "Bearer ") { readChallenges([.wwwAuthenticate: $0]) },
        parsing("open quotes in challenges", #"Bearer a="\", "#) { readChallenges([.wwwAuthenticate: $0]) },
        parsing("digits of a token of a challenge", "=", after: "Bearer a") { readChallenges([.wwwAuthenticate: $0]) },
        parsing("fields with challenges", headers: { equal($0, .wwwAuthenticate, "a=\"b") }) {
            readChallenges($0.headers)
        },
        parsing("open quotes in directives", "\"\\\", ") { _ = CacheControl([.cacheControl: $0]) },
        parsing("names of Vary", headers: { [.vary: names($0)] }) { head in
            _ = CacheKey(HTTPRequest(url: url, headers: [.accept: "text/html"]), varyingBy: head.variesBy ?? [])
        },
        parsing("headers of a 304", headers: numbered) { head in
            let policy = CachePolicy(head, requestTime: .now, responseTime: .now, heuristicFraction: 0)
            _ = StoredResponse(head: head, body: ResponseBody(), policy: policy).head(confirmedBy: head)
        },
    ]

    private static let streams: [Row] = [
        parsing("events", "id: 1\nevent: x\ndata: y\n\n") { try await read(ServerSentEvents.self, [Data($0.utf8)]) },
        parsing("lines of an event", "data: y\n") { try await read(ServerSentEvents.self, [Data($0.utf8)]) },
        parsing("lines", "a line\r\n") { try await read(TextLines.self, [Data($0.utf8)]) },
        parsing("pieces of a line", "x") { try await read(TextLines.self, $0.utf8.map { Data([$0]) }) },
        Row("texts so far of a document in pieces") { size in
            return { partialText(size) { _ = $0.textSoFar } }
        },
        Row("a document in pieces that is decoded at the pace of a screen") { size in
            return {
                var frame = 0
                partialText(size) { document in
                    frame += 1
                    if frame.isMultiple(of: max(size / 60, 1)) { _ = try? document.decodeSoFar([String: String].self) }
                }
            }
        },
        parsing("values in lines", "{\"a\": 1}\n") { try await read(JSONLines<[String: Int]>.self, [Data($0.utf8)]) },
    ]

    private static let locations: [Row] =
        ["../", "//", "@", "%41", "?a&", ", "].map { piece in
            parsing("a location of \(piece.debugDescription)", piece, after: "https://api.example.com/") { text in
                let head = HTTPResponse.Head(status: 302, headers: [.location: text], url: url)
                _ = try? HTTPRequest(url: url).requestAfterRedirect(head, origin: url)
                _ = (URIReference(text).origin, try? HTTPRequest(url: URL(string: text) ?? url).prepared(in: Call()))
            }
        } + [
            parsing("a query credential in a location", "token=secret&a=%2541&", after: "/?") {
                try removeCredential(from: [.location: $0])
            }
        ]

    /// Texts for the search for secrets, each for a shorter time, since there are many.
    static let hostileTexts =
        HostileText.pieces.map { piece in
            var row = parsing("secrets in \(piece.debugDescription)", piece) { _ = Masking.masked($0) }
            row.minimum = .milliseconds(2)
            return row
        } + [
            parsing("elements with secrets that do not end", "<pin>") { text in
                _ = Masking.excerpt(of: Data(text.utf8), limit: text.utf8.count, onOneLine: true)
            }
        ]
}
