import Foundation

/// What is at the path of a generated file.
struct LocatedFile {
    enum State: Equatable {
        case missing
        case text(String)
        /// There is something that cannot be read as text. It is never overwritten.
        case unreadable(Obstacle)
    }

    /// What is in the place of a file with text. The sentences have the path of the file before them.
    enum Obstacle: String {
        case notText = "is not UTF-8 text"
        case notAFile = "is not a file"
        case cannotBeRead = "cannot be read"
        case isBelowAFile = "is below something that is not a folder"
        case isOfAnotherKind = "leads by a symbolic link to a file that is hidden or not Swift"
        case isOutside = "leads out of the folder by a symbolic link"
        case leadsNowhere = "is a symbolic link that leads nowhere"
    }

    /// The place to write to, after symbolic links are resolved.
    let place: String
    let state: State

    /// What is the same for all paths of a file.
    struct Identity: Hashable {
        let device: Int64
        let number: UInt64
    }

    /// The identity of the file; nil if it is missing.
    var identity: Identity? {
        var information = stat()
        guard stat(place, &information) == 0 else { return nil }
        return Identity(device: Int64(information.st_dev), number: UInt64(information.st_ino))
    }

    /// The state as a manifest remembers it.
    var content: FileContent {
        switch state {
        case .missing: .missing
        case .text(let text): .text(TextDigest(of: text))
        case .unreadable: .unreadable
        }
    }
}

extension LocatedFile {
    /// Looks up a file, and reads its text. Symbolic links in its path are followed if they stay inside of the folder.
    ///
    /// Below a folder that is missing, the file is missing too. Whatever prevents reading or writing it is returned as
    /// an obstacle, and not thrown.
    ///
    /// - Parameters:
    ///   - path: The path of the file below the folder.
    ///   - root: The folder, with its own symbolic links resolved.
    /// - Returns: The file, with its text.
    static func at(_ path: GeneratedPath, in root: String) -> LocatedFile {
        var place = root
        var isMissing = false
        for name in path.folders {
            place += "/\(name)"
            // Nothing is below a missing folder, but the place still needs the rest of the path.
            if isMissing { continue }
            switch entry(at: place, in: root) {
            case .missing: isMissing = true
            case .folder(let resolved): place = resolved
            case .file, .other: return LocatedFile(place: place, state: .unreadable(.isBelowAFile))
            case .obstacle(let obstacle): return LocatedFile(place: place, state: .unreadable(obstacle))
            }
        }
        place += "/\(path.fileName)"
        if isMissing { return LocatedFile(place: place, state: .missing) }
        switch entry(at: place, in: root) {
        case .missing: return LocatedFile(place: place, state: .missing)
        case .file(let resolved): return LocatedFile(place: resolved, state: contents(of: resolved))
        case .folder, .other: return LocatedFile(place: place, state: .unreadable(.notAFile))
        case .obstacle(let obstacle): return LocatedFile(place: place, state: .unreadable(obstacle))
        }
    }

    /// What a path leads to, with its place after symbolic links are resolved.
    private enum Entry {
        case missing
        case file(String)
        case folder(String)
        /// Such as a device or a pipe, from which nothing may be read.
        case other
        case obstacle(Obstacle)
    }

    /// Finds what is at a path, and follows a symbolic link.
    ///
    /// A link must lead to a Swift file or a folder inside of the root, and none of the names on the way may be hidden.
    /// Otherwise it is an obstacle: a run must not overwrite the user's other files, such as those in `.git`, by a
    /// link.
    private static func entry(at path: String, in root: String) -> Entry {
        switch kind(at: path) {
        case nil: return .missing
        case .link:
            guard let targetPath = resolved(path) else { return .obstacle(.leadsNowhere) }
            // Bytes are compared, as names that are equal for Swift may be different files.
            let beginning = root == "/" ? root : "\(root)/"
            guard targetPath.utf8.starts(with: beginning.utf8) else { return .obstacle(.isOutside) }
            let pathInRoot = String(decoding: targetPath.utf8.dropFirst(beginning.utf8.count), as: UTF8.self)
            let target = entry(at: targetPath, in: root)
            if GeneratedPath.isHidden(pathInRoot) { return .obstacle(.isOfAnotherKind) }
            if case .file = target, !GeneratedPath.isSwift(pathInRoot) { return .obstacle(.isOfAnotherKind) }
            return target
        case .file: return .file(path)
        case .folder: return .folder(path)
        case .other: return .other
        case .unknown: return .obstacle(.cannotBeRead)
        }
    }

    private enum Kind { case file, folder, link, other, unknown }

    /// The kind of what is at a path, without following a link; nil if nothing is there. It is `unknown` if the system
    /// does not say, for example because a folder may not be searched.
    private static func kind(at path: String) -> Kind? {
        var information = stat()
        guard lstat(path, &information) == 0 else {
            // A name that is too long cannot be that of a file.
            return [ENOENT, ENAMETOOLONG].contains(errno) ? nil : .unknown
        }
        switch information.st_mode & mode_t(S_IFMT) {
        case mode_t(S_IFREG): return .file
        case mode_t(S_IFDIR): return .folder
        case mode_t(S_IFLNK): return .link
        default: return .other
        }
    }

    /// A path without symbolic links; nil if one of them leads nowhere.
    static func resolved(_ path: String) -> String? {
        guard let resolvedPath = realpath(path, nil) else { return nil }
        defer { free(resolvedPath) }
        return String(cString: resolvedPath)
    }

    /// Reads a file as UTF-8. An error is returned as a state, so that the file is reported and not overwritten.
    private static func contents(of path: String) -> State {
        guard let data = try? Data(contentsOf: URL(filePath: path)) else { return .unreadable(.cannotBeRead) }
        guard let text = String(bytes: data, encoding: .utf8) else { return .unreadable(.notText) }
        return .text(text)
    }
}
