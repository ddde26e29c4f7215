import APIKitCore
import APIKitTesting

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(WASILibc)
import WASILibc
#endif

extension OpenFile {
    /// Opens a file for reading and writing, or creates it, and waits until no one else has it open in this way.
    static func updating(_ url: URL) throws(FileError) -> OpenFile {
        // Without O_NONBLOCK, opening a pipe could wait.
        let file = try OpenFile(url, .cannotWrite, O_RDWR | O_CREAT | O_NONBLOCK)
        while flock(file.descriptor, LOCK_EX) != 0 {
            if errno == EINTR { continue }
            // Some volumes have no locks.
            guard errno == ENOTSUP || errno == ENOLCK else { throw FileError(.cannotWrite, url, errno: errno) }
            break
        }
        return file
    }

    /// The bytes of a part of the file, fewer if it ends before.
    func read(_ range: Range<Int>, of url: URL) throws(FileError) -> Data {
        guard lseek(descriptor, off_t(range.lowerBound), SEEK_SET) >= 0 else {
            throw FileError(.cannotRead, url, errno: errno)
        }
        var data = Data()
        while data.count < range.count {
            let piece = try read(upTo: min(range.count - data.count, 1 << 20))
            if piece.isEmpty { break }
            data.append(piece)
        }
        return data
    }

    /// Replaces everything from an offset on.
    func overwrite(from offset: Int, with data: Data, of url: URL) throws(FileError) {
        // Truncate first, so that a process that ends here does not leave a mixture of old and new bytes.
        guard ftruncate(descriptor, off_t(offset)) == 0, lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else {
            throw FileError(.cannotWrite, url, errno: errno)
        }
        try write(data)
    }
}
