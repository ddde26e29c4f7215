import APIKitCore
import Foundation
import Testing

/// An endpoint whose every part a test sets.
struct WireProbe: APIRequest {
    typealias Response = Data

    var baseURL = WireProbe.root
    var base: APIBase { APIBase(baseURL, headers: defaultHeaders, query: defaultQuery, parameterStyle: parameterStyle) }
    var path: URLPath = "items"
    var method: HTTPMethod = .get
    var parameters: Parameters = [:]
    var headers: HTTPHeaders = [:]
    var defaultHeaders: HTTPHeaders = [:]
    var defaultQuery: Parameters = [:]
    var parameterStyle = ParameterStyle()

    static let root = URL(string: "https://api.example.com/v1")!

    /// The URL that the endpoint makes, as text.
    func url() throws -> String { try httpRequest().url.absoluteString }

    /// What stands behind the `?` of the URL that the endpoint makes.
    func queryText() throws -> String {
        let url = try url()
        return url.firstIndex(of: "?").map { String(url[url.index(after: $0)...]) } ?? "(no query)"
    }
}

/// An endpoint that speaks JSON.
struct JSONProbe: JSONRequest {
    typealias Response = Data

    var baseURL = WireProbe.root
    var base: APIBase { APIBase(baseURL, parameterStyle: parameterStyle) }
    var path: URLPath = "items"
    var method: HTTPMethod = .post
    var parameters: Parameters = [:]
    var headers: HTTPHeaders = [:]
    var parameterStyle = ParameterStyle()
}

/// An endpoint with a body of its own.
struct BodyProbe: APIRequest {
    typealias Response = Data

    var baseURL = WireProbe.root
    var base: APIBase { APIBase(baseURL, headers: defaultHeaders) }
    var path: URLPath = "items"
    var method: HTTPMethod = .post
    var parameters: Parameters = [:]
    var headers: HTTPHeaders = [:]
    var defaultHeaders: HTTPHeaders = [:]
    var body: RequestBody?
}

extension APIRequest {
    /// The error of building the request; the test fails if it can be built.
    func fault(sourceLocation: SourceLocation = #_sourceLocation) throws -> RequestError {
        try #require(throws: RequestError.self, sourceLocation: sourceLocation) {
            try httpRequest().prepared(in: Call())
        }
    }

    /// Expects an error of making the request, whose message holds some words.
    func expectFault(
        _ code: RequestError.Code, _ words: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let error = try fault(sourceLocation: sourceLocation)
        #expect(error.code == code, sourceLocation: sourceLocation)
        #expect(words.isEmpty || error.message.contains(words), sourceLocation: sourceLocation)
    }

    /// The text of the body that the endpoint makes.
    func bodyText() throws -> String { try #require(httpRequest().body).text }
}

extension RequestBody {
    /// The bytes as text; empty where there are none.
    var text: String { String(decoding: data ?? Data(), as: UTF8.self) }
}
