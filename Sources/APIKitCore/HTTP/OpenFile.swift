#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A file that is open for as long as this lives. FoundationEssentials has no such thing.
final class OpenFile: Sendable {
    private let url: URL
    private let descriptor: Int32

    /// Opens a file to read it.
    static func reading(_ url: URL) throws(FileError) -> OpenFile {
        // Not waiting for what is no file: a pipe opens once somebody writes.
        try OpenFile(url, "read", O_RDONLY | O_NONBLOCK)
    }

    /// Makes a file that must not be there yet, for nobody else to read, and opens it to write.
    static func creating(_ url: URL) throws(FileError) -> OpenFile {
        try OpenFile(url, "create", O_WRONLY | O_CREAT | O_EXCL)
    }

    /// Opens a file to write behind what it holds, or makes one.
    static func appending(to url: URL) throws(FileError) -> OpenFile {
        try OpenFile(url, "write", O_WRONLY | O_CREAT | O_APPEND)
    }

    private init(_ url: URL, _ operation: String, _ flags: Int32) throws(FileError) {
        guard url.isPath else { throw FileError(operation, url, errno: EINVAL) }
        self.url = url
        descriptor = open(url.path, flags | O_CLOEXEC, 0o600 as mode_t)
        guard descriptor >= 0 else { throw FileError(operation, url, errno: errno) }
    }

    deinit {
        _ = close(descriptor)
    }

    /// How many bytes the file holds.
    ///
    /// - Throws: ``FileError`` for what is no file of bytes, a folder or a device.
    func size() throws(FileError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileError("read", url, errno: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FileError("read", url, errno: status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
        }
        return Int(status.st_size)
    }

    /// The next bytes, as many as asked for at the most; none at the end.
    func read(upTo count: Int) throws(FileError) -> Data {
        var data = Data(count: count)
        let got = data.withUnsafeMutableBytes { bytes in
            retryingInterrupted { systemRead(descriptor, bytes.baseAddress, bytes.count) }
        }
        guard got >= 0 else { throw FileError("read", url, errno: errno) }
        data.count = got
        return data
    }

    /// Writes all of the bytes.
    func write(_ data: Data) throws(FileError) {
        let failure = data.withUnsafeBytes { bytes -> Int32? in
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let count = retryingInterrupted { systemWrite(descriptor, part.baseAddress, part.count) }
                guard count >= 0 else { return errno }
                rest = rest.dropFirst(count)
            }
            return nil
        }
        if let failure { throw FileError("write", url, errno: failure) }
    }

    private func retryingInterrupted(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }
}

// The methods of these names hide the system's functions.
private let systemRead: @Sendable (Int32, UnsafeMutableRawPointer?, Int) -> Int = read
private let systemWrite: @Sendable (Int32, UnsafeRawPointer?, Int) -> Int = write

extension URL {
    /// Moves a file to a place in one step, replacing what is there.
    func moveFile(to place: URL) throws(FileError) {
        guard place.isPath else { throw FileError("move", place, errno: EINVAL) }
        if rename(path, place.path) == 0 { return }
        guard errno == EXDEV else { throw FileError("move", place, errno: errno) }
        // Another volume: copied beside its place first, since only a rename is one step.
        let copy = place.deletingLastPathComponent().appendingPathComponent(".apikit-\(UUID().uuidString)")
        do throws(FileError) {
            let target = try OpenFile.creating(copy)
            let source = try OpenFile.reading(self)
            while case let piece = try source.read(upTo: 1 << 18), !piece.isEmpty { try target.write(piece) }
            guard rename(copy.path, place.path) == 0 else { throw FileError("move", place, errno: errno) }
        } catch {
            _ = unlink(copy.path)
            throw error
        }
        _ = unlink(path)
    }

    /// Removes a file, if it is there.
    func removeFile() {
        if isPath { _ = unlink(path) }
    }

    /// Whether this names a file, and all of its name: the system's functions end one at a NUL.
    fileprivate var isPath: Bool { isFileURL && !path.utf8.contains(0) }
}
