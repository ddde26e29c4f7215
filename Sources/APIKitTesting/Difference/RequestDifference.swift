public import APIKitCore
import APIKitSupport

/// What differs between two requests, one line for each difference, with secrets masked:
///
///     POST https://api.example.com/issues differs from the expected request (expected → actual):
///     - query page: "1" → "2"
///     - header Accept: missing, expected "application/json"
///     - body labels[0].name: "bug" → "bugs"
///     - header Authorization: differs (both values are masked)
///
/// ``HTTPRequest/difference(from:)`` creates it.
public struct RequestDifference: Sendable, Hashable {
    /// One difference.
    package struct Change: Sendable, Hashable {
        /// The part that differs: `method`, `query page`, `header Accept`, `body labels[0].name`.
        package let place: String
        /// The value of the expected request, with secrets masked; nil if it has none. A value of more than 200
        /// characters is cut to the part around the first difference.
        package let expected: String?
        /// The value of the actual request, in the same form.
        package let actual: String?
    }

    /// The differences: of the method, the URL, the headers, the body, the options and the delivery.
    package let changes: [Change]
    /// The actual request: its method and its URL, with secrets masked.
    let title: String
}

extension RequestDifference: CustomStringConvertible, CustomDebugStringConvertible {
    /// One line for each difference, the first 50 of them.
    public var description: String {
        let lines = changes.prefix(50).map { "\n- \($0)" }.joined()
        let rest = changes.count > 50 ? "\n- and \(changes.count - 50) more" : ""
        return "\(title) differs from the expected request (expected → actual):\(lines)\(rest)"
    }

    /// The same lines, which `#expect` and `XCTAssertNil` print.
    public var debugDescription: String { description }
}

extension RequestDifference.Change: CustomStringConvertible {
    /// One line: the place and both values.
    package var description: String {
        switch (expected, actual) {
        case (let expected?, let actual?) where expected.utf8.elementsEqual(actual.utf8):
            "\(place): differs (both values are masked)"
        case (let expected?, let actual?): "\(place): \(expected) → \(actual)"
        case (let expected?, nil): "\(place): missing, expected \(expected)"
        case (nil, let actual?): "\(place): unexpected \(actual)"
        case (nil, nil): "\(place): differs"
        }
    }
}

extension HTTPRequest {
    /// Returns the differences between this request and an expected one, as text for a failing test; nil if a server
    /// could not tell them apart and their options are equal.
    ///
    /// ```swift
    /// let expected = HTTPRequest(
    ///     method: .post,
    ///     url: URL(string: "https://shop.example.com/v2/items?version=20261101")!,
    ///     headers: [.accept: "application/json"],
    ///     body: .data(
    ///         Data(#"{"name": "Chair", "links": {"thumb": null}}"#.utf8),
    ///         contentType: .json))
    /// let request = try AddItemRequest(name: "Chair").httpRequest()
    /// #expect(request.difference(from: expected) == nil)
    /// ```
    ///
    /// In XCTest, it is `XCTAssertNil(request.difference(from: expected))`.
    ///
    /// The parts of the URL, headers, the values of JSON, the fields of forms and the parts of multipart forms are
    /// compared one by one. A missing `Content-Type` has the body's value. Insignificant differences are ignored: the
    /// order of headers with different names (RFC 9110, section 5.3); whitespace, the order of members and the spelling
    /// of numbers in JSON (RFC 8259, sections 2, 4 and 6); and the boundary of a multipart form. So are the names of
    /// secrets. Secrets are masked; that they differ is still reported.
    ///
    /// Options are not sent, and are compared too: those of the endpoint and its ``APIBase``. To ignore them, give the
    /// expected request the same: `options: request.options`.
    ///
    /// - Parameter expected: The expected request.
    /// - Returns: The differences.
    public func difference(from expected: HTTPRequest) -> RequestDifference? {
        let secrets = Array(Set(credentialValues + expected.credentialValues))
        var comparison = RequestComparison { Masking.masked(Masking.masked($0, hiding: secrets)) }
        let requests = Sides(expected, self)
        comparison.compareTexts("method", expected.method.rawValue, method.rawValue)
        comparison.compareURLs(requests.map(\.url))
        comparison.compareContent(of: requests)
        comparison.compareOptions(requests.map(\.options))
        comparison.compareTexts("delivery", "\(expected.delivery)", "\(delivery)")
        guard !comparison.changes.isEmpty else { return nil }
        return RequestDifference(changes: comparison.changes, title: "\(method) \(maskedURL)")
    }
}

