/// Finds the members of an object by their coding keys.
///
/// A *name* is a member's name as the text spells it. A *key* is the coding key that the key strategy converts it to.
/// With `convertFromSnakeCase`, two more spellings are found: the unconverted name (`avatar_url`), and the key with
/// acronyms in capitals (`avatarURL`).
final class JSONNameIndex {
    private struct Member {
        let nameCell: JSONCell
        /// Where the bytes of the member's key are in `keyBytes`.
        let keyRange: Range<Int>
    }

    private let document: JSONDocument
    /// The members in the order of the text.
    private let members: [Member]
    /// The bytes of all keys, one after another, so that the keys need one allocation.
    private let keyBytes: [UInt8]
    /// The positions in `members`, by the keys.
    private let positionsByKey: HashTable
    /// The positions in `members`, by the lowercased keys. Keys that differ only in the case of their letters share a
    /// hash here.
    private lazy var positionsByLowercasedKey = HashTable(count: members.count) { position in
        Self.hashOfLowercased(key(of: members[position]))
    }
    /// How many members have been compared with keys in another spelling.
    private var comparisons = 0

    /// How many comparisons with another spelling there may be for each member of the object.
    ///
    /// A malicious text can have many names that differ only in spelling. If a model also takes the keys that it looks
    /// up from the text, comparing all of them would take quadratic time. A model with fixed keys does not reach the
    /// limit, since each of its keys is compared with other members.
    private static let maximumComparisonsPerMember = 64
    /// The space reserved for each key. Most keys are shorter; for longer ones the array grows.
    private static let expectedKeyLength = 16

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

    /// The cell of the name that a coding key refers to; nil if there is no such name.
    func nameCell(for key: Bytes) -> JSONCell? {
        if let nameCell = nameCell(withKey: key) { return nameCell }
        guard document.convertsSnakeCase else { return nil }
        if key.hasUnderscoreWithin { return nameCell(spelledAs: key) }
        if key.hasAcronym { return nameCell(withAcronymKey: key) }
        return nil
    }

    /// The first name whose key is the given one.
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

    /// The first name that is spelled exactly as the given key, such as `avatar_url`.
    ///
    /// Converting the given key yields the key of that name, under which the member is found.
    private func nameCell(spelledAs key: Bytes) -> JSONCell? {
        var converted: [UInt8] = []
        converted.appendCamelCase(key)
        var candidate = positionsByKey.firstPosition(withHash: converted.withUnsafeBytes(Self.hash))
        while let position = candidate, mayCompare {
            comparisons += 1
            let nameCell = members[position].nameCell
            if document.string(nameCell).utf8.elementsEqual(key) { return nameCell }
            candidate = positionsByKey.nextPosition(after: position)
        }
        return nil
    }

    /// The first name whose key differs from the given one only in the case of acronyms: `avatarUrl` for `avatarURL`.
    private func nameCell(withAcronymKey key: Bytes) -> JSONCell? {
        var candidate = positionsByLowercasedKey.firstPosition(withHash: Self.hashOfLowercased(key))
        while let position = candidate, mayCompare {
            comparisons += 1
            let member = members[position]
            if key.isEqualExceptForAcronyms(to: self.key(of: member)) { return member.nameCell }
            candidate = positionsByLowercasedKey.nextPosition(after: position)
        }
        return nil
    }

    private var mayCompare: Bool { comparisons / Self.maximumComparisonsPerMember < members.count }

    // MARK: - Hashes

    // `Hasher` is seeded anew in each process, so nobody can construct a text whose names all have the same hash.

    private static func hash(_ key: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: key)
        return hasher.finalize()
    }

    private static func hashOfLowercased(_ key: some Sequence<UInt8>) -> Int {
        key.map(\.lowercased).withUnsafeBytes(hash)
    }
}

extension JSONDocument {
    /// Appends the coding key that the key strategy converts a name to.
    fileprivate func appendKey(ofName nameCell: JSONCell, in object: JSONCell, to keyBytes: inout [UInt8]) {
        // The built-in strategies work on the bytes of the text, which saves a `String` for each name.
        let isConvertedByBytes = usesDefaultKeys || convertsSnakeCase
        guard isConvertedByBytes, !isEscaped(nameCell) else {
            keyBytes += reader.keys.converted(string(nameCell), path(toContainer: object)).utf8
            return
        }
        text.withBytes(bytes(ofString: nameCell)) { name in
            if convertsSnakeCase {
                keyBytes.appendCamelCase(name)
            } else {
                keyBytes.append(contentsOf: name)
            }
        }
    }
}

extension Bytes {
    /// Whether there is an underscore between other characters.
    fileprivate var hasUnderscoreWithin: Bool {
        guard let words = rangeWithoutOuterUnderscores else { return false }
        return self[words].contains(.underscore)
    }

    /// Whether there are two capitals in a row.
    fileprivate var hasAcronym: Bool {
        zip(self, dropFirst()).contains { $0.isCapital && $1.isCapital }
    }

    /// Whether the key equals another one in which acronyms are capitalized like words: `avatarURL` equals `avatarUrl`.
    fileprivate func isEqualExceptForAcronyms(to key: ArraySlice<UInt8>) -> Bool {
        guard count == key.count else { return false }
        var previous: UInt8 = 0
        for (byte, other) in zip(self, key) {
            // The first capital of an acronym stays a capital; only those after it may be small letters.
            let isWithinAcronym = previous.isCapital && byte.isCapital
            let isSpelledSmall = isWithinAcronym && byte.lowercased == other
            guard byte == other || isSpelledSmall else { return false }
            previous = byte
        }
        return true
    }
}
