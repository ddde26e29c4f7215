public import APIKit

/// A file, or what a folder contains.
public struct GetContentRequest: GitHubRequest {
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    /// Folders and name, with slashes.
    public var pathValue: String
    /// A branch, tag or commit.
    public var ref: String?

    /// Creates a value.
    public init(owner: String, repo: String, pathValue: String, ref: String? = nil) {
        self.owner = owner
        self.repo = repo
        self.pathValue = pathValue
        self.ref = ref
    }

    public var path: URLPath { "repos/\(owner)/\(repo)/contents/\(segments: pathValue)" }
    public var parameters: Parameters { ["ref": ref] }

    /// Response.
    public enum Response: JSONResponse {
        /// A value of the type `[Entry]`.
        case items([Entry])
        /// A value of the type `File`.
        case file(File)
        /// Something else.
        case other(JSONValue)

        /// Reads the variant that fits.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode([Entry].self) {
                self = .items(value)
            } else if let value = try? container.decode(File.self) {
                self = .file(value)
            } else {
                self = .other(try container.decode(JSONValue.self))
            }
        }

        /// A file with its content.
        public struct File: Decodable, Sendable {
            /// The content in the encoding.
            public let content: String
            /// `download_url`
            public let downloadURL: String?
            /// `base64`, or `none` if the file is too large.
            public let encoding: String
            /// `name`
            public let name: String
            /// `path`
            public let path: String
            /// `sha`
            public let sha: String
            /// In bytes.
            public let size: Int
            /// `type`
            public let type: EntryType

            private enum CodingKeys: String, CodingKey {
                case content, encoding, name, path, sha, size, type
                case downloadURL = "download_url"
            }
        }
    }
}