extension RequestComparison {
    /// Compares the parts of two URLs, and the items of their queries.
    fileprivate mutating func compareURLs(_ urls: Sides<URL>) {
        compare("URL", urls.expected.comparedParts, urls.actual.comparedParts)
        let queries = urls.map { $0.query(percentEncoded: true)?.formFields ?? [] }
        compareFields("query", queries.expected, queries.actual)
    }

    /// Compares headers and bodies.
    fileprivate mutating func compareContent(of requests: Sides<HTTPRequest>) {
        let headers = requests.map(\.headersWithContentType)
        let fields = headers.map { $0.comparedFields(spelledAs: headers.expected) }
        compareMembers("header", fields.expected, fields.actual)
        let types = headers.map { $0[.contentType] ?? "" }
        let commonType = types.expected == types.actual ? MIMEType(rawValue: types.expected) : nil
        compareBodies("body", requests.expected.body, requests.actual.body, type: commonType)
    }

    /// Compares options one by one, by their names in a mirror, so that a new option is compared too. The names of
    /// secrets are left out, since they only change how the request is shown.
    fileprivate mutating func compareOptions(_ options: Sides<RequestOptions>) {
        let members = options.map { Array(Mirror(reflecting: $0).children) }
        for (expected, actual) in zip(members.expected, members.actual) {
            guard let name = expected.label, name != "secretNames" else { continue }
            guard expected.value as? AnyHashable != actual.value as? AnyHashable else { continue }
            let texts = Sides(expected.value, actual.value).map(Self.text)
            compareTexts("options \(name)", texts.expected, texts.actual)
        }
    }

    /// Returns a value as a text, without `Optional(…)`.
    private static func text(of value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return "\(value)" }
        guard let wrapped = mirror.children.first else { return "nil" }
        return "\(wrapped.value)"
    }
}

extension HTTPRequest {
    /// The headers, with the content type of the body if no header has one.
    fileprivate var headersWithContentType: HTTPHeaders {
        var headers = headers
        if let body { headers.addContentType(of: body) }
        return headers
    }
}

extension URL {
    /// The URL without its query.
    fileprivate var comparedParts: JSONValue {
        let login = [user(percentEncoded: true), password(percentEncoded: true)].compactMap(\.self)
        let parts: [(name: String, text: String?)] = [
            ("scheme", scheme),
            ("credentials", login.isEmpty ? nil : login.joined(separator: ":")),
            ("host", host(percentEncoded: true)),
            ("port", port.map(String.init)),
            ("path", path(percentEncoded: true)),
        ]
        var members = JSONValue.Object()
        for (name, text) in parts {
            members[name] = text.map(JSONValue.string)
        }
        return .object(members)
    }
}

extension HTTPHeaders {
    /// Returns the headers as members for the comparison, without the boundary of a multipart form.
    ///
    /// Members are compared by the bytes of their names. So a header whose name is spelled differently in both requests
    /// gets the spelling of the others.
    fileprivate func comparedFields(spelledAs others: HTTPHeaders) -> [JSONValue.Object.Member] {
        var spellings: [Name: String] = [:]
        for field in Array(others) + self where spellings[field.name] == nil {
            spellings[field.name] = field.name.rawValue
        }
        return map { field in
            let type = MIMEType(rawValue: field.value)
            let isForm = field.name == .contentType && type.essence == MIMEType.multipartFormData.essence
            return (spellings[field.name] ?? "", .string(isForm ? type.essence : field.value))
        }
    }
}
