import FlyingFox
import Foundation

/// Imitates the users of GitHub's REST API, and one repository with its issues and its archive.
struct GitHubAPI: HTTPHandler {
    private static let users = GitHubUser.invented(150)
    private static let issues = GitHubIssue.invented(75)
    private static let repository = "mojombo/grit"
    private static let documentation = "https://docs.github.com/rest/users/users"
    private let rateLimit = RateLimit()

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard request.headers[HTTPHeader("User-Agent")]?.isEmpty == false else { return missingUserAgent() }
        var response = try await response(to: request)
        for (header, value) in await rateLimit.count() {
            response.headers[header] = value
        }
        response.headers[HTTPHeader("X-GitHub-Media-Type")] = "github.v3; format=json"
        return response
    }

    private func response(to request: HTTPRequest) async throws -> HTTPResponse {
        let path = request.path.split(separator: "/")
        if request.method == .POST, request.path == "/repos/\(Self.repository)/issues" {
            return create(try await request.bodyData, request)
        }
        guard request.method == .GET else { return notFound(anchor: "") }
        switch path.first {
        case "users" where path.count == 1: return list(request)
        case "users" where path.count == 2: return user(login: path[1].lowercased(), request)
        // The second is where GitHub's own links lead: a repository may be renamed.
        case "repos" where path.dropFirst().joined(separator: "/") == "\(Self.repository)/issues",
            "repositories" where path.dropFirst().joined(separator: "/") == "1/issues":
            return issues(request)
        case "repos" where path.dropFirst().joined(separator: "/") == Self.repository: return repository(request)
        // GitHub's archives are on another host.
        case "repos" where path.dropFirst().joined(separator: "/").hasPrefix("\(Self.repository)/tarball"):
            let url = "\(baseURL(of: request))/archives/\(Self.repository)"
            return HTTPResponse(statusCode: .found, headers: HTTPHeaders([.location: url]))
        case "archives":
            let archive = MadeUpFile.bytes.prefix(1 << 20)
            return HTTPResponse(statusCode: .ok, headers: [.contentType: "application/x-gzip"], body: archive)
        default: return notFound(anchor: "")
        }
    }

    private func issues(_ request: HTTPRequest) -> HTTPResponse {
        let (state, label) = (request.queryValue("state") ?? "open", request.queryValue("labels"))
        let matching = Self.issues.filter { issue in
            (state == "all" || issue.isOpen == (state == "open")) && label.map(issue.labels.contains) ?? true
        }
        let perPage = min(max(request.queryValue("per_page").flatMap { Int($0) } ?? 30, 1), 100)
        let number = max(request.queryValue("page").flatMap { Int($0) } ?? 1, 1)
        let last = max((matching.count + perPage - 1) / perPage, 1)
        let page = number > last ? [] : matching.dropFirst((number - 1) * perPage).prefix(perPage)

        let filter = request.query.filter { $0.name != "page" }.map { "\($0.name)=\($0.value)&" }.joined()
        func link(to page: Int, _ relation: String) -> String {
            "<\(baseURL(of: request))/repositories/1/issues?\(filter)page=\(page)>; rel=\"\(relation)\""
        }
        var links: [String] = []
        if number > 1 { links += [link(to: number - 1, "prev"), link(to: 1, "first")] }
        if number < last { links += [link(to: number + 1, "next"), link(to: last, "last")] }
        return HTTPResponse(
            .ok,
            .array(page.map { $0.entry(repository: Self.repository, baseURL: baseURL(of: request)) }),
            headers: links.isEmpty ? [:] : [HTTPHeader("Link"): links.joined(separator: ", ")]
        )
    }

    /// Creates an issue, which is not kept.
    private func create(_ body: Data, _ request: HTTPRequest) -> HTTPResponse {
        struct Draft: Decodable { let title: String? }
        let draft = try? JSONDecoder().decode(Draft.self, from: body)
        guard let title = draft?.title, !title.isEmpty else {
            return invalid("Issue", field: "title", code: "missing_field", anchor: "/issues/issues#create-an-issue")
        }
        let issue = GitHubIssue(number: Self.issues.count + 1, isOpen: true, labels: [], title: title)
        return HTTPResponse(.created, issue.entry(repository: Self.repository, baseURL: baseURL(of: request)))
    }

    private func repository(_ request: HTTPRequest) -> HTTPResponse {
        let name = Self.repository.split(separator: "/").map(String.init)
        let body: JSON = [
            "id": 1,
            "name": .string(name[1]),
            "full_name": .string(Self.repository),
            "owner": Self.users[0].entry(baseURL: baseURL(of: request)),
            "private": false,
            "html_url": .string("https://github.com/\(Self.repository)"),
            "description": "Gives access to Git repositories from Ruby.",
            "fork": false,
            "default_branch": "master",
            "language": "Ruby",
            "stargazers_count": 1_904,
            "open_issues_count": .integer(Self.issues.count { $0.isOpen }),
        ]
        return HTTPResponse(.ok, body)
    }

    private func list(_ request: HTTPRequest) -> HTTPResponse {
        guard let since = Int(request.queryValue("since") ?? "0"), since >= 0 else {
            return invalid("User", field: "since", code: "invalid", anchor: "/users/users#list-users")
        }
        let perPage = request.queryValue("per_page").flatMap { Int($0) }
        let rest = Self.users.filter { $0.id > since }
        let page = rest.prefix(min(max(perPage ?? 30, 1), 100))

        let url = baseURL(of: request) + "/users"
        var links = ["<\(url){?since}>; rel=\"first\""]
        if page.count < rest.count, let last = page.last {
            let query = perPage.map { "per_page=\($0)&since=\(last.id)" } ?? "since=\(last.id)"
            links.insert("<\(url)?\(query)>; rel=\"next\"", at: 0)
        }
        return HTTPResponse(
            .ok,
            .array(page.map { $0.entry(baseURL: baseURL(of: request)) }),
            headers: [HTTPHeader("Link"): links.joined(separator: ", ")]
        )
    }

    private func user(login: String, _ request: HTTPRequest) -> HTTPResponse {
        guard let user = Self.users.first(where: { $0.login == login }) else {
            return notFound(anchor: "#get-a-user")
        }
        return HTTPResponse(.ok, user.profile(baseURL: baseURL(of: request)))
    }

    /// The address of this server as the client knows it.
    private func baseURL(of request: HTTPRequest) -> String {
        "http://" + (request.headers[.host] ?? "127.0.0.1")
    }

    // MARK: - Refusals

    private func notFound(anchor: String) -> HTTPResponse {
        let body: JSON = [
            "message": "Not Found",
            "documentation_url": .string(anchor.isEmpty ? "https://docs.github.com/rest" : Self.documentation + anchor),
            "status": "404",
        ]
        return HTTPResponse(.notFound, body)
    }

    private func invalid(_ resource: JSON, field: JSON, code: JSON, anchor: String) -> HTTPResponse {
        let body: JSON = [
            "message": "Validation Failed",
            "errors": [["resource": resource, "field": field, "code": code]],
            "documentation_url": .string("https://docs.github.com/rest\(anchor)"),
            "status": "422",
        ]
        return HTTPResponse(.unprocessableContent, body)
    }

    private func missingUserAgent() -> HTTPResponse {
        let text = """

            Request forbidden by administrative rules. Please make sure your request has a User-Agent header \
            (https://docs.github.com/en/rest/overview/resources-in-the-rest-api#user-agent-required). \
            Check https://developer.github.com for other possible causes.

            """
        return HTTPResponse(statusCode: .forbidden, headers: [.contentType: "text/html"], body: Data(text.utf8))
    }
}

/// Counts the requests, as GitHub does per hour.
private actor RateLimit {
    private let limit = 5_000
    private let reset = Int(Date().timeIntervalSince1970) + 3_600
    private var used = 0

    /// Counts a request and returns the headers that report the count.
    func count() -> [HTTPHeader: String] {
        used += 1
        let number = String(used, radix: 16, uppercase: true)
        let window = String(reset, radix: 16, uppercase: true)
        return [
            HTTPHeader("X-GitHub-Request-Id"): "7F00:1:\(number):\(number):\(window)",
            HTTPHeader("X-RateLimit-Limit"): String(limit),
            HTTPHeader("X-RateLimit-Remaining"): String(max(limit - used, 0)),
            HTTPHeader("X-RateLimit-Reset"): String(reset),
            HTTPHeader("X-RateLimit-Used"): String(used),
            HTTPHeader("X-RateLimit-Resource"): "core",
        ]
    }
}
