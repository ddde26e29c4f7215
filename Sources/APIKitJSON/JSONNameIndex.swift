import APIKitSupport

/// Finds the members of an object by their coding keys.
///
/// A *name* is a member's name as the text spells it, such as `avatar_url`. A *key* is the coding key that the key
/// strategy converts it to: `avatarUrl` with `convertFromSnakeCase`. With that strategy, two more spellings find the
/// member: the unconverted name, and the key with acronyms in capitals, `avatarURL`.
final class JSONNameIndex {
    private struct Member {
        /// The member's name in the document.
        let nameCell: JSONCell
        /// Where the bytes of the member's key are in `keyBytes`.
        let keyRange: Range<Int>
    }

    private let document: JSONDocument
    /// The members in the order of the text.
    private let members: [Member]
    /// The bytes of all keys, one after another, so that the keys need one allocation.
    private let keyBytes: [UInt8]
    /// The positions of the members in `members`, by the hashes of their keys.
    private let positionsByKey: HashTable
    /// The positions of the members in `members`, by the hashes of their lowercased keys. Keys that differ only in the
    /// case of their letters share a hash here.
    private lazy var positionsByLowercasedKey = HashTable(count: members.count) { position in
        Self.hashOfLowercased(key(of: members[position]))
    }
    /// How many comparisons with keys in another spelling were made. See `hasComparisonsLeft`.
    private var comparisonCount = 0

    /// How many comparisons with another spelling there may be for each member of the object.
    ///
    /// A malicious text can have many names that differ only in spelling. If a model also takes the keys that it looks
    /// up from the text, comparing all of them would take quadratic time. A model with fixed keys does not reach the
    /// limit, since each of its keys is compared with other members.
    private static let maximumComparisonsPerMember = 64
    /// The space reserved for each key. Most keys are shorter; for longer ones the array grows.
    private static let expectedKeyLength = 16

    /// Creates an index of an object's members: converts all names to keys, and hashes the keys.
    init(_ document: JSONDocument, _ object: JSONCell) {
        let nameCells = document.names(of: object)
        var members: [Member] = []
        members.reserveCapacity(nameCells.count)
        var keyBytes: [UInt8] = []
        keyBytes.reserveCapacity(Self.expectedKeyLength * nameCells.count)
        for nameCell in nameCells {
            let start = keyBytes.count
            document.appendKey(ofName: nameCell, in: object, to: &keyBytes)
            members.append(Member(nameCell: nameCell, keyRange: start..<keyBytes.count))
        }
        self.document = document
        self.members = members
        self.keyBytes = keyBytes
        positionsByKey = HashTable(count: members.count) { position in
            let key = keyBytes[members[position].keyRange]
            return key.withUnsafeBytes(Self.hash)
        }
    }

    private func key(of member: Member) -> ArraySlice<UInt8> { keyBytes[member.keyRange] }

    /// The keys in the order of the text. A key that several members have appears once.
    var distinctKeys: [String] {
        var distinct: [String] = []
        for member in members where isFirstWithItsKey(member) {
            distinct.append(String(decoding: key(of: member), as: UTF8.self))
        }
        return distinct
    }

    /// Whether no earlier member has the same key.
    private func isFirstWithItsKey(_ member: Member) -> Bool {
        let first = key(of: member).withUnsafeBufferPointer { key in nameCell(withKey: key) }
        return first == member.nameCell
    }

    // MARK: - Finding a name

    /// Finds the name of the member that a coding key refers to; nil if there is no such member.
    ///
    /// With `convertFromSnakeCase`, the key may also be the unconverted name or have acronyms in capitals: `avatar_url`
    /// and `avatarURL` find the name `avatar_url`, as `avatarUrl` does.
    func nameCell(for key: Bytes) -> JSONCell? {
        if let nameCell = nameCell(withKey: key) { return nameCell }
        guard document.convertsSnakeCase else { return nil }
        if key.hasUnderscoreWithin { return nameCell(spelledAs: key) }
        if key.hasAcronym { return nameCell(withAcronymKey: key) }
        return nil
    }

    /// Finds the first name that the key strategy converts to the given key.
    private func nameCell(withKey key: Bytes) -> JSONCell? {
        var candidate = positionsByKey.firstPosition(withHash: Self.hash(UnsafeRawBufferPointer(key)))
        while let position = candidate {
            let member = members[position]
            let isEqual = member.keyRange.count == key.count && self.key(of: member).elementsEqual(key)
            if isEqual { return member.nameCell }
            candidate = positionsByKey.nextPosition(after: position)
        }
        return nil
    }

    /// Finds the first name that is spelled exactly as the given key: `avatar_url` for a model that declares
    /// `case avatar_url` although the key strategy converts names.
    ///
    /// The hash table only has converted keys. So the search looks up the members with the key `avatarUrl`, and
    /// compares their unconverted names with `avatar_url`. It gives up once the index has made too many such
    /// comparisons; see `maximumComparisonsPerMember`.
    private func nameCell(spelledAs key: Bytes) -> JSONCell? {
        var converted: [UInt8] = []
        converted.appendCamelCase(key)
        var candidate = positionsByKey.firstPosition(withHash: converted.withUnsafeBytes(Self.hash))
        while let position = candidate, hasComparisonsLeft {
            comparisonCount += 1
            // A name with escapes is compared by the characters that they stand for.
            let nameCell = members[position].nameCell
            if document.string(nameCell).utf8.elementsEqual(key) { return nameCell }
            candidate = positionsByKey.nextPosition(after: position)
        }
        return nil
    }

    /// Finds the first name whose key differs from the given one only in the case of acronyms: for `avatarURL`, a name
    /// with the key `avatarUrl`. Gives up once the index has made too many such comparisons.
    private func nameCell(withAcronymKey key: Bytes) -> JSONCell? {
        var candidate = positionsByLowercasedKey.firstPosition(withHash: Self.hashOfLowercased(key))
        while let position = candidate, hasComparisonsLeft {
            comparisonCount += 1
            let member = members[position]
            if key.isEqualExceptForAcronyms(to: self.key(of: member)) { return member.nameCell }
            candidate = positionsByLowercasedKey.nextPosition(after: position)
        }
        return nil
    }

    /// Whether the limit of comparisons has not been reached, which protects against a text whose names were chosen to
    /// make the search slow. After that, only exact keys are found.
    private var hasComparisonsLeft: Bool {
        // The comparisons are divided, since a product with the number of members may overflow an `Int` of 32 bits.
        comparisonCount / Self.maximumComparisonsPerMember < members.count
    }

    // MARK: - Hashes

    // `Hasher` has another seed in each process, so nobody can construct a text whose names all have the same hash.

    private static func hash(_ key: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: key)
        return hasher.finalize()
    }

    private static func hashOfLowercased(_ key: some Sequence<UInt8>) -> Int {
        key.map(\.lowercasedASCII).withUnsafeBytes(hash)
    }
}

extension JSONDocument {
    /// Appends the coding key that the key strategy converts a name to.
    fileprivate func appendKey(ofName nameCell: JSONCell, in object: JSONCell, to keyBytes: inout [UInt8]) {
        let hasCustomStrategy = !usesDefaultKeys && !convertsSnakeCase
        if hasCustomStrategy || isEscaped(nameCell) {
            keyBytes += reader.keys.converted(string(nameCell), path(toContainer: object)).utf8
            return
        }
        // The built-in strategies work on the bytes of the text, which saves a `String` for each name.
        let name = bytes(ofString: nameCell)
        if convertsSnakeCase {
            keyBytes.appendCamelCase(name)
        } else {
            keyBytes.append(contentsOf: name)
        }
    }
}
