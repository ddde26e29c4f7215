import APIKitCore

// Whether the user has changed a complete file. An app must state a reason to Apple for reading the dates of files, even if
// only a library does, so on Apple's platforms the record holds the version that the volume counts.

extension DownloadRecord {
    #if canImport(Darwin)
    /// The version of a file's contents on its volume; nil if the volume counts none.
    static func version(of file: URL) -> String? {
        // A new URL, since each caches what it has read.
        let identifier = try? URL(fileURLWithPath: file.path).resourceValues(forKeys: [.generationIdentifierKey])
            .generationIdentifier
        // The identifier compares versions of one file only.
        guard let identifier, let attributes = try? FileManager.default.attributesOfItem(atPath: file.path),
            let number = attributes[.systemFileNumber] as? NSNumber,
            let data = try? NSKeyedArchiver.archivedData(withRootObject: identifier, requiringSecureCoding: true)
        else { return nil }
        return "\(number) \(data.base64EncodedString())"
    }

    /// Whether the contents of a file are those that it had when this record was written.
    func isCurrent(for file: URL, recordedAt place: URL) -> Bool {
        version != nil && version == Self.version(of: file)
    }
    #else
    /// Nil: the date of the record is enough.
    static func version(of file: URL) -> String? { nil }

    /// Whether a file has not changed since this record was written.
    func isCurrent(for file: URL, recordedAt place: URL) -> Bool {
        guard let modified = Self.modificationDate(of: file), let recorded = Self.modificationDate(of: place) else {
            return false
        }
        return modified <= recorded
    }

    private static func modificationDate(of file: URL) -> Date? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        return attributes?[.modificationDate] as? Date
    }
    #endif
}
