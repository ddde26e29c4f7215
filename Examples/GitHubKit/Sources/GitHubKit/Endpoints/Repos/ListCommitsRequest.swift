public import APIKit

/// The commits of a branch, the newest first.
public struct ListCommitsRequest: GitHubRequest, PagedRequest {
    /// The response.
    public typealias Response = [Commit]
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    /// Only commits that changed this file or folder.
    public var commitPath: String?
    /// 30 by default, 100 at most.
    public var perPage: Int?
    /// A branch or a commit to start from.
    public var sha: String?
    /// Only commits after this.
    public var since: Date?
    /// Only commits before this.
    public var until: Date?
    /// The link to a page, if it is not the first.
    public var pageLink: URL?

    /// Creates a value.
    public init(
        owner: String,
        repo: String,
        commitPath: String? = nil,
        perPage: Int? = nil,
        sha: String? = nil,
        since: Date? = nil,
        until: Date? = nil,
        pageLink: URL? = nil
    ) {
        self.owner = owner
        self.repo = repo
        self.commitPath = commitPath
        self.perPage = perPage
        self.sha = sha
        self.since = since
        self.until = until
        self.pageLink = pageLink
    }

    /// The path.
    public var path: URLPath { "repos/\(owner)/\(repo)/commits" }

    /// The parameters.
    public var parameters: Parameters {
        ["path": commitPath, "per_page": perPage, "sha": sha, "since": since, "until": until]
    }

    /// The request for the next page.
    public func next(after reply: APIReply<[Commit]>) -> Self? { next(setting: \.pageLink, to: reply.links[.next]) }
}

/// A commit.
public struct Commit: JSONResponse {
    /// The user with the email address of the author.
    public let author: User?
    /// The commit.
    public let commit: Details
    /// The page on GitHub.
    public let htmlURL: String
    /// The parents.
    public let parents: [Parent]
    /// The SHA.
    public let sha: String

    /// What Git knows of a commit.
    public struct Details: Decodable, Sendable {
        /// The author.
        public let author: Signature?
        /// The committer.
        public let committer: Signature?
        /// The message.
        public let message: String

        /// Who wrote a commit, and when.
        public struct Signature: Decodable, Sendable {
            /// The date.
            public let date: Date?
            /// The email.
            public let email: String?
            /// The name.
            public let name: String?
        }
    }

    /// A parent.
    public struct Parent: Decodable, Sendable {
        /// The SHA.
        public let sha: String
    }

    private enum CodingKeys: String, CodingKey {
        case author, commit, parents, sha
        case htmlURL = "html_url"
    }
}
