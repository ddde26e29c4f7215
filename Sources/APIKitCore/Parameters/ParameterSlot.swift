/// The place of a value while it is being encoded: a plain value, or a list or an object that still grows. A caller
/// that requests a container for the same place again fills the same slot, as with JSONEncoder.
final class ParameterSlot {
    private enum Kind {
        case empty, value, list, object
        /// Encoded as several things that no value can be at once.
        case ambiguous
    }

    private var kind = Kind.empty
    private var value = Parameters.Node.null
    /// The elements of a list, whose names are empty, or the members of an object.
    private var elements: [(name: String, slot: ParameterSlot)] = []
    /// The index of each member, so that the time to find one does not grow with their number.
    private var positions: [String: Int] = [:]
    /// Whether the members are sorted by name.
    var isSorted = false

    init() {}

    init(_ node: Parameters.Node) {
        setValue(node)
    }

    var count: Int { elements.count }

    func setValue(_ node: Parameters.Node) {
        kind = kind == .empty ? .value : .ambiguous
        value = node
    }

    func becomeList() {
        if kind == .value, case .list(let nodes) = value.content {
            kind = .list
            for node in nodes { append(ParameterSlot(node)) }
        } else {
            become(.list)
        }
    }

    func becomeObject() {
        if kind == .value, case .object(let members) = value.content {
            kind = .object
            for member in members { setMember(ParameterSlot(member.value), named: member.name) }
        } else {
            become(.object)
        }
    }

    private func become(_ container: Kind) {
        kind = kind == .empty || kind == container ? container : .ambiguous
    }

    /// Appends an element to a list.
    func append(_ slot: ParameterSlot) {
        elements.append(("", slot))
    }

    /// Sets a member of an object, replacing one of the same name, as JSONEncoder does.
    func setMember(_ slot: ParameterSlot, named name: String) {
        if let position = positions[name] {
            elements[position].slot = slot
        } else {
            positions[name] = elements.count
            elements.append((name, slot))
        }
    }

    /// The slot of a member, to which a nested container adds.
    func member(named name: String) -> ParameterSlot {
        if let position = positions[name] { return elements[position].slot }
        let slot = ParameterSlot()
        setMember(slot, named: name)
        return slot
    }

    func node() -> Parameters.Node {
        switch kind {
        case .empty: return .object([:])
        case .value: return value
        case .list: return Parameters.Node(.list(elements.map { $0.slot.node() }))
        case .object:
            var members = elements.map { Parameters.Field(name: $0.name, node: $0.slot.node()) }
            if isSorted { members.sort { $0.name < $1.name } }
            return .object(Parameters(members))
        case .ambiguous: return Parameters.Node(.invalid("it is encoded as several things that are not one value"))
        }
    }
}
