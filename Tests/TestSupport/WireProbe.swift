package import APIKitCore
import Foundation
package import Testing

/// An endpoint whose every part a test sets.
package struct WireProbe: APIRequest {
    package typealias Response = Data

    package var baseURL: URL
    package var path: URLPath
    package var method: HTTPMethod
    package var parameters: Parameters
    package var headers: HTTPHeaders
    package var defaultHeaders: HTTPHeaders
    package var defaultQuery: Parameters
    package var parameterStyle: ParameterStyle

    package init(
        baseURL: URL = WireProbe.root, path: URLPath = "items", method: HTTPMethod = .get, parameters: Parameters = [:],
        headers: HTTPHeaders = [:], defaultHeaders: HTTPHeaders = [:], defaultQuery: Parameters = [:],
        parameterStyle: ParameterStyle = ParameterStyle()
    ) {
        self.baseURL = baseURL
        self.path = path
        self.method = method
        self.parameters = parameters
        self.headers = headers
        self.defaultHeaders = defaultHeaders
        self.defaultQuery = defaultQuery
        self.parameterStyle = parameterStyle
    }

    package var base: APIBase {
        APIBase(baseURL, headers: defaultHeaders, query: defaultQuery, parameterStyle: parameterStyle)
    }

    package static let root = URL(string: "https://api.example.com/v1")!

    /// The URL that the endpoint makes, as text.
    package func url() throws -> String { try httpRequest().url.absoluteString }

    /// What stands behind the `?` of the URL that the endpoint makes.
    package func queryText() throws -> String {
        let url = try url()
        return url.firstIndex(of: "?").map { String(url[url.index(after: $0)...]) } ?? "(no query)"
    }
}

/// An endpoint that speaks JSON.
package struct JSONProbe: JSONRequest {
    package typealias Response = Data

    package var baseURL: URL
    package var path: URLPath
    package var method: HTTPMethod
    package var parameters: Parameters
    package var headers: HTTPHeaders
    package var parameterStyle: ParameterStyle

    package init(
        baseURL: URL = WireProbe.root, path: URLPath = "items", method: HTTPMethod = .post,
        parameters: Parameters = [:], headers: HTTPHeaders = [:], parameterStyle: ParameterStyle = ParameterStyle()
    ) {
        self.baseURL = baseURL
        self.path = path
        self.method = method
        self.parameters = parameters
        self.headers = headers
        self.parameterStyle = parameterStyle
    }

    package var base: APIBase { APIBase(baseURL, parameterStyle: parameterStyle) }
}

/// An endpoint with a body of its own.
package struct BodyProbe: APIRequest {
    package typealias Response = Data

    package var baseURL: URL
    package var path: URLPath
    package var method: HTTPMethod
    package var parameters: Parameters
    package var headers: HTTPHeaders
    package var defaultHeaders: HTTPHeaders
    package var body: RequestBody?

    package init(
        baseURL: URL = WireProbe.root, path: URLPath = "items", method: HTTPMethod = .post,
        parameters: Parameters = [:], headers: HTTPHeaders = [:], defaultHeaders: HTTPHeaders = [:],
        body: RequestBody? = nil
    ) {
        self.baseURL = baseURL
        self.path = path
        self.method = method
        self.parameters = parameters
        self.headers = headers
        self.defaultHeaders = defaultHeaders
        self.body = body
    }

    package var base: APIBase { APIBase(baseURL, headers: defaultHeaders) }
}

extension APIRequest {
    /// The error of building the request; the test fails if it can be built.
    package func fault(sourceLocation: SourceLocation = #_sourceLocation) throws -> RequestError {
        try #require(throws: RequestError.self, sourceLocation: sourceLocation) {
            try httpRequest().prepared(in: Call())
        }
    }

    /// Expects an error of making the request, whose message holds some words.
    package func expectFault(
        _ code: RequestError.Code, _ words: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let error = try fault(sourceLocation: sourceLocation)
        #expect(error.code == code, sourceLocation: sourceLocation)
        #expect(words.isEmpty || error.message.contains(words), sourceLocation: sourceLocation)
    }

    /// The text of the body that the endpoint makes.
    package func bodyText() throws -> String { try #require(httpRequest().body).text }
}

extension RequestBody {
    /// The bytes as text; empty where there are none.
    package var text: String { String(decoding: data ?? Data(), as: UTF8.self) }
}
