/// Finds the members of an object by their keys: a table of the names' cells, at the places that the keys' hashes name.
struct JSONNameIndex {
    let object: Int
    /// The cells, 0 for a free place; a power of two of them, at least half of which are free.
    private var places: [UInt32] = []
    /// Whether a hash is that of the letters and digits, which a name in snake case and all spellings of its key share.
    private var usesLetters: Bool

    /// Chosen anew in each process, the factor too, so that no text can be made of names with one hash.
    private static let random = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max) | 1)
    private let seed: UInt64
    private let factor: UInt64

    /// Of several members with one key, the first counts.
    init(_ document: JSONDocument, _ object: Int) {
        self.object = object
        (seed, factor) = Self.random
        usesLetters = document.convertsSnakeCase
        guard !fill(from: document) else { return }
        usesLetters = false
        _ = fill(from: document)
    }

    /// Adds all names; false if letters and digits do not distinguish them.
    private mutating func fill(from document: JSONDocument) -> Bool {
        let contents = document.contents(of: object)
        let count = document.countedNames(of: object)
        places = Array(repeating: 0, count: 2 << (Int.bitWidth - count.leadingZeroBitCount))
        var name = contents.lowerBound
        while name < contents.upperBound {
            let free = usesLetters ? freePlace(of: name, in: document) : place(of: name, in: document)
            guard let place = free else { return false }
            if places[place] == 0 { places[place] = UInt32(truncatingIfNeeded: name) }
            name = document.cell(after: name + 1)
        }
        return true
    }

    /// The cell of the name that becomes a key, nil if there is none.
    func name(_ key: UnsafeBufferPointer<UInt8>, in document: JSONDocument) -> Int? {
        let name = places[usesLetters ? placeByLetters(of: key, in: document) : place(of: key, in: document)]
        if name != 0 { return Int(name) }
        return document.convertsSnakeCase && !usesLetters ? document.respelledName(key, in: object) : nil
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

    private func placeByLetters(of key: UnsafeBufferPointer<UInt8>, in document: JSONDocument) -> Int {
        var place = Int(truncatingIfNeeded: letterHash(key)) & (places.count - 1)
        while places[place] != 0, !document.isName(key, Int(places[place])) { place = (place + 1) & (places.count - 1) }
        return place
    }

    /// The place of a name in snake case; nil if it is not, or another one has the same letters and digits.
    private func freePlace(of name: Int, in document: JSONDocument) -> Int? {
        guard document.isSnakeCase(name) else { return nil }
        return document.withBytes(of: name) { bytes in
            var place = Int(truncatingIfNeeded: letterHash(bytes)) & (places.count - 1)
            while places[place] != 0 {
                if document.withBytes(of: Int(places[place]), { $0.hasLetters(of: bytes) }) { return nil }
                place = (place + 1) & (places.count - 1)
            }
            return place
        }
    }

    private func letterHash(_ key: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var hash = seed
        for byte in key where byte != UInt8(ascii: "_") { hash = mixed(hash ^ UInt64(byte | 0x20)) }
        return hash
    }

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

    /// Passes the bytes of a name without escapes.
    @inline(__always)
    fileprivate func withBytes<Result>(of name: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let first = start(of: name) + 1
        return text.withBytes(first..<text.indexOfQuote(from: first), body)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether both are the same without underscores.
    fileprivate func hasLetters(of other: Self) -> Bool {
        let underscore = UInt8(ascii: "_")
        return lazy.filter { $0 != underscore }.elementsEqual(other.lazy.filter { $0 != underscore })
    }
}
