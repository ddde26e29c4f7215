public import APIKitCore
import APIKitSupport

extension APIRequest {
    /// Likely mistakes in this endpoint that the compiler does not detect.
    ///
    /// ```swift
    /// #expect(UsersRequest(since: 46).likelyMistakes() == [])
    /// ```
    ///
    /// These are found:
    ///
    /// - a stored property whose value appears nowhere in the request, such as a page number that is missing in the
    ///   parameters, a misspelled `param`, or a `method` of another type than ``APIRequest`` asks for
    /// - a stored property whose slashes are percent-encoded in the path, which interpolates it without `segments:`
    /// - a `Content-Type` header that says JSON with a body that is a form, or the other way around
    /// - the parameters of a ``JSONRequest`` in the query of a DELETE
    /// - a form without files because an optional file is nil, which is then not sent as multipart
    /// - a method in lower case, the text of an optional in the URL or a header, and the URL of a file
    ///
    /// Create the request with values that are easy to distinguish, and not nil. If a name may contain slashes, give it
    /// one. Bools are skipped, and so are requests whose body contains files or streams. Variables of the base, which a
    /// client sets, need no value.
    ///
    /// Computed properties are not visible, such as `var headers: [String: String]?` of a target that comes from Moya.
    /// If their values come from stored properties, those are reported, since they appear nowhere in the request. The
    /// compiler warns about computed properties in an extension that declares the conformance.
    ///
    /// - Parameter ignored: The names of properties that are as they should be: not sent on purpose, or with slashes
    ///   that belong to a name.
    /// - Returns: A sentence for each mistake. If the request is not valid, the first one is its error, and the others
    ///   are about stored properties with the name of a requirement and another type, which may be the cause.
    public func likelyMistakes(ignoring ignored: Set<String> = []) -> [String] {
        let request: HTTPRequest
        do throws(RequestError) {
            // A client sets the variables of a base, such as an account: they are not properties of the endpoint.
            request = try httpRequest(base: base.settingEveryVariable(to: Masking.mask))
        } catch {
            return [error.description] + typeMistakes(ignoring: ignored)
        }
        if let body = request.body, body.data == nil { return [] }

        var mistakes = propertyMistakes(in: request, ignoring: ignored)
        mistakes += Self.oddities(of: request)
        mistakes += missingFiles(in: request, ignoring: ignored)
        if !ignored.contains("headers"), let mistake = Self.contentTypeMistake(in: request) {
            mistakes.append(mistake)
        }
        if !ignored.contains("parameters"), sendsJSONParametersInQuery {
            mistakes.append("`parameters` go into the query of a DELETE: to send JSON, return them as `body`")
        }
        return mistakes
    }

    /// Whether the parameters of a ``JSONRequest`` are sent in the query, since its method is DELETE.
    private var sendsJSONParametersInQuery: Bool {
        self is any JSONRequest && method == .delete && body == nil && !query.isEmpty
    }

    // MARK: - Stored properties

    /// Reports stored properties whose value is not sent, or is sent with its slashes encoded.
    private func propertyMistakes(in request: HTTPRequest, ignoring ignored: Set<String>) -> [String] {
        let sent = Self.textSent(by: request)
        var mistakes: [String] = []
        for (name, value) in Mirror(reflecting: self).children {
            guard let name, !ignored.contains(name) else { continue }
            let texts = Self.texts(in: value)
            if let unsent = texts.first(where: { !sent.contains(Self.comparable($0)) }) {
                mistakes.append(Self.mistake(ofUnsent: name, unsent, type(of: value)))
            } else if let split = texts.first(where: { Self.isSlashEncoded(of: $0, in: request.url) }) {
                mistakes.append(
                    "`\(name)` (\(split.debugDescription)) is one segment of the path, with its slashes encoded: "
                        + "if they separate segments, write `\\(segments: \(name))`")
            }
        }
        return mistakes
    }

