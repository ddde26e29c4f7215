extension Parameters {
    /// A parameter's value in the form that a query, a form or JSON is written from. ``ParameterValue`` types create
    /// it.
    public struct Node: Sendable, Equatable {
        enum Content: Sendable, Equatable {
            case null
            /// A value that is left out, as nil is.
            case absent
            case text(String)
            /// The digits of a finite number, valid in JSON too.
            case number(String)
            case boolean(Bool)
            /// A date with a style of its own, or nil for the style of the request.
            indirect case date(Date, ParameterStyle.Dates?)
            /// A list with a notation of its own, or nil for the one of the request.
            case list([Node], ParameterStyle.Lists?)
            /// An object with a notation of its own, or nil for the one of the request.
            case object(Parameters, ParameterStyle.Members?)
            /// A name without a value.
            case flag
            indirect case file(FilePart)
            /// A value that cannot be sent, and why.
            case invalid(String)
        }

        let content: Content
        /// The number of nested lists and objects.
        private let depth: Int

        /// The maximum number of nested lists and objects. The functions that write them are recursive: each level
        /// takes up to 4 KiB of stack in a debug build, and a thread may have no more than 512 KiB.
        static let maximumDepth = 100
        static let tooDeep = Node(.invalid("more than \(maximumDepth) lists and objects are nested"))

        /// Creates a node. One that is nested too deeply is an error when it is sent.
        init(_ content: Content) {
            var depth = 0
            switch content {
            case .list(let nodes, _):
                for node in nodes { depth = Swift.max(depth, node.depth) }
                depth += 1
            case .object(let members, _):
                for member in members.fields { depth = Swift.max(depth, member.value.depth) }
                depth += 1
            case .null, .absent, .text, .number, .boolean, .date, .file, .flag, .invalid:
                break
            }
            guard depth <= Self.maximumDepth else {
                self = .tooDeep
                return
            }
            self.content = content
            self.depth = depth
        }

        /// Creates a list, without the nodes that are left out.
        init(list nodes: [Node], as style: ParameterStyle.Lists? = nil) {
            self.init(.list(nodes.filter { !$0.isAbsent }, style))
        }

        var isAbsent: Bool {
            if case .absent = content { true } else { false }
        }

        /// The text, if it is one.
        package var text: String? {
            if case .text(let text) = content { text } else { nil }
        }

        /// Whether this is a file, or a list or an object with a file at any depth.
        @inline(never)
        var holdsFile: Bool {
            switch content {
            case .file: true
            case .list(let nodes, _): nodes.contains(where: \.holdsFile)
            case .object(let members, _): members.holdsFile
            case .null, .absent, .text, .number, .boolean, .date, .flag, .invalid: false
            }
        }
    }
}

extension Parameters.Node: ParameterValue {
    /// The node itself.
    public var parameterNode: Parameters.Node { self }
}

extension ParameterValue where Self == Parameters.Node {
    /// A null: `null` in JSON, an empty value in a query or a form.
    public static var null: Parameters.Node { Parameters.Node(.null) }

    /// A name without a value: `["archived": .flag]` is `?archived` in a query, and true in JSON.
    public static var flag: Parameters.Node { Parameters.Node(.flag) }

    // Disfavored, so that in `.list(names.flatMap { … })` the compiler chooses the `flatMap` that joins lists, and not
    // the deprecated one that was renamed to `compactMap`. Where an optional is expected, as in a `Parameters` literal,
    // the functions of `Optional` below are needed for the same.
    /// A list of values of any types; nil is left out.
    ///
    /// - Parameters:
    ///   - values: The values.
    ///   - style: The notation, which overrides the request's ``ParameterStyle/lists``: `.list(ids, as: .commas)`.
    ///     It also applies to lists within the list.
    /// - Returns: The list.
    @_disfavoredOverload
    public static func list(
        _ values: [(any ParameterValue)?], as style: ParameterStyle.Lists? = nil
    ) -> Parameters.Node {
        Parameters.Node(list: values.compactMap { $0?.parameterNode }, as: style)
    }

    /// A list of values of one type.
    ///
    /// - Parameters:
    ///   - values: The values.
    ///   - style: The notation, which overrides the request's ``ParameterStyle/lists``: `.list(ids, as: .commas)`.
    ///     It also applies to lists within the list.
    /// - Returns: The list.
    public static func list(
        _ values: some Sequence<some ParameterValue>, as style: ParameterStyle.Lists? = nil
    ) -> Parameters.Node {
        Parameters.Node(list: values.map { $0.parameterNode }, as: style)
    }

    /// A date with a style of its own, which overrides the request's ``ParameterStyle/dates``.
    public static func date(_ date: Date, as style: ParameterStyle.Dates) -> Parameters.Node {
        Parameters.Node(.date(date, style))
    }

    /// An object with members of any types, in order.
    ///
    /// - Parameters:
    ///   - members: The members.
    ///   - style: The notation, which overrides the request's ``ParameterStyle/members``: `.object(user, as: .dots)`.
    ///     It also applies to objects within the object.
    /// - Returns: The object.
    public static func object(_ members: Parameters, as style: ParameterStyle.Members? = nil) -> Parameters.Node {
        // Without `omitsNil`, so that equal objects are equal values: an object is sent even if it has no members.
        Parameters.Node(.object(Parameters(fields: members.fields), style))
    }
}

extension Optional where Wrapped == any ParameterValue {
    // These repeat the functions above for a `Parameters` literal and `append(_:for:)`, which take optionals. Without
    // them, `.list(groups.flatMap { $0.members })` would be a list of lists there.
    /// A list of values of any types; nil is left out.
    @_disfavoredOverload
    public static func list(_ values: [(any ParameterValue)?], as style: ParameterStyle.Lists? = nil) -> Self {
        Parameters.Node.list(values, as: style)
    }

    /// A list of values of one type.
    public static func list(
        _ values: some Sequence<some ParameterValue>, as style: ParameterStyle.Lists? = nil
    ) -> Self {
        Parameters.Node.list(values, as: style)
    }
}
