/// The places of generated files: each stays in the folder in which an earlier run wrote it, with the edits of the
/// user.
///
/// The names of types are unique in an API, and so are those of files. So a file is recognized by its name, whatever
/// the folder that the description leads to now.
struct Placement {
    /// The texts of the files by their paths.
    private(set) var files: [GeneratedPath: String] = [:]

    /// Places some files. A file stays at its own path if the manifest knows that path. Otherwise it takes the path of
    /// a known file with the same name in another folder, and its own path if there is none.
    ///
    /// - Parameters:
    ///   - files: The files.
    ///   - known: The paths of the files that the manifest knows.
    /// - Throws: ``OutputError`` if a path is not that of a file below the folder, which would be a bug.
    init(_ files: [SourceFile], known: some Sequence<GeneratedPath>) throws {
        let wantedFiles = try files.map { file in
            guard let path = GeneratedPath(file.path) else {
                throw OutputError(
                    path: file.path, problem: "is not written, since it has an unusual path: please report this")
            }
            return (path: path, text: file.text)
        }
        let wantedPaths = Set(wantedFiles.map(\.path))
        // Paths that this run does not ask for, by the names of their files.
        var otherPathsByName: [String: GeneratedPath] = [:]
        for path in known.sorted() where !wantedPaths.contains(path) {
            // Many file systems ignore case.
            let key = path.fileName.lowercased()
            if otherPathsByName[key] == nil { otherPathsByName[key] = path }
        }
        let knownPaths = Set(known)
        for file in wantedFiles {
            let isKnown = knownPaths.contains(file.path)
            let earlierPath = isKnown ? nil : otherPathsByName[file.path.fileName.lowercased()]
            self.files[earlierPath ?? file.path] = file.text
        }
    }
}
