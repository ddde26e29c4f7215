import APIKitCore

// Whether the user has changed a complete file. An app must state a reason to Apple for reading the dates of files,
// even if only a library does, so on Apple's platforms the record holds the version that the volume counts.
extension DownloadRecord {
    /// The version of a file's contents; nil if the volume counts none, and where dates take its place.
    static func version(of file: URL) -> String? {
        #if canImport(Darwin)
        // A new URL, since each caches what it has read; and the file's number, since each file counts for itself.
        let values = try? URL(fileURLWithPath: file.path).resourceValues(forKeys: [.generationIdentifierKey])
        guard let identifier = values?.generationIdentifier,
            let attributes = try? FileManager.default.attributesOfItem(atPath: file.path),
            let number = attributes[.systemFileNumber] as? NSNumber,
            let data = try? NSKeyedArchiver.archivedData(withRootObject: identifier, requiringSecureCoding: true)
        else { return nil }
        return "\(number) \(data.base64EncodedString())"
        #else
        return nil
        #endif
    }

    /// Whether a file has not changed since this record was written to a place.
    func isCurrent(for file: URL, recordedAt place: URL) -> Bool {
        #if canImport(Darwin)
        return version != nil && version == Self.version(of: file)
        #else
        func modificationDate(of file: URL) -> Date? {
            let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
            return attributes?[.modificationDate] as? Date
        }
        guard let modified = modificationDate(of: file), let recorded = modificationDate(of: place) else {
            return false
        }
        return modified <= recorded
        #endif
    }
}
