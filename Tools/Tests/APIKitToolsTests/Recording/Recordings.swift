import Foundation

/// Recordings as different programs write them, with secrets that must not reach any file.
enum Recordings {
    /// What must appear nowhere.
    static let secrets = [
        "hunter2-correct-horse", "sk_live_4eC39HqLyjWDarjtT1zdp7dc",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJlMTIz",
        "s%3Aq8Zk2mVxLw93", "AIzaSyD-9tSrke72PouQMnMX", "csrf-81723-abcdef", "dXNlcjpodW50ZXIy", "refresh-99-aa-77-bb",
    ]

    static let all: [(name: String, har: String)] = [
        ("Browser", browser), ("Masked", masked), ("CurlTools", curlTools), ("Slugs", slugs), ("Hashes", hashes),
        ("Login", login), ("Shapes", shapes), ("Graph", graph), ("Hosts", hosts), ("Django", django),
    ]

    private static let bearer = ["Authorization": "Bearer \(secrets[2])"]

    /// What Chrome exports: pages, scripts and images beside the API, pseudo-headers, cookies.
    static let browser: String = {
        let file = GoldenTests.tests.appending(path: "Descriptions/session.har")
        return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    }()

    /// What the library's `HARFile` writes.
    static let masked = har([
        entry(
            "GET", "https://api.masked.example/v1/keys?api_key=***", headers: ["Authorization": "***"], status: 200,
            type: "application/json", response: #"{"keys": [{"id": 7, "api_key": "***", "pin": 0}]}"#),
        entry(
            "GET", "https://api.masked.example/v1/keys/7?api_key=***", headers: ["Authorization": "***"], status: 200,
            type: "application/json", response: #"{"id": 7, "api_key": "***", "pin": 0}"#),
    ])

    /// Base64, numbers above 32 bits, missing members of the format.
    static let curlTools = har([
        entry(
            "GET", "http://localhost:8080/jobs/123?verbose=true", status: 200, type: "application/json",
            response: Data(#"{"id": 12345678901234, "ratio": 1, "done": true}"#.utf8).base64EncodedString(),
            encoding: "base64"),
        entry(
            "GET", "http://localhost:8080/jobs/124?verbose=true", status: 200, type: "application/json",
            response: #"{"id": 2, "ratio": 0.5, "done": false}"#),
        #"{"request": {"method": "GET", "url": "http://localhost:8080/health"}, "response": {"status": 204}}"#,
        #"{"request": {"method": "GET"}}"#,
    ])

    /// Names in paths, and words that are not names.
    static let slugs = har([
        entry(
            "GET", "https://api.slugs.example/users/ann", status: 200, type: "application/json",
            response: #"{"login": "ann", "score": 1.5}"#),
        entry(
            "GET", "https://api.slugs.example/users/bob", status: 200, type: "application/json",
            response: #"{"login": "bob", "score": 2}"#),
        entry(
            "GET", "https://api.slugs.example/users/me", headers: bearer, status: 200, type: "application/json",
            response: #"{"login": "me", "score": 2, "plan": "free"}"#),
        entry(
            "PUT", "https://api.slugs.example/users/ann", body: #"{"score": 3}"#, bodyType: "application/json",
            status: 200, type: "application/json", response: #"{"login": "ann", "score": 3}"#),
        entry(
            "GET", "https://api.slugs.example/users/ann/repos", status: 200, type: "application/json",
            response: #"[{"name": "lamp", "stars": 1}]"#),
        entry(
            "GET", "https://api.slugs.example/orders/open", status: 200, type: "application/json",
            response: #"{"total": 7}"#),
    ])

    /// UUIDs, hashes and identifiers in paths.
    static let hashes = har([
        entry(
            "GET", "https://api.hashes.example/teams/8B5F0B9A-2C7E-4F0D-9C3A-6E1D2F4A7B90/members/cus_9s6XKzkNRiz8i3",
            status: 200, type: "application/json", response: #"{"id": "cus_9s6XKzkNRiz8i3", "role": "admin"}"#),
        entry(
            "GET", "https://api.hashes.example/teams/11111111-2C7E-4F0D-9C3A-6E1D2F4A7B90/members/cus_8s6XKzkNRiz8i4",
            status: 200, type: "application/json",
            response: #"{"id": "cus_8s6XKzkNRiz8i4", "role": "guest", "since": "2026-02-03"}"#),
        entry(
            "GET", "https://api.hashes.example/commits/da39a3ee5e6b4b0d3255bfef95601890afd80709", status: 200,
            type: "application/json", response: #"{"sha": "da39a3ee5e6b4b0d3255bfef95601890afd80709", "parents": []}"#),
        entry(
            "GET", "https://api.hashes.example/days/2026-11-20", status: 200, type: "application/json",
            response: #"{"day": "2026-11-20", "count": 3}"#),
    ])

    /// A form with a password, and a token that is used in the next requests.
    static let login = har([
        entry(
            "POST", "https://auth.login.example/session", headers: ["X-CSRF-Token": secrets[5]],
            body: "user=ann&password=\(secrets[0])&csrf_token=\(secrets[5])",
            bodyType: "application/x-www-form-urlencoded",
            status: 200, type: "application/json",
            response:
                #"{"access_token": "\#(secrets[2])", "refresh_token": "\#(secrets[7])", "expires_in": 3600, "user": {"id": 7}}"#
        ),
        entry(
            "GET", "https://auth.login.example/me", headers: bearer, status: 200, type: "application/json",
            response: #"{"id": 7, "name": "Ann", "note": "my token is \#(secrets[2])"}"#),
        entry(
            "GET", "https://auth.login.example/me/avatar?token=\(secrets[2])",
            headers: ["Authorization": "Basic \(secrets[6])"], status: 200, type: "application/json",
            response: #"{"url": "https://auth.login.example/a.png?token=\#(secrets[2])"}"#),
    ])

    /// Null, absent, mixed and empty values, and names that are data.
    static let shapes = har([
        entry(
            "GET", "https://api.shapes.example/things/1", status: 200, type: "application/json",
            response:
                #"{"id": 1, "tags": [], "owner": null, "size": 3, "by_id": {"7": {"n": 1}, "8": {"n": 2}}, "value": "a", "always": null, "meta": {}}"#
        ),
        entry(
            "GET", "https://api.shapes.example/things/2", status: 200, type: "application/json",
            response:
                #"{"id": 2, "tags": ["a"], "owner": {"id": 7, "name": "Ann"}, "size": 3.5, "by_id": {}, "value": 7, "always": null, "meta": {}}"#
        ),
        entry(
            "GET", "https://api.shapes.example/things/3", status: 200, type: "application/json",
            response:
                ##"{"id": 3, "tags": [], "size": 1, "value": "say \"hi\" \\#(x) \"\"\"#", "always": null, "meta": {}}"##
        ),
        entry(
            "GET", "https://api.shapes.example/counts", status: 200, type: "application/json",
            response: "[1, 2, 3, 4, 5]"),
    ])

    /// One address for everything, and a stream.
    static let graph = har([
        entry(
            "POST", "https://api.graph.example/graphql", headers: bearer,
            body: #"{"operationName": "Me", "query": "query Me { me { id } }", "variables": {}}"#,
            bodyType: "application/json", status: 200, type: "application/json",
            response: #"{"data": {"me": {"id": "7"}}}"#),
        entry(
            "POST", "https://api.graph.example/graphql", headers: bearer,
            body: #"{"operationName": "Item", "query": "query Item { item { id } }", "variables": {"id": 7}}"#,
            bodyType: "application/json", status: 200, type: "application/json",
            response: #"{"data": {"item": {"id": "8"}}, "errors": []}"#),
        entry(
            "GET", "https://api.graph.example/events", headers: bearer, status: 200, type: "text/event-stream",
            response: "data: {}\n\n"),
    ])

    /// Other hosts beside the API's.
    static let hosts = har([
        entry(
            "GET", "https://www.hosts.example/api/items/1", status: 200, type: "application/json",
            response: #"{"id": 1}"#),
        entry(
            "GET", "https://www.hosts.example/api/items/2", status: 200, type: "application/json",
            response: #"{"id": 2}"#),
        entry(
            "GET", "https://media.hosts.example/files/7/info", status: 200, type: "application/json",
            response: #"{"bytes": 7}"#),
        entry(
            "POST", "https://analytics.example/collect?v=1&tid=UA-1", body: "{}", bodyType: "application/json",
            status: 200, type: "application/json", response: "{}"),
        entry("GET", "https://www.hosts.example/fonts/a.woff2", status: 200, type: "font/woff2", response: ""),
        entry("GET", "https://www.hosts.example/old", status: 301, type: "text/html", response: ""),
    ])

    /// Slashes at the end, links to pages, keys in the query and in a header, a form with a file.
    static let django = har([
        entry(
            "GET", "https://django.example/api/books/?key=\(secrets[4])&page=1",
            headers: ["X-Api-Key": secrets[1], "X-Tenant": "north"], status: 200, type: "application/json",
            response:
                #"{"count": 2, "next": "https://django.example/api/books/?page=2", "results": [{"id": 1, "title": "A", "published": "2026-01-02"}]}"#
        ),
        entry(
            "GET", "https://django.example/api/books/?key=\(secrets[4])&page=2",
            headers: ["X-Api-Key": secrets[1], "X-Tenant": "north"], status: 200, type: "application/json",
            response: #"{"count": 2, "next": null, "results": [{"id": 2, "title": "B", "published": null}]}"#),
        entry(
            "GET", "https://django.example/api/books/1/?key=\(secrets[4])",
            headers: ["X-Api-Key": secrets[1], "X-Tenant": "north"], status: 200, type: "application/json",
            response: #"{"id": 1, "title": "A", "published": "2026-01-02", "author": {"name": "Ann"}}"#),
        entry(
            "POST", "https://django.example/api/books/1/cover/",
            headers: ["X-Api-Key": secrets[1], "X-Tenant": "north"],
            body:
                "--b\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nLamp\r\n--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\nPNG\r\n--b--\r\n",
            bodyType: "multipart/form-data; boundary=b", status: 201, type: "application/json",
            response: #"{"ok": true}"#),
    ])

    // MARK: - The format

    private static func har(_ entries: [String]) -> String {
        #"{"log": {"version": "1.2", "creator": {"name": "a", "version": "1"}, "entries": [\#(entries.joined(separator: ",\n"))]}}"#
    }

    private static func entry(
        _ method: String, _ url: String, headers: [String: String] = [:], body: String? = nil, bodyType: String = "",
        status: Int, type: String, response: String, encoding: String? = nil
    ) -> String {
        let fields = headers.sorted { $0.key < $1.key }.map { #"{"name": \#(json($0)), "value": \#(json($1))}"# }
        let post = body.map { #", "postData": {"mimeType": \#(json(bodyType)), "text": \#(json($0))}"# } ?? ""
        let encoding = encoding.map { #", "encoding": "\#($0)""# } ?? ""
        let content = #"{"mimeType": \#(json(type)), "text": \#(json(response))\#(encoding)}"#
        return
            #"{"request": {"method": "\#(method)", "url": \#(json(url)), "headers": [\#(fields.joined(separator: ","))]\#(post)}, "response": {"status": \#(status), "headers": [], "content": \#(content)}}"#
    }

    private static func json(_ text: String) -> String {
        String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self)
    }
}
