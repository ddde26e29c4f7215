extension Object {
    /// The members that an object has for some uses, in the order of their declarations.
    ///
    /// A `readOnly` member only exists in values that are read, and a `writeOnly` member only in values that are sent.
    /// A model that is used for both has both, and they are optional. Members such as `object: "list"`, which only name
    /// the type, are left out if the values are only read: see ``Uses/leavesOutConstants(isVariant:isCodable:)``.
    ///
    /// - Parameters:
    ///   - uses: What the object's values are used for.
    ///   - isVariant: Whether a union has to distinguish the object from its other variants without a tag.
    ///   - isCodable: Whether models that are only read can also be encoded, as the option `--codable` demands.
    /// - Returns: The members that its Swift type has properties for.
    func members(for uses: Uses, isVariant: Bool = false, isCodable: Bool) -> [Member] {
        let isRead = uses.isRead
        var isSent = uses.isWritten
        // With the option `--codable`, models that are read can also be encoded, but they are not sent.
        if isRead, isCodable { isSent = false }
        let omitsConstants = uses.leavesOutConstants(isVariant: isVariant, isCodable: isCodable)
        var members: [Member] = []
        for var member in self.members.values {
            if member.isReadOnly, !isRead { continue }
            if member.isWriteOnly, !isSent { continue }
            if omitsConstants, member.namesItsType { continue }
            let isInOneDirection = member.isReadOnly || member.isWriteOnly
            if isRead, isSent, isInOneDirection { member.isRequired = false }
            members.append(member)
        }
        return Self.sorted(members, isRead: isRead)
    }

    /// Sorts members for their declaration.
    ///
    /// In a request, required members come first. In a model that is read, the sections of ``MemberOrder`` come first,
    /// and only in the section `content` do required members come before others.
    private static func sorted(_ members: [Member], isRead: Bool) -> [Member] {
        struct Entry {
            let member: Member
            let order: MemberOrder
        }
        let entries = members.map { Entry(member: $0, order: MemberOrder($0.name, $0.schema.kind)) }
        let sorted = entries.sorted { first, second in
            let areContents = first.order.section == .content && second.order.section == .content
            let requiredComesFirst = !isRead || areContents
            let differInRequired = first.member.isRequired != second.member.isRequired
            if requiredComesFirst, differInRequired { return first.member.isRequired }
            return first.order < second.order
        }
        return sorted.map(\.member)
    }
}

extension Object.Member {
    /// Whether the member's text is always the same and names the type of its object, as in `object: "list"`.
    var namesItsType: Bool {
        guard case .constant = schema.kind else { return false }
        return ["object", "type", "kind"].contains(Words(name).words.last)
    }
}

extension Uses {
    /// Whether models with these uses have no properties for members such as `object: "list"`, whose text is always the
    /// same: the Swift type carries the same information.
    ///
    /// The members stay in models that are written, and in the variants of a union that may need them to tell its
    /// objects apart.
    func leavesOutConstants(isVariant: Bool, isCodable: Bool) -> Bool {
        !isWritten && !isVariant && !isCodable
    }
}
