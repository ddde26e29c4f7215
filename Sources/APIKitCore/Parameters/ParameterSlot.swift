/// What an Encodable value has encoded so far: a value, or a list or object that still grows. A caller that asks for a
/// container at the same place again fills the same slot, as with JSONEncoder.
final class ParameterSlot {
    /// A member or an element.
    enum Element {
        case node(ParameterNode)
        /// Made into a node when all is encoded.
        case slot(ParameterSlot)
    }

    private enum Kind {
        case empty
        case value(ParameterNode)
        case list
        case object
        /// It was encoded as two things that no value can be at once.
        case ambiguous
    }

    private var kind = Kind.empty
    private var elements: [Element] = []
    /// The members' names, and where each is, so that the time to add one does not grow with their number.
    private var names: [String] = []
    private var positions: [String: Int] = [:]
    /// Whether members are sorted by name: those of a dictionary, so that the wire is the same each time.
    var isSorted = false

    var count: Int { elements.count }

    func setValue(_ node: ParameterNode) {
        if case .empty = kind { kind = .value(node) } else { kind = .ambiguous }
    }

    func becomeList() {
        switch kind {
        case .empty: kind = .list
        case .value(let node):
            guard case .list(let nodes) = node.content else {
                kind = .ambiguous
                return
            }
            kind = .list
            elements = nodes.map(Element.node)
        case .list, .ambiguous: break
        case .object: kind = .ambiguous
        }
    }

    func becomeObject() {
        switch kind {
        case .empty: kind = .object
        case .value(let node):
            guard case .object(let members) = node.content else {
                kind = .ambiguous
                return
            }
            kind = .object
            for member in members { set(member.name, .node(member.value)) }
        case .object, .ambiguous: break
        case .list: kind = .ambiguous
        }
    }

    /// Adds an element to a list.
    func append(_ element: Element) {
        elements.append(element)
    }

    /// Sets a member of an object; the last one of a name counts, as with JSONEncoder.
    func set(_ name: String, _ element: Element) {
        if let position = positions[name] {
            elements[position] = element
        } else {
            positions[name] = elements.count
            names.append(name)
            elements.append(element)
        }
    }

    /// The slot of a member, which a container fills from now on, beside what is there already.
    func member(_ name: String) -> ParameterSlot {
        let slot = ParameterSlot()
        if let position = positions[name] {
            switch elements[position] {
            case .slot(let slot): return slot
            case .node(let node): slot.setValue(node)
            }
        }
        set(name, .slot(slot))
        return slot
    }

    func node() -> ParameterNode {
        switch kind {
        case .empty: return ParameterNode(.object([:]))
        case .value(let node): return node
        case .list: return ParameterNode(.list(elements.map(\.node)))
        case .object:
            var members = zip(names, elements).map { ($0, $1.node as any ParameterValue) }
            if isSorted { members.sort { $0.0 < $1.0 } }
            return ParameterNode(.object(Parameters(members)))
        case .ambiguous: return ParameterNode(.invalid("it is encoded as several things that are not one value"))
        }
    }
}

extension ParameterSlot.Element {
    var node: ParameterNode {
        switch self {
        case .node(let node): node
        case .slot(let slot): slot.node()
        }
    }
}