    /// Reports stored properties with the name of a requirement and another type, whose default applies instead.
    ///
    /// That may be why a request is not valid: with a `method` that is a String, it is a GET, which has no body.
    private func typeMistakes(ignoring ignored: Set<String>) -> [String] {
        var mistakes: [String] = []
        for (name, value) in Mirror(reflecting: self).children {
            guard let name, !ignored.contains(name), let requirement = Self.requirements[name] else { continue }
            let typeName = Self.shortName(of: type(of: value))
            guard typeName != requirement else { continue }
            mistakes.append("`\(name)` does not replace the default: its type is \(typeName), not \(requirement)")
        }
        return mistakes
    }

    /// Returns the name of a type as code writes it, such as `URL?`.
    private static func shortName(of type: Any.Type) -> String {
        "\(type)".replacing(/^Optional<(.+)>$/) { "\($0.1)?" }
    }

    /// Returns the report about a property that is not sent. If its name is, or is similar to, that of a requirement
    /// with a default, it says so.
    private static func mistake(ofUnsent name: String, _ text: String, _ type: Any.Type) -> String {
        let start = "`\(name)` (\(text.debugDescription)) appears nowhere in the request"
        if let requirement = requirements[name] { return "\(start): its type is \(type), not \(requirement)" }
        let similar = requirements.keys.filter { isSimilar(name, to: $0) }
        guard let requirement = similar.min() else { return start }
        return "\(start): did you mean `\(requirement)`?"
    }

    /// Whether a name may be a misspelling of a requirement: `pathh` of `path`, or `queryParameters` of `parameters`.
    private static func isSimilar(_ name: String, to requirement: String) -> Bool {
        let name = name.lowercased()
        let requirement = requirement.lowercased()
        // A short name such as `id` is part of many words, without being a misspelling.
        let isPart = requirement.contains(name) || name.contains(requirement)
        if isPart, name.count > 4 { return true }
        // A replaced letter counts as two changes: one removal and one insertion.
        return requirement.difference(from: name).count <= 2
    }

    /// Reports optional files and lists of files of a form that is sent URL-encoded.
    ///
    /// A form with a file is multipart. So in a form that is not, each of them is nil or empty, and its value need not
    /// be looked at.
    private func missingFiles(in request: HTTPRequest, ignoring ignored: Set<String>) -> [String] {
        guard request.body?.contentType == .formURLEncoded else { return [] }
        var mistakes: [String] = []
        for (name, value) in Mirror(reflecting: self).children {
            guard let name, !ignored.contains(name) else { continue }
            let propertyType = type(of: value)
            let mayHoldFile = propertyType == FilePart?.self || propertyType == [FilePart].self
            guard mayHoldFile else { continue }
            mistakes.append(
                "without the file `\(name)` the form is not multipart: if the server takes only multipart, return "
                    + "`.multipart(MultipartForm(parameters, style: base.parameterStyle))` as `body`")
        }
        return mistakes
    }

    /// Whether the path contains a text with its slashes encoded. In a URL within a path, they have to be encoded.
    private static func isSlashEncoded(of text: String, in url: URL) -> Bool {
        guard text.contains("/"), !text.contains("://") else { return false }
        let segment: URLPath = "\(text)"
        return url.path(percentEncoded: true).contains(segment.description)
    }

    /// The requirements of the endpoint protocols that have a default, with their types. A property with a misspelled
    /// name or another type does not replace the default, and the compiler does not notice.
    private static var requirements: [String: String] {
        [
            "method": "HTTPMethod", "parameters": "Parameters", "headers": "HTTPHeaders", "query": "Parameters",
            "body": "RequestBody?", "options": "RequestOptions", "pageLink": "URL?", "requestLink": "URL?",
            "endsAtRepeatedPage": "Bool",
        ]
    }

    // MARK: - Texts in the request

