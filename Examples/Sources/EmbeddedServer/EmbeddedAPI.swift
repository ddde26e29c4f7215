import FlyingFox

/// An API that ``EmbeddedServer`` imitates.
public enum EmbeddedAPI: Sendable {
    /// GitHub's users: `GET /users?since=N&per_page=M` and `GET /users/{login}`.
    ///
    /// Like GitHub it pages by a `Link` header, counts requests in `X-RateLimit-…` headers, and refuses a request
    /// without `User-Agent`. It never refuses because of the rate.
    case gitHub

    /// Foursquare's venue search: `GET /v2/venues/search?near=…&query=…&limit=…&v=YYYYMMDD&client_id=…`.
    ///
    /// It accepts the token `demo`, as `oauth_token` in the query or in `Authorization: Bearer`. Without a token the
    /// answer has status 401; with a wrong one it has status **200** and the refusal stands in the body's `meta`.
    case foursquare

    /// A form's receiver: `POST /photos`, form-urlencoded or multipart, answers what it has received.
    case photos

    /// Files and events: `GET /files/map.bin`, `PUT /files/{name}` and `GET /events?count=N&every=MILLISECONDS`.
    ///
    /// The file has a strong `ETag` and understands `Range: bytes=N-` with `If-Range`. What is put is counted and not
    /// kept, slowly with `slow=1` in the query. The events go on after `Last-Event-ID`; with `cut=K` in the query and
    /// without that header the connection breaks off after event K.
    case files
}

extension EmbeddedAPI {
    func makeHandler() -> any HTTPHandler {
        switch self {
        case .gitHub: BufferingHandler(base: GitHubAPI())
        case .foursquare: BufferingHandler(base: FoursquareAPI())
        case .photos: BufferingHandler(base: PhotosAPI())
        case .files: FilesAPI()
        }
    }
}
