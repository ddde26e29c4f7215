public import APIKit

/// The commits of a branch, the newest first.
public struct CommitsRequest: GitHubRequest, PagedRequest {
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
    public var perPage: Int?
    /// The page to request, if it is not the first one.
    public var pageLink: URL?

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

    public var path: URLPath { "repos/\(owner)/\(repo)/commits" }
    public var parameters: Parameters {
        ["sha": sha, "path": commitPath, "since": since, "until": until, "per_page": perPage]
    }

    public func next(after reply: APIReply<[Commit]>) -> Self? { next(setting: \.pageLink, to: reply.links[.next]) }
}

public struct Commit: GitHubModel {
    public let sha: String
    /// The user with the email address of the author.
    public let author: User?
    public let commit: Details
    public let parents: [Parent]
    /// The page on GitHub.
    public let htmlURL: String

    /// What Git knows of a commit.
    public struct Details: Decodable, Sendable {
        public let message: String
        public let author: Signature?
        public let committer: Signature?

        /// Who wrote a commit, and when.
        public struct Signature: Decodable, Sendable {
            public let name: String?
            public let email: String?
            public let date: Date?
        }
    }

    public struct Parent: Decodable, Sendable {
        public let sha: String
    }
}
