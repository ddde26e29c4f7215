import FlyingFox
public import Foundation

/// An API that ``EmbeddedServer`` imitates.
public enum EmbeddedAPI: Sendable {
    /// GitHub's users, `GET /users?since=N&per_page=M` and `GET /users/{login}`, and one repository, mojombo/grit:
    /// `GET /repos/mojombo/grit`, `GET …/issues?state=…&labels=…&per_page=M&page=N`, `POST …/issues` and
    /// `GET …/tarball/{ref}`, which redirects to an archive.
    ///
    /// Like GitHub, it pages by a `Link` header, counts requests in `X-RateLimit-…` headers, and rejects requests
    /// without `User-Agent`. It does not enforce the rate limit.
    case gitHub

    /// GitHub's users as an API in production: `POST /token` gives a bearer token for ten requests, every fifth request
    /// fails with 503, every eighth meets a rate limit, and responses have an `ETag` and `Cache-Control`.
    case strictGitHub

    /// Foursquare's venue search: `GET /v2/venues/search?near=…&query=…&limit=…&v=YYYYMMDD&client_id=…`.
    ///
    /// It accepts the token `demo`, as `oauth_token` in the query or in `Authorization: Bearer`. Without a token the
    /// response has status 401; with a wrong one it has status **200**, and `meta` in the body contains the error.
    case foursquare

    /// Files and events: `GET /files/map.bin`, `PUT /files/{name}` and `GET /events?count=N&every=MILLISECONDS`.
    ///
    /// The file has a strong `ETag` and understands `Range: bytes=N-` with `If-Range`. An upload is counted and
    /// discarded, slowly with `slow=1` in the query. The events continue after `Last-Event-ID`; with `cut=K` in the
    /// query and without that header, the connection is lost after event K.
    case files

    /// Uploads that can continue (tus 1.0): `POST /files` creates one. They are kept in a folder, so that another
    /// process continues them. A slow server takes a second for four megabytes.
    case uploads(in: URL, isSlow: Bool)

    /// A model's chat: `POST /v1/chat/completions` and `POST /v1/messages` stream an answer and a tool call, in two
    /// dialects; the prompt `fail` gets a failure in the middle. It accepts the key `demo`.
    case chat

    /// A server of the Model Context Protocol, revision 2026-07-28: `POST /mcp` lists three tools on two pages, and
    /// calls them. `add` adds numbers; `forecast` reports its progress in an event stream, and has an argument that is
    /// also sent as a header; `broken` has an invalid definition.
    ///
    /// It rejects requests whose headers and body do not match.
    case mcp

    /// An authorization server (OAuth 2.1), whose issuer is the server's address, and an API for its tokens: `GET
    /// /api/account`. It knows the public client `apikit-example`, codes with PKCE, device codes and refresh tokens. A
    /// `POST` to the authorization page, or of the `user_code` to `/device`, is what its one user does. Access tokens
    /// are valid for ten seconds.
    case accounts
}

extension EmbeddedAPI {
    func makeHandler() -> any HTTPHandler {
        switch self {
        case .gitHub: BufferingHandler(base: GitHubAPI())
        case .strictGitHub: BufferingHandler(base: StrictGitHubAPI())
        case .foursquare: BufferingHandler(base: FoursquareAPI())
        case .files: FilesAPI()
        case .uploads(let folder, let isSlow): TusAPI(folder: folder, isSlow: isSlow)
        case .chat: ChatAPI()
        case .mcp: MCPAPI()
        case .accounts: AccountsAPI()
        }
    }
}