    /// Reports values that are sent but are probably unintended.
    private static func oddities(of request: HTTPRequest) -> [String] {
        var oddities: [String] = []
        let method = request.method.rawValue
        let known: [HTTPMethod] = [.get, .post, .put, .patch, .delete, .head, .options, .query]
        if known.contains(where: { $0.rawValue == method.uppercased() && $0.rawValue != method }) {
            oddities.append("methods are in upper case: \(method.debugDescription)")
        }

        var texts = [("the URL", request.url.absoluteString.removingPercentEncodingOfASCII)]
        texts += request.headers.map { ("the header `\($0.name.rawValue)`", $0.value) }
        // `nil` counts only as a whole word of a path, a query or a header: `/users/nil`, but not `/nile`.
        for (place, text) in texts where text.contains(/(^|[\/= ])nil($|[\/& ])|Optional\(/) {
            oddities.append("\(place) has the text of an optional")
        }

        if let body = request.body?.data {
            texts.append(("the body", String(decoding: body, as: UTF8.self).removingPercentEncodingOfASCII))
        }
        // A value such as `file:///tmp/a.jpg`, after an equals sign or a quote. JSON may escape its slashes.
        for (place, text) in texts where text.contains(/[=\x22]file:(\\?\/){3}/) {
            oddities.append("\(place) has the URL of a file, whose contents are not sent")
        }
        return oddities
    }

    /// Reports a `Content-Type` header that says JSON if the body is a form, or the other way around; otherwise nil.
    private static func contentTypeMistake(in request: HTTPRequest) -> String? {
        guard let header = request.headers[.contentType], let body = request.body?.contentType else { return nil }
        let said = MIMEType(rawValue: header).essence
        let actual = body.essence
        let form = MIMEType.formURLEncoded.essence
        let json = MIMEType.json.essence
        let start = "the header `Content-Type` says \(said), and the body is \(actual)"
        switch (said, actual) {
        case (json, form): return "\(start): to send JSON, conform to `JSONRequest`"
        case (form, json): return start
        default: return nil
        }
    }

    /// Returns the method, the URL, the headers and the body as one text, in the form of ``comparable(_:)``.
    private static func textSent(by request: HTTPRequest) -> String {
        let body = request.body?.data.map { String(decoding: $0, as: UTF8.self) } ?? ""
        let encoded = [request.method.rawValue, request.url.absoluteString, body]
        let withBlanks = encoded.map { $0.replacing("+", with: " ") }
        let headers = request.headers.map { "\($0.name.rawValue): \($0.value)" }
        return comparable((encoded + withBlanks + headers).joined(separator: "\u{0}"))
    }

    /// Returns a text in a form in which a value is found however it is encoded: ASCII in lower case, without white
    /// space and without the escapes of JSON and of percent-encoding.
    private static func comparable(_ text: String) -> String {
        text.removingPercentEncodingOfASCII
            .replacing(/%[89A-Fa-f].|\\[nrt]|\s/, with: "")
            .filter { $0.isASCII && $0 != "\\" }
            .lowercased()
    }

    /// Returns the texts as which a value is sent; empty if they are not known.
    private static func texts(in value: Any) -> [String] {
        switch value {
        // The text of a Bool, such as `1`, may appear anywhere. Bytes and dates are written in many ways.
        case is Bool, is Data, is Date: return []
        case let text as any StringProtocol: return text.isEmpty ? [] : [String(text)]
        // A whole `Double` is `1.0` in a query but may be `1` in JSON, so the fraction is not compared.
        case let number as any Numeric: return ["\(number)".replacing(/\.0$/, with: "")]
        case let url as URL: return [url.absoluteString]
        case let id as UUID: return [id.uuidString]
        case let value as any RawRepresentable: return texts(in: value.rawValue)
        default: return isSentByParts(value) ? Mirror(reflecting: value).children.flatMap { texts(in: $0.value) } : []
        }
    }

    /// Whether the values that a value contains are sent one by one.
    ///
    /// Objects are skipped, since they are not sent and may refer to themselves. The library's types are skipped, since
    /// each has its own encoding.
    private static func isSentByParts(_ value: Any) -> Bool {
        if value is any PatchValue { return true }
        let isTypeOfLibrary = String(reflecting: type(of: value)).hasPrefix("APIKitCore.")
        return !isTypeOfLibrary && Mirror(reflecting: value).displayStyle != .class
    }
}

private protocol PatchValue {}
extension Patch: PatchValue {}
