/// Finds the members of an object by their keys: a table of the names' cells, at the places that the keys' hashes name.
struct JSONNameIndex {
    private let object: Int
    /// The cells, 0 for a free place; a power of two of them, at least half of which are free.
    private var places: [UInt32]

    /// Of several members with one key, the first counts.
    init(_ document: JSONDocument, _ object: Int) {
        self.object = object
        let names = document.names(of: object)
        places = Array(repeating: 0, count: 2 << (Int.bitWidth - names.count.leadingZeroBitCount))
        for name in names {
            var key = document.key(name, in: object)
            let place = key.withUTF8 { self.place(of: $0, in: document) }
            if places[place] == 0 { places[place] = UInt32(name) }
        }
    }

    /// The cell of the name that becomes a key, nil if there is none.
    func name(_ key: String, in document: JSONDocument) -> Int? {
        var key = key
        let name = places[key.withUTF8 { place(of: $0, in: document) }]
        return name == 0 ? nil : Int(name)
    }

    /// The place of a key, or the free one where it belongs.
    private func place(of key: UnsafeBufferPointer<UInt8>, in document: JSONDocument) -> Int {
        // Seeded anew in each process, so that no text can be made of names with one hash.
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(key))
        var place = hasher.finalize() & (places.count - 1)
        while places[place] != 0, !document.isKey(key, Int(places[place]), in: object) {
            place = (place + 1) & (places.count - 1)
        }
        return place
    }
}

extension JSONDocument {
    /// Whether a name becomes a key.
    fileprivate func isKey(_ key: UnsafeBufferPointer<UInt8>, _ name: Int, in object: Int) -> Bool {
        if reader.keys.isDefault, !isEscaped(name) { return isName(key, name) }
        return self.key(name, in: object).utf8.elementsEqual(key)
    }
}
