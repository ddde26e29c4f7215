import OpenAPIRules
import Testing

@Suite struct NodeTests {
    /// More members than are found without an index.
    private static let names = (0..<20).map { "name\($0)" }

    private func members(_ names: some Sequence<String>) -> Node.Members {
        var members: Node.Members = [:]
        for name in names { members[name] = Node(.text(name)) }
        return members
    }

    @Test(arguments: [0, 1, 8, 9, 20])
    func membersAreFoundAndKeepTheirOrder(count: Int) {
        let names = Self.names.prefix(count)
        let members = members(names)
        #expect(members.keys == Array(names))
        #expect(members.values.map(\.string) == Array(names))
        #expect(names.allSatisfy { members[$0]?.string == $0 })
        #expect(members["other"] == nil)
    }

    @Test(arguments: [3, 8, 9, 10, 20])
    func removedMemberIsNotFound(count: Int) {
        let names = Self.names.prefix(count)
        var members = members(names)
        #expect(members.removeValue(forKey: "name1")?.string == "name1")
        members["name2"] = nil
        #expect(members.keys == names.filter { $0 != "name1" && $0 != "name2" })
        #expect(members["name1"] == nil)
        #expect(members.keys.allSatisfy { members[$0]?.string == $0 })
    }

    @Test func newValueReplacesTheOneOfItsName() {
        var members = members(["a", "b"])
        #expect(members.updateValue(Node(.null), forKey: "a")?.string == "a")
        #expect(members.keys == ["a", "b"])
        #expect(members["a"] == Node(.null))
    }

    @Test func orderAndLinesDoNotMatterForEquality() {
        let node = Node(.object(members(Self.names)), line: 1)
        #expect(node == Node(.object(members(Self.names.reversed())), line: 2))
        #expect(node != Node(.object(members(Self.names.dropLast()))))
    }
}
