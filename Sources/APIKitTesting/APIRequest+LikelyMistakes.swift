public import APIKitCore

extension APIRequest {
    /// Likely mistakes in this endpoint that the compiler does not detect: stored properties whose values appear
    /// nowhere in the request, such as a page number that is missing in the parameters, a misspelled `param`, or a
    /// `method` of another type than ``APIRequest`` asks for; a method in lower case; the parameters of a
    /// ``JSONRequest`` in the query of a DELETE; the text of an optional in the URL or a header; the URL of a file; and
    /// a form that is multipart only if an optional file is there.
    ///
    /// ```swift
    /// #expect(UsersRequest(since: 46).likelyMistakes() == [])
    /// ```
    ///
    /// Create the request with values that are easy to distinguish, and not nil. Bools are skipped, and so are requests
    /// whose body contains files or streams. Computed properties cannot be seen: the compiler warns of those in an
    /// extension that declares the conformance.
    ///
    /// - Parameter ignored: The names of properties that are not sent on purpose.
    /// - Returns: A sentence for each mistake, and the error of a request that is not valid.
    public func likelyMistakes(ignoring ignored: Set<String> = []) -> [String] {
        do throws(RequestError) {
            let request = try httpRequest()
            if let body = request.body, body.data == nil { return [] }
            let sent = Self.textSent(by: request)
            let unsent: [String] = Mirror(reflecting: self).children.compactMap { name, value in
                guard let name, !ignored.contains(name) else { return nil }
                return Self.texts(in: value).first { !sent.contains(Self.comparable($0)) }
                    .map { Self.problem(with: name, $0, type(of: value)) }
            }
            let files = missingFiles(in: request, ignoring: ignored)
            return unsent + Self.oddities(of: request) + (ignored.contains("parameters") ? [] : strayParameters) + files
        } catch {
            return [error.description]
        }
    }

    private static func problem(with name: String, _ text: String, _ type: Any.Type) -> String {
        let start = "`\(name)` (\(text.debugDescription)) appears nowhere in the request"
        if let requirement = requirements[name] { return "\(start): its type is \(type), not \(requirement)" }
        let letters = name.lowercased()
        let similar = requirements.keys.filter { requirement in
            let other = requirement.lowercased()
            let isPart = letters.count > 4 && (other.contains(letters) || letters.contains(other))
            return isPart || other.difference(from: letters).count <= 2
        }
        return start + (similar.min().map { ": did you mean `\($0)`?" } ?? "")
    }

    /// The parameters that are expected in a body, and are not there.
    private var strayParameters: [String] {
        guard self is any JSONRequest, method == .delete, body == nil, !query.isEmpty else { return [] }
        return ["`parameters` go into the query of a DELETE: to send JSON, return them as `body`"]
    }

    /// The files whose absence changes the type of a form.
    private func missingFiles(in request: HTTPRequest, ignoring ignored: Set<String>) -> [String] {
        guard request.body?.contentType == .formURLEncoded else { return [] }
        return Mirror(reflecting: self).children.compactMap { name, value in
            let type = type(of: value)
            guard let name, !ignored.contains(name), type == FilePart?.self || type == [FilePart].self else {
                return nil
            }
            return "without the file `\(name)` the form is not multipart: if the server takes only multipart, return "
                + "`.multipart(MultipartForm(parameters, style: base.parameterStyle))` as `body`"
        }
    }

    /// Values that are sent, but hardly meant.
    private static func oddities(of request: HTTPRequest) -> [String] {
        let method = request.method.rawValue
        let known: [HTTPMethod] = [.get, .post, .put, .patch, .delete, .head, .options, .query]
        let isOdd = known.contains { $0.rawValue == method.uppercased() && $0.rawValue != method }
        let url = request.url.absoluteString.removingPercentEncodingOfASCII
        let body = request.body?.data.map { String(decoding: $0, as: UTF8.self).removingPercentEncodingOfASCII } ?? ""
        let texts = [("the URL", url)] + request.headers.map { ("the header `\($0.name.rawValue)`", $0.value) }
        let optionals = texts.filter { $0.1.contains(/(^|[\/= ])nil($|[\/& ])|Optional\(/) }
        let files = (texts + [("the body", body)]).filter { $0.1.contains(/[=\x22]file:(\\?\/){3}/) }
        return (isOdd ? ["methods are in upper case: \(method.debugDescription)"] : [])
            + optionals.map { "\($0.0) has the text of an optional" }
            + files.map { "\($0.0) has the URL of a file, whose contents are not sent" }
    }

    /// The requirements that have a default, with their types.
    private static var requirements: [String: String] {
        [
            "method": "HTTPMethod", "parameters": "Parameters", "headers": "HTTPHeaders", "query": "Parameters",
            "body": "RequestBody?", "options": "RequestOptions", "pageLink": "URL?", "endsAtRepeatedPage": "Bool",
        ]
    }

    /// The URL, the headers and the body.
    private static func textSent(by request: HTTPRequest) -> String {
        let body = request.body?.data.map { String(decoding: $0, as: UTF8.self) } ?? ""
        let encoded = [request.method.rawValue, request.url.absoluteString, body]
        let headers = request.headers.map { "\($0.name.rawValue): \($0.value)" }
        return comparable((encoded + encoded.map { $0.replacing("+", with: " ") } + headers).joined(separator: "\u{0}"))
    }

    /// The ASCII letters of a text in lower case, without blanks and what JSON, a query or a form adds.
    private static func comparable(_ text: String) -> String {
        text.removingPercentEncodingOfASCII
            .replacing(/%[89A-Fa-f].|\\[nrt]|\s/, with: "")
            .filter { $0.isASCII && $0 != "\\" }
            .lowercased()
    }

    /// The texts that a value is sent as, so far as they are known.
    private static func texts(in value: Any) -> [String] {
        switch value {
        case is Bool, is Data, is Date: return []
        case let text as any StringProtocol: return text.isEmpty ? [] : [String(text)]
        // JSON may leave out the zero that a query has.
        case let number as any Numeric: return ["\(number)".replacing(/\.0$/, with: "")]
        case let url as URL: return [url.absoluteString]
        case let id as UUID: return [id.uuidString]
        case let value as any RawRepresentable: return texts(in: value.rawValue)
        default:
            let mirror = Mirror(reflecting: value)
            // An object is not sent, and may refer to itself. The library's own types are sent in ways of their own.
            let isOwn = String(reflecting: type(of: value)).hasPrefix("APIKitCore.") && !(value is any PatchValue)
            return mirror.displayStyle == .class || isOwn ? [] : mirror.children.flatMap { texts(in: $0.value) }
        }
    }
}

private protocol PatchValue {}
extension Patch: PatchValue {}
