import Foundation

/// The lock of a folder (`flock`), so that two runs do not write into it at the same time. It is released with the
/// value, and by the system when the process ends.
final class FolderLock {
    private let descriptor: Int32

    /// Waits until no other run has the lock. On a file system without locks, it does nothing.
    init(_ folder: String) {
        descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { return }
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }
}
