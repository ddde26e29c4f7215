import Foundation

/// Collects a body while it is read, in memory or in a file of its own.
struct BodySink {
    /// The bytes, unless they are in the file.
    private(set) var data = Data()
    /// The number of bytes so far.
    private(set) var length = 0
    /// The file of the bytes, unless they are in memory.
    let file: URL?
    private let handle: FileHandle?

    init(in folder: URL?) throws {
        file = folder?.appending(component: UUID().uuidString)
        if let file { try Data().write(to: file) }
        handle = try file.map(FileHandle.init(forWritingTo:))
    }

    mutating func append(_ piece: Data) throws {
        length += piece.count
        if let handle { try handle.write(contentsOf: piece) } else { data.append(piece) }
    }
}
