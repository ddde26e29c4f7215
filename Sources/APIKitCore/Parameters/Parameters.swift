/// The parameters of a request, in order, written as a dictionary literal. A nil value is left out; names may repeat.
///
/// ```swift
/// var parameters: Parameters { ["since": since, "per_page": 100, "sort": Sort.created, "tags": ["a", "b"]] }
/// ```
///
/// They go into the query or the body, as the method says (``HTTPMethod/sendsParametersInQuery``). How lists, members,
/// Bools and dates are written is the ``APIRequest/parameterStyle``.
public struct Parameters: Sendable, Hashable {
    /// One parameter: a name and a value.
    public struct Field: Sendable, Hashable {
        /// The parameter's name, unencoded.
        public let name: String
        /// The parameter's value.
        public let value: ParameterNode

        /// Makes a parameter of a name and a value.
        public init(name: String, value: any ParameterValue) {
            self.name = name
            self.value = value.parameterNode
        }
    }

    private var fields: [Field] = []
    /// Whether there were parameters that are not here, since they are nil. Equality ignores it.
    var omitsNil = false

    /// Makes an empty list.
    public init() {}

    /// Makes a list of names and values, in their order.
    public init(_ elements: some Sequence<(String, any ParameterValue)>) {
        fields = elements.map(Field.init(name:value:))
    }

    /// Adds a parameter behind the others, also when there is one of that name already; nil adds nothing.
    public mutating func append(_ name: String, _ value: (any ParameterValue)?) {
        if let value { fields.append(Field(name: name, value: value)) } else { omitsNil = true }
    }

    /// The parameters of one list, then those of another.
    public static func + (left: Parameters, right: Parameters) -> Parameters {
        var result = left
        result.fields += right.fields
        result.omitsNil = left.omitsNil || right.omitsNil
        return result
    }

    /// These parameters behind the `standard` ones, which give way to any of the same name.
    func overriding(_ standard: Parameters) -> Parameters {
        guard !standard.isEmpty else { return self }
        let names = Set(fields.map { Array($0.name.utf8) })
        var result = standard
        result.fields.removeAll { names.contains(Array($0.name.utf8)) }
        return result + self
    }

    /// Whether a file is among the values, however deep.
    var holdsFile: Bool {
        fields.contains { $0.value.holdsFile }
    }
}

// MARK: - Equality, collection, literals, text

extension Parameters {
    /// Whether two lists hold the same parameters in the same order.
    public static func == (left: Parameters, right: Parameters) -> Bool {
        left.fields == right.fields
    }

    /// Hashes the parameters.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(fields)
    }
}

extension Parameters: RandomAccessCollection {
    /// The position of the first parameter.
    public var startIndex: Int { fields.startIndex }
    /// The position behind the last parameter.
    public var endIndex: Int { fields.endIndex }
    /// The parameter at a position.
    public subscript(position: Int) -> Field { fields[position] }
}

extension Parameters: ExpressibleByDictionaryLiteral {
    /// Makes a list in the literal's order; a nil value is left out.
    public init(dictionaryLiteral elements: (String, (any ParameterValue)?)...) {
        fields.reserveCapacity(elements.count)
        for (name, value) in elements {
            append(name, value)
        }
    }
}

extension Parameters.Field: CustomStringConvertible {
    /// The parameter as a query, a secret one masked.
    public var description: String { Parameters([(name, value)]).description }
}

extension Parameters: CustomStringConvertible {
    /// The parameters as a query, with secrets masked.
    public var description: String {
        var encoder = QueryEncoder(style: ParameterStyle(), encoding: .query)
        do throws(RequestError) {
            try encoder.append(self)
        } catch {
            return "(\(error.message))"
        }
        return Masking.text(String(decoding: encoder.bytes, as: UTF8.self))
    }
}
