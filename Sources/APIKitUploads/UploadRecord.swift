import APIKitCore
import APIKitSupport

/// What is kept of an upload on disk, so that another process can continue it.
struct UploadRecord: Codable, Sendable, Equatable {
    /// The URL of the upload on the server.
    let url: URL
    /// The name of the endpoint's type.
    let endpoint: String
    /// The path of the file. Within the user's folder, it begins with `~/`: on Apple's mobile platforms, that folder
    /// has another path after each update of an app.
    let path: String
    /// The version of the file whose bytes are sent.
    let version: FileVersion
    /// When the upload was created.
    let created: Date
    /// What the server stated about sizes when it created the upload; nil for nothing.
    let limits: UploadLimits?

    /// Creates the record of an upload that begins now.
    init(of file: UploadFile, by endpoint: any ResumableUpload.Type, at url: URL, within limits: UploadLimits?) {
        self.url = url
        self.endpoint = "\(endpoint)"
        path = file.url.storedPath
        version = file.version
        created = Date()
        self.limits = limits
    }

    /// The location of the file.
    var file: URL { URL(storedPath: path) }
}

extension URL {
    private static let homePrefix = "~/"

    /// Creates the URL of a path that ``storedPath`` has returned.
    init(storedPath path: String) {
        if path.hasPrefix(Self.homePrefix) {
            self = URL.homeDirectory.appendingPathComponent(String(path.dropFirst(Self.homePrefix.count)))
        } else {
            self = URL(fileURLWithPath: path)
        }
    }

    /// The path, which begins with `~/` if the file is in the user's folder.
    var storedPath: String {
        let home = URL.homeDirectory.resolvingSymlinksInPath().path
        let path = resolvingSymlinksInPath().path
        guard home.utf8.count > 1, path.hasPrefix(home + "/") else { return path }
        return Self.homePrefix + path.dropFirst(home.count + 1)
    }
}
