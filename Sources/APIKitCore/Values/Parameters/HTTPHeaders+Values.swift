import APIKitSupport

// Headers of numbers, Bools, dates and lists: how they are written, and how they are read.

extension HTTPHeaders {
    /// Appends a header, even if there is one of that name already; nil and an empty list append nothing.
    ///
    /// A number is its digits, a Bool `true` or `false`, a date an HTTP date (RFC 9110, section 5.6.7) unless it has a
    /// style of its own, as in `.date(day, as: .dateOnly())`. The elements of a list are separated by commas; one that
    /// has a comma or a quote is a quoted string (RFC 9110, sections 5.6.1 and 5.6.4), except for the entity tags of
    /// `If-Match` and `If-None-Match`. Cookies are separated by semicolons. If the elements have a syntax of their own,
    /// such as `a;q=0.5`, pass the whole header as text. A value that a header cannot have, such as an object or NaN,
    /// is a ``RequestError`` when the request is built.
    ///
    /// A space follows each comma. For a server that does not accept these spaces, pass `.list(values, as: .commas)`.
    public mutating func append(_ value: (any ParameterValue)?, for name: Name) {
        if let text = value as? String {
            append(text, for: name)
            return
        }
        guard let node = value?.parameterNode, !node.isAbsent else { return }
        do throws(RequestError) {
            if let text = try node.headerText(named: name) { append(text, for: name) }
        } catch {
            append(Field(name: name, problem: error))
        }
    }

    // MARK: - Reading

    /// The date of a header such as `Last-Modified`; nil if it is missing or anything else.
    ///
    /// - Parameters:
    ///   - name: The header.
    ///   - style: The format. An HTTP date may have any of the three formats of RFC 9110, section 5.6.7; ISO 8601 may
    ///     have fractions of a second and any offset from UTC.
    /// - Returns: The date.
    public func date(_ name: Name, as style: ParameterStyle.Dates = .httpDate) -> Date? {
        guard let text = self[name].map({ String($0.trimmingSpaces()) }) else { return nil }
        switch style {
        case .httpDate:
            return Date(httpDate: text)
        case .iso8601, .iso8601WithFractionalSeconds:
            return ISO8601.date(text)
        case .dateOnly(let zone):
            return DateOnly(text)?.date(in: zone)
        case .secondsSince1970:
            return Int64(text).map { Date(timeIntervalSince1970: Double($0)) }
        case .millisecondsSince1970:
            return Int64(text).map { Date(timeIntervalSince1970: Double($0) / 1000) }
        }
    }

    /// The number of a header such as `X-Total-Count`: digits, with a minus sign or without one. Nil if it is missing
    /// or anything else, also a number that an `Int` cannot hold.
    public func integer(_ name: Name) -> Int? {
        guard let text = self[name]?.trimmingSpaces() else { return nil }
        let bytes = Array(text.utf8)
        let digits = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes[...]
        guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else { return nil }
        return Int(String(text))
    }

    /// The elements of a header that is a list, such as `Allow`, without the quotes of quoted strings (RFC 9110,
    /// sections 5.6.1 and 5.6.4). Repeated headers are one list. Empty if the header is missing.
    ///
    /// A list of HTTP dates cannot be read in this way, since each date contains a comma.
    public func list(_ name: Name) -> [String] {
        var elements: [String] = []
        for value in values(for: name) {
            for part in Array(value.utf8)[...].splitOutsideQuotes(at: UInt8(ascii: ",")) {
                if let element = Self.listElement(part) { elements.append(element) }
            }
        }
        return elements
    }

    /// Returns an element of a list, without spaces around it and without its quotes; nil if it is empty, since empty
    /// elements are ignored.
    private static func listElement(_ part: ArraySlice<UInt8>) -> String? {
        let element = String(decoding: part, as: UTF8.self).trimmingSpaces()
        if element.isEmpty { return nil }
        return Array(element.utf8)[...].unquoted ?? String(element)
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Creates headers in the literal's order; a nil value omits its header.
    public init(dictionaryLiteral elements: (Name, (any ParameterValue)?)...) {
        reserveCapacity(elements.count)
        for (name, value) in elements { append(value, for: name) }
    }
}

extension Parameters.Node {
    /// Returns the text of a header; nil for an empty list, which is left out.
    fileprivate func headerText(named name: HTTPHeaders.Name) throws(RequestError) -> String? {
        guard case .list(let nodes, let style) = content else { return try elementText(named: name) }
        var elements: [String] = []
        for node in nodes {
            let text = try node.elementText(named: name)
            let keepsText = node.isDate || name == .cookie || name == .ifMatch || name == .ifNoneMatch
            elements.append(keepsText ? text : text.quotedForList)
        }
        if elements.isEmpty { return nil }
        if name == .cookie { return elements.joined(separator: "; ") }
        return elements.joined(separator: style == .commas ? "," : ", ")
    }

    /// Returns the text of a plain value in a header, such as an element of a list.
    ///
    /// - Throws: ``RequestError`` with the code `header` for a value that a header cannot hold, such as an object.
    private func elementText(named name: HTTPHeaders.Name) throws(RequestError) -> String {
        switch content {
        case .null, .absent, .text, .number, .boolean, .date:
            do throws(RequestError) {
                return try text(named: name.rawValue, style: ParameterStyle(dates: .httpDate))
            } catch {
                throw RequestError(.header, "the header \(error.message)")
            }
        case .invalid(let problem):
            throw RequestError(.header, "the header \(name.rawValue.debugDescription): \(problem)")
        case .list, .object, .flag, .file:
            let problem = "a header takes text, numbers, Bools, dates and lists of them"
            throw RequestError(.header, "the header \(name.rawValue.debugDescription): \(problem)")
        }
    }

    /// Whether this is a date, whose comma does not separate elements of a list.
    private var isDate: Bool {
        if case .date = content { true } else { false }
    }
}

extension String {
    /// The text as an element of a list: a quoted string if it is empty, contains a comma or a quote, or has spaces
    /// around it.
    fileprivate var quotedForList: String {
        let isPlain = allBytesSatisfy { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "\"") }
        let isTrimmed = trimmingSpaces().utf8.count == utf8.count
        if !isEmpty, isPlain, isTrimmed { return self }
        var quoted: [UInt8] = [UInt8(ascii: "\"")]
        for byte in utf8 {
            let isEscaped = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
            if isEscaped { quoted.append(UInt8(ascii: "\\")) }
            quoted.append(byte)
        }
        quoted.append(UInt8(ascii: "\""))
        return String(decoding: quoted, as: UTF8.self)
    }
}
