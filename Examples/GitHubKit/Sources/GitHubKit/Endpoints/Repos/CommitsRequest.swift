public import APIKit

/// The commits of a branch, the newest first.
public struct CommitsRequest: GitHubRequest, PagedRequest {
    /// The response.
    public typealias Response = [Commit]
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    /// A branch or a commit to start from.
    public var sha: String?
    /// Only commits that changed this file or folder.
    public var commitPath: String?
    /// Only commits after this.
    public var since: Date?
    /// Only commits before this.
    public var until: Date?
    /// The number of items on a page.
    public var perPage: Int?
    /// The link to a page, if it is not the first.
    public var pageLink: URL?

    /// Creates a value.
    public init(
        owner: String,
        repo: String,
        sha: String? = nil,
        commitPath: String? = nil,
        since: Date? = nil,
        until: Date? = nil,
        perPage: Int? = nil,
        pageLink: URL? = nil
    ) {
        self.owner = owner
        self.repo = repo
        self.sha = sha
        self.commitPath = commitPath
        self.since = since
        self.until = until
        self.perPage = perPage
        self.pageLink = pageLink
    }

    /// The path.
    public var path: URLPath { "repos/\(owner)/\(repo)/commits" }
    /// The parameters.
    public var parameters: Parameters {
        ["sha": sha, "path": commitPath, "since": since, "until": until, "per_page": perPage]
    }

    /// The request for the next page.
    public func next(after reply: APIReply<[Commit]>) -> Self? { next(setting: \.pageLink, to: reply.links[.next]) }
}

/// A commit.
public struct Commit: GitHubModel {
    /// The SHA.
    public let sha: String
    /// The user with the email address of the author.
    public let author: User?
    /// The commit.
    public let commit: Details
    /// The parents.
    public let parents: [Parent]
    /// The page on GitHub.
    public let htmlURL: String

    /// What Git knows of a commit.
    public struct Details: Decodable, Sendable {
        /// The message.
        public let message: String
        /// The author.
        public let author: Signature?
        /// The committer.
        public let committer: Signature?

        /// Who wrote a commit, and when.
        public struct Signature: Decodable, Sendable {
            /// The name.
            public let name: String?
            /// The email.
            public let email: String?
            /// The date.
            public let date: Date?
        }
    }

    /// A parent.
    public struct Parent: Decodable, Sendable {
        /// The SHA.
        public let sha: String
    }
}
