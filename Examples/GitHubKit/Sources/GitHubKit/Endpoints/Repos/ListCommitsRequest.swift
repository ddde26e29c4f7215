public import APIKit

/// The commits of a branch, the newest first.
public struct ListCommitsRequest: GitHubRequest, PagedRequest {
    public typealias Response = [Commit]
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    /// Only commits that changed this file or folder.
    public var pathValue: String?
    /// 30 by default, 100 at most.
    public var perPage: Int?
    /// A branch or a commit to start from.
    public var sha: String?
    /// `since`
    public var since: Date?
    /// `until`
    public var until: Date?
    /// The link to a page, if it is not the first.
    public var pageLink: URL?

    /// Creates a value.
    public init(
        owner: String,
        repo: String,
        pathValue: String? = nil,
        perPage: Int? = nil,
        sha: String? = nil,
        since: Date? = nil,
        until: Date? = nil,
        pageLink: URL? = nil
    ) {
        self.owner = owner
        self.repo = repo
        self.pathValue = pathValue
        self.perPage = perPage
        self.sha = sha
        self.since = since
        self.until = until
        self.pageLink = pageLink
    }

    public var path: URLPath { "repos/\(owner)/\(repo)/commits" }
    public var parameters: Parameters {
        ["path": pathValue, "per_page": perPage, "sha": sha, "since": since, "until": until]
    }
    /// The request for the next page.
    public func next(after reply: APIReply<[Commit]>) -> Self? { next(setting: \.pageLink, to: reply.links[.next]) }
}

/// Commit.
public struct Commit: JSONResponse {
    /// The user with the email address of the author.
    public let author: User?
    /// `commit`
    public let commit: Details
    /// `html_url`
    public let htmlURL: String
    /// `parents`
    public let parents: [Parent]
    /// `sha`
    public let sha: String

    /// What Git knows of a commit.
    public struct Details: Decodable, Sendable {
        /// `author`
        public let author: Signature?
        /// `committer`
        public let committer: Signature?
        /// `message`
        public let message: String

        /// Who wrote a commit, and when.
        public struct Signature: Decodable, Sendable {
            /// `date`
            public let date: Date?
            /// `email`
            public let email: String?
            /// `name`
            public let name: String?
        }
    }

    /// Parent.
    public struct Parent: Decodable, Sendable {
        /// `sha`
        public let sha: String
    }

    private enum CodingKeys: String, CodingKey {
        case author, commit, parents, sha
        case htmlURL = "html_url"
    }
}
