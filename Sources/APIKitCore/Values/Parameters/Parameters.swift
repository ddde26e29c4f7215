import APIKitSupport

/// The parameters of a request, in order, written as a dictionary literal. A nil value is left out; names may repeat.
///
/// ```swift
/// var parameters: Parameters {
///     ["since": since, "per_page": 100, "sort": Sort.created, "tags": ["a", "b"]]
/// }
/// ```
///
/// GET, HEAD, DELETE, OPTIONS and TRACE send them in the query, all other methods in the body. The
/// ``APIBase/parameterStyle`` determines how lists, members, Bools and dates are written.
public struct Parameters: Sendable {
    /// One parameter: its name, unencoded, and its value.
    public typealias Element = (name: String, value: Node)

    private(set) var fields: [Element] = []
    /// Whether parameters were left out because they are nil. It matters if there are no other parameters: then a JSON
    /// body is an empty object instead of no body.
    var omitsNil = false

    /// Creates an empty list.
    public init() {}

    /// Creates a list of names and values, in their order.
    public init(_ elements: some Sequence<(String, any ParameterValue)>) {
        for (name, value) in elements { append(value, for: name) }
    }

    init(fields: [Element]) {
        self.fields = fields
    }

    /// Appends a parameter, even if the list already has one of that name; nil appends nothing.
    public mutating func append(_ value: (any ParameterValue)?, for name: String) {
        guard let node = value?.parameterNode, !node.isAbsent else {
            omitsNil = true
            return
        }
        fields.append((name, node))
    }

    /// The value of the first parameter of a name, as a ``Node``; nil if there is none.
    ///
    /// Setting a value replaces the first parameter of that name in its place and removes the others, or appends a
    /// parameter if there is none; setting nil removes all, and changes nothing if there is none.
    ///
    /// ```swift
    /// parameters["per_page"] = 20
    /// parameters["since"] = nil
    /// ```
    ///
    /// Names are the same if their bytes are.
    public subscript(name: String) -> (any ParameterValue)? {
        get { fields.first { $0.name.utf8.elementsEqual(name.utf8) }?.value }
        set {
            let first = fields.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
            fields.removeAll { $0.name.utf8.elementsEqual(name.utf8) }
            guard let node = newValue?.parameterNode, !node.isAbsent else {
                let wasRemoved = first != nil
                if wasRemoved { omitsNil = true }
                return
            }
            // Nothing was removed before the first parameter, so its index is still valid.
            fields.insert((name, node), at: first ?? fields.endIndex)
        }
    }

    /// The parameters of one list, followed by the parameters of another.
    public static func + (left: Parameters, right: Parameters) -> Parameters {
        var result = left
        result.fields += right.fields
        result.omitsNil = left.omitsNil || right.omitsNil
        return result
    }

    /// Returns the default parameters whose names are not used here, followed by these.
    func overriding(_ defaults: Parameters) -> Parameters {
        guard !defaults.isEmpty else { return self }
        // Names are compared by their bytes, since Swift considers the two spellings of é equal.
        var names: Set<[UInt8]> = []
        for field in fields { names.insert(Array(field.name.utf8)) }
        var result = Parameters()
        result.omitsNil = defaults.omitsNil || omitsNil
        for field in defaults.fields where !names.contains(Array(field.name.utf8)) { result.fields.append(field) }
        result.fields += fields
        return result
    }

    /// Whether there is a file among the values, at any depth.
    var holdsFile: Bool {
        fields.contains { $0.value.holdsFile }
    }
}

// MARK: - Equality, collection, literals, text

extension Parameters: Equatable {
    /// Whether two lists hold the same parameters in the same order. A list whose values are all nil is not equal to an
    /// empty one, which a ``JSONRequest`` does not send.
    public static func == (left: Parameters, right: Parameters) -> Bool {
        guard left.fields.elementsEqual(right.fields, by: ==) else { return false }
        return !left.isEmpty || left.omitsNil == right.omitsNil
    }
}

extension Parameters: RandomAccessCollection {
    /// The position of the first parameter.
    public var startIndex: Int { fields.startIndex }
    /// The position after the last parameter.
    public var endIndex: Int { fields.endIndex }
    /// The parameter at a position.
    public subscript(position: Int) -> Element { fields[position] }
}

extension Parameters: ExpressibleByDictionaryLiteral {
    /// Creates a list in the literal's order; a nil value is left out.
    public init(dictionaryLiteral elements: (String, (any ParameterValue)?)...) {
        fields.reserveCapacity(elements.count)
        // Values are taken from the end of the array, since a loop over it would copy each value.
        var elements = elements
        while let (name, value) = elements.popLast() { append(value, for: name) }
        fields.reverse()
    }
}

extension Parameters: CustomStringConvertible {
    /// The parameters as a query, with secrets masked.
    public var description: String {
        var encoder = QueryEncoder(.query, style: ParameterStyle())
        do throws(RequestError) {
            try encoder.append(self)
        } catch {
            return "(\(error.message))"
        }
        return Masking.masked(String(decoding: encoder.bytes, as: UTF8.self))
    }
}
