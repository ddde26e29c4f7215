public import APIKitCore

extension HTTPRequest {
    /// Returns the differences between this request and an expected one, as text for a failing test; nil if a server
    /// could not tell them apart and their options are equal.
    ///
    /// ```swift
    /// let expected = HTTPRequest(
    ///     method: .post, url: URL(string: "https://shop.example.com/v2/items?version=20261101")!,
    ///     headers: [.accept: "application/json"],
    ///     body: .data(Data(#"{"name": "Chair", "links": {"thumb": null}}"#.utf8), contentType: .json))
    /// #expect(try AddItemRequest(name: "Chair").httpRequest().difference(from: expected) == nil)
    /// ```
    ///
    /// In XCTest, it is `XCTAssertNil(request.difference(from: expected))`.
    ///
    /// The parts of the URL, headers, the values of JSON, the fields of forms and the parts of multipart forms are
    /// compared one by one. A missing `Content-Type` is that of the body. Insignificant differences are ignored: the
    /// order of headers with different names (RFC 9110, section 5.3); whitespace, the order of members and the spelling
    /// of numbers in JSON (RFC 8259, sections 2, 4 and 6); and the boundary of a multipart form. So are the progress
    /// closure and the endpoint. Secrets are masked; that they differ is still reported.
    ///
    /// - Parameter expected: The expected request.
    /// - Returns: The differences.
    public func difference(from expected: HTTPRequest) -> RequestDifference? {
        var comparison = RequestComparison { text in
            Masking.text(self.maskingCredentials(in: expected.maskingCredentials(in: text)))
        }
        if method != expected.method { comparison.report("method", "\(expected.method)", "\(method)") }
        comparison.compare(expected.url, url)
        let (sent, wanted) = (headersWithContentType, expected.headersWithContentType)
        comparison.compareFields("header", wanted.comparedFields, sent.comparedFields)
        let contentType = (wanted[.contentType] ?? "") == sent[.contentType] ? sent[.contentType] : nil
        comparison.compareBodies("body", expected.body, body, type: contentType.map(MIMEType.init(rawValue:)))
        comparison.compareMembers("options", expected.options, options)
        if delivery != expected.delivery { comparison.report("delivery", "\(expected.delivery)", "\(delivery)") }
        guard !comparison.changes.isEmpty else { return nil }
        return RequestDifference(changes: comparison.changes, title: "\(method) \(maskedURL)")
    }

    /// The headers as they are sent.
    private var headersWithContentType: HTTPHeaders {
        var headers = headers
        if let body { headers.addContentType(of: body) }
        return headers
    }
}

extension HTTPHeaders {
    /// The headers as named values, without the boundary of a multipart form.
    fileprivate var comparedFields: [RequestComparison.Field] {
        map { field in
            let type = MIMEType(rawValue: field.value)
            let isForm = field.name == .contentType && type.essence == MIMEType.multipartFormData.essence
            return (field.name.rawValue, isForm ? type.essence : field.value)
        }
    }
}
