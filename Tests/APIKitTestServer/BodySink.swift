import Foundation

/// Collects a body while it is read: in memory, in a file of its own, or nowhere if a function receives its pieces.
struct BodySink {
    /// The bytes, if they are kept in memory.
    private(set) var data = Data()
    /// The number of bytes so far.
    private(set) var length = 0
    private let destination: Destination

    /// Where the bytes go.
    enum Destination {
        case memory
        case file(URL, FileHandle)
        case receiver((Data) -> Void)
    }

    init(to destination: Destination) { self.destination = destination }

    /// The file of the bytes, if they are in one.
    var file: URL? {
        guard case .file(let url, _) = destination else { return nil }
        return url
    }

    mutating func append(_ piece: Data) throws {
        length += piece.count
        switch destination {
        case .memory: data.append(piece)
        case .file(_, let handle): try handle.write(contentsOf: piece)
        case .receiver(let receive): receive(piece)
        }
    }
}

extension BodySink.Destination {
    /// A new file in a folder.
    static func newFile(in folder: URL) throws -> Self {
        let file = folder.appending(component: UUID().uuidString)
        try Data().write(to: file)
        return .file(file, try FileHandle(forWritingTo: file))
    }
}
