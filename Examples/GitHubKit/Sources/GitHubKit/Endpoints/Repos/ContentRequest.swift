public import APIKit

/// A file, or what a folder contains.
public struct ContentRequest: GitHubRequest {
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    /// Folders and name, with slashes.
    public var contentPath: String
    /// A branch, tag or commit.
    public var ref: String?

    public init(owner: String, repo: String, contentPath: String, ref: String? = nil) {
        self.owner = owner
        self.repo = repo
        self.contentPath = contentPath
        self.ref = ref
    }

    public var path: URLPath { "repos/\(owner)/\(repo)/contents/\(segments: contentPath)" }
    public var parameters: Parameters { ["ref": ref] }

    public enum Response: GitHubModel {
        /// What a folder contains.
        case folder([Entry])
        /// A file with its content.
        case file(File)
        /// Anything else, such as a symbolic link.
        case other(Entry)

        public init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let entries = try? container.decode([Entry].self) {
                self = .folder(entries)
            } else if let file = try? container.decode(File.self) {
                self = .file(file)
            } else {
                self = .other(try container.decode(Entry.self))
            }
        }

        /// A file with its content.
        public struct File: Decodable, Sendable {
            public let sha: String
            public let name: String
            public let type: EntryType
            /// The content in the encoding.
            public let content: String
            /// `base64`, or `none` if the file is too large.
            public let encoding: String
            public let path: String
            /// In bytes.
            public let size: Int
            public let downloadURL: String?

            /// The content as bytes; nil if GitHub left it out.
            public var data: Data? {
                encoding == "base64" ? Data(base64Encoded: content, options: .ignoreUnknownCharacters) : nil
            }
        }
    }
}
