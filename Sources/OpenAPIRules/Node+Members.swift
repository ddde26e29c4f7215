extension Node {
    /// The members of an object, in the order of the text. Each name occurs once.
    ///
    /// Two objects with the same members in another order are equal, since that order has no meaning in a description.
    public struct Members: Sendable {
        /// A name and its value.
        public typealias Element = (key: String, value: Node)

        private var list: [Element] = []
        /// The positions of the members in the list by their names; empty for a few members, which are found as fast
        /// without it.
        private var positions: [String: Int] = [:]

        private static let countWithoutPositions = 8

        /// Creates an object without members.
        public init() {}

        /// The names, in the order of the text.
        public var keys: [String] { list.map(\.key) }
        /// The values, in the order of the text.
        public var values: [Node] { list.map(\.value) }

        /// The value of a member; nil if there is none. Setting nil removes the member.
        public subscript(name: String) -> Node? {
            get { position(of: name).map { list[$0].value } }
            set {
                if let newValue {
                    updateValue(newValue, forKey: name)
                } else {
                    removeValue(forKey: name)
                }
            }
        }

        /// Sets the value of a member. A new one becomes the last one.
        ///
        /// - Returns: The value that the member had; nil if it is new.
        @discardableResult
        public mutating func updateValue(_ value: Node, forKey name: String) -> Node? {
            if let position = position(of: name) {
                let earlier = list[position].value
                list[position].value = value
                return earlier
            }
            append((name, value))
            return nil
        }

        /// Removes a member, and returns its value; nil if there is none.
        @discardableResult
        public mutating func removeValue(forKey name: String) -> Node? {
            guard let position = position(of: name) else { return nil }
            var remaining = list
            let removed = remaining.remove(at: position)
            self = Members()
            for member in remaining { append(member) }
            return removed.value
        }

        /// Adds a member with a name that no other one has.
        private mutating func append(_ member: Element) {
            list.append(member)
            if list.count == Self.countWithoutPositions + 1 {
                for (position, member) in list.enumerated() { positions[member.key] = position }
            } else if list.count > Self.countWithoutPositions {
                positions[member.key] = list.count - 1
            }
        }

        private func position(of name: String) -> Int? {
            if list.count > Self.countWithoutPositions { return positions[name] }
            return list.firstIndex { $0.key == name }
        }
    }
}

extension Node.Members: RandomAccessCollection {
    /// The position of the first member.
    public var startIndex: Int { 0 }
    /// The position after the last member.
    public var endIndex: Int { list.count }

    /// The member at a position.
    public subscript(position: Int) -> Element { list[position] }
}

extension Node.Members: Equatable {
    /// Whether both have the same members, in any order.
    public static func == (left: Node.Members, right: Node.Members) -> Bool {
        left.count == right.count && left.allSatisfy { right[$0.key] == $0.value }
    }
}

extension Node.Members: ExpressibleByDictionaryLiteral {
    /// Creates an object of the members in a literal. Of several members of one name, the last one counts.
    public init(dictionaryLiteral elements: (String, Node)...) {
        for (name, node) in elements { updateValue(node, forKey: name) }
    }
}
