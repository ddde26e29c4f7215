/// Finds the members of an object by their keys: a table of the names' cells, at the places that the keys' hashes name.
struct JSONNameIndex {
    let object: Int
    /// The cells, 0 for a free place; a power of two of them, at least half of which are free.
    private var places: [UInt32] = []
    /// The cells at the places of their letters and digits, which all spellings of a key share.
    private var spellings: [UInt32] = []
    /// Whether members are found by whole keys first, since letters and digits alone may not distinguish the names.
    private var isExact: Bool

    /// Chosen anew in each process, the factor too, so that no text can be made of names with one hash.
    private static let random = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max) | 1)
    private let seed: UInt64
    private let factor: UInt64

    init(_ document: JSONDocument, _ object: Int) {
        self.object = object
        (seed, factor) = Self.random
        isExact = !document.convertsSnakeCase || document.needsIndex(object)
        if !isExact { isExact = !fillSpellings(from: document) }
        if isExact { fillPlaces(from: document) }
    }

    /// The cell of the name that becomes a key, or else of one that the key spells in another way; nil without one.
    mutating func name(_ key: UnsafeBufferPointer<UInt8>, in document: JSONDocument) -> Int? {
        if isExact {
            let name = places[place(of: key, in: document)]
            if name != 0 { return Int(name) }
            guard document.convertsSnakeCase, key.mayBeSpelledOtherwise else { return nil }
            if spellings.isEmpty { _ = fillSpellings(from: document) }
        }
        for place in spellingPlaces(of: key) {
            let name = Int(spellings[place])
            if name == 0 { return nil }
            if document.isSpelled(key, name, in: object) { return name }
        }
        return nil
    }

    private func emptyPlaces(_ document: JSONDocument) -> [UInt32] {
        let count = document.countedNames(of: object)
        return Array(repeating: 0, count: 2 << (Int.bitWidth - count.leadingZeroBitCount))
    }

    // MARK: - Keys

    /// Adds all names; of several with one key, the first counts.
    private mutating func fillPlaces(from document: JSONDocument) {
        places = emptyPlaces(document)
        for name in document.names(of: object) {
            let place = place(of: name, in: document)
            if places[place] == 0 { places[place] = UInt32(truncatingIfNeeded: name) }
        }
    }

    /// The place of a key, or the free one where it belongs.
    @inline(__always)
    private func place(of key: UnsafeBufferPointer<UInt8>, in document: JSONDocument) -> Int {
        var place = Int(truncatingIfNeeded: hash(key)) & (places.count - 1)
        while places[place] != 0, !document.isKey(key, Int(places[place]), in: object) {
            place = (place + 1) & (places.count - 1)
        }
        return place
    }

    /// The place of a name's key.
    @inline(__always)
    private func place(of name: Int, in document: JSONDocument) -> Int {
        if document.isKeyItself(name) { return document.withBytes(of: name) { place(of: $0, in: document) } }
        var key = document.key(name, in: object)
        return key.withUTF8 { place(of: $0, in: document) }
    }

    // MARK: - Spellings

    /// Adds the names; false if there is no place for some of them.
    private mutating func fillSpellings(from document: JSONDocument) -> Bool {
        spellings = emptyPlaces(document)
        var isComplete = true
        for name in document.names(of: object) {
            let places = document.withText(of: name) { spellingPlaces(of: $0) }
            let place = places.first { spellings[$0] == 0 }
            if let place { spellings[place] = UInt32(truncatingIfNeeded: name) } else { isComplete = false }
        }
        return isComplete
    }

    /// The places for names with the letters and digits of a text: few, so that many names with the same ones take no
    /// time.
    private func spellingPlaces(of text: UnsafeBufferPointer<UInt8>) -> some Sequence<Int> {
        var hash = seed
        for byte in text where byte != UInt8(ascii: "_") { hash = mixed(hash ^ UInt64(byte | 0x20)) }
        let (first, mask) = (Int(truncatingIfNeeded: hash), spellings.count - 1)
        return (0..<32).lazy.map { (first &+ $0) & mask }
    }

    // MARK: - Hashes

    @inline(__always)
    private func hash(_ key: UnsafeBufferPointer<UInt8>) -> UInt64 {
        let (bytes, count) = (UnsafeRawBufferPointer(key), key.count)
        var hash = seed ^ UInt64(truncatingIfNeeded: count)
        var rest = UInt64(0)
        if count >= 8 {
            // The last word may overlap the one before it.
            for index in stride(from: 0, to: count - 8, by: 8) {
                hash = mixed(hash ^ bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            }
            rest = bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
        } else {
            for byte in bytes { rest = rest << 8 | UInt64(byte) }
        }
        return mixed(hash ^ rest)
    }

    @inline(__always)
    private func mixed(_ hash: UInt64) -> UInt64 {
        let (high, low) = hash.multipliedFullWidth(by: factor)
        return high ^ low
    }
}

extension JSONDocument {
    /// Whether a name becomes a key.
    @inline(__always)
    fileprivate func isKey(_ key: UnsafeBufferPointer<UInt8>, _ name: Int, in object: Int) -> Bool {
        if isKeyItself(name) { return isName(key, name) }
        return self.key(name, in: object).utf8.elementsEqual(key)
    }

    /// Whether a name is spelled as its key.
    @inline(__always)
    fileprivate func isKeyItself(_ name: Int) -> Bool { usesDefaultKeys && !isEscaped(name) }

    /// Passes the text of a name.
    fileprivate func withText<Result>(of name: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        guard isEscaped(name) else { return withBytes(of: name, body) }
        var text = string(name)
        return text.withUTF8(body)
    }

    /// Passes the bytes of a name without escapes.
    @inline(__always)
    fileprivate func withBytes<Result>(of name: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let first = start(of: name) + 1
        return text.withBytes(first..<text.indexOfQuote(from: first), body)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether a name may differ from the key by more than its conversion.
    fileprivate var mayBeSpelledOtherwise: Bool {
        zip(self, dropFirst()).contains { $0.isCapital && $1.isCapital || $1 == UInt8(ascii: "_") }
    }
}
