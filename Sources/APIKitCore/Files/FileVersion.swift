import APIKitSupport

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(WASILibc)
import WASILibc
#endif

/// Identifies the contents of a file in one version: they have not changed as long as the version is the same.
///
/// Besides the size, a version has the file's number (inode) and, on Linux, the time of the last change. Two changes
/// within one step of the volume's clock, which is usually a few milliseconds, can have the same time.
///
/// On Apple's platforms, an app must declare why it reads the dates of files, even if only a library does so. So there,
/// a version has the number that the volume counts for the contents. If the volume does not count versions, only the
/// size is compared.
package struct FileVersion: Sendable, Equatable {
    /// The number of bytes.
    package let size: Int
    /// What else changes with the contents; empty if the volume does not count versions.
    private let stamp: String

    fileprivate init(size: Int, stamp: String) {
        self.size = size
        self.stamp = stamp
    }

    /// Returns the version that a file has now.
    ///
    /// - Throws: ``TransportError`` with the code `fileFailed`, also for anything that is not a regular file, such as a
    ///   folder or a pipe.
    package static func of(_ url: URL) throws(TransportError) -> FileVersion {
        try OpenFile.reading(url).version()
    }

    /// Reads the text of a version; nil if it is not one.
    package init?(text: String) {
        let size = text.prefix { $0 != " " }
        let stamp = text.dropFirst(size.count + 1)
        guard let number = size.wholeNumber, stamp.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        self.init(size: number, stamp: String(stamp))
        // Only a text that this type writes, so that equal versions have equal texts.
        guard self.text == text else { return nil }
    }

    /// The version as one line of ASCII, for a record on disk: the size, followed by a text that only this platform
    /// understands.
    package var text: String { stamp.isEmpty ? "\(size)" : "\(size) \(stamp)" }
}

extension FileVersion: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let version = FileVersion(text: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not the version of a file")
        }
        self = version
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension FileVersion {
    /// Returns a text that changes with the contents of a file; nil if the volume does not count versions, and on other
    /// platforms than Apple's.
    package static func generation(of file: URL) -> String? {
        #if canImport(Darwin)
        // The URL is a new one, since a URL caches the values that were read with it. The number of the file is
        // included, since each file has its own count of versions.
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
}

extension OpenFile {
    /// Returns the version that the open file has now; on Apple's platforms, that of the file at its URL.
    ///
    /// - Throws: ``TransportError`` with the code `fileFailed`, also for anything that is not a regular file.
    package func version() throws(TransportError) -> FileVersion {
        #if canImport(Darwin)
        return FileVersion(size: try size(), stamp: FileVersion.generation(of: url) ?? "")
        #else
        guard let status else { throw TransportError(.read, url, errno: errno) }
        let size = try Self.size(status, url)
        // The seconds and nanoseconds are two numbers, since one would overflow an Int of 32 bits.
        let changed = status.st_mtim
        return FileVersion(size: size, stamp: "\(changed.tv_sec).\(changed.tv_nsec) \(status.st_ino)")
        #endif
    }
}
