import Foundation

/// The only file that ``FilesAPI`` serves: 8 MiB that are the same in every run.
enum MadeUpFile {
    static let name = "map.bin"

    /// A strong validator (RFC 9110, section 8.8.3): it identifies exactly these bytes.
    static let eTag = "\"map-1\""

    static let bytes: Data = {
        // No word occurs twice, so that a download that is assembled incorrectly is noticed.
        let words = (0..<UInt64(1_048_576)).map { ($0 &* 0x9E37_79B9_7F4A_7C15).littleEndian }
        return words.withUnsafeBytes { Data($0) }
    }()
}
