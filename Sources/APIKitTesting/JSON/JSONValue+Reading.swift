package import APIKitCore

extension JSONValue {
    /// Reads a text (RFC 8259); nil if it is not JSON, is nested more than 100 levels deep, or names a member twice.
    package init?(_ data: Data) {
        guard let document = try? JSONReader().document(data) else { return nil }
        self.init(document, 0, depth: 100)
    }

    private init?(_ document: JSONDocument, _ cell: Int, depth: Int) {
        guard depth > 0 else { return nil }
        switch document.kind(of: cell) {
        case UInt8(ascii: "\""): self = .string(document.string(cell))
        case UInt8(ascii: "t"): self = .literal("true")
        case UInt8(ascii: "f"): self = .literal("false")
        case UInt8(ascii: "n"): self = .literal("null")
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            let isObject = document.kind(of: cell) == UInt8(ascii: "{")
            let contents = document.contents(of: cell)
            var (members, next): ([Member], Int) = ([], contents.lowerBound)
            while next < contents.upperBound {
                let name = isObject ? document.string(next) : ""
                if isObject { next += 1 }
                guard let value = JSONValue(document, next, depth: depth - 1) else { return nil }
                members.append((name, value))
                next = document.cell(after: next)
            }
            if isObject, Set(members.map { Array($0.name.utf8) }).count < members.count { return nil }
            self = isObject ? .object(members) : .list(members.map(\.value))
        default: self = .literal(document.number(cell))
        }
    }
}
