import APIKit
import SuiteSupport
import Testing

/// Base URLs with parameters of their own, and versions in paths and queries.
@Suite struct ServerTests {
    /// A `HEAD` that returns nothing.
    struct Head: APIRequest {
        typealias Response = NoContent
        var base: APIBase = .service
        var method: HTTPMethod { .head }
        var path: URLPath
    }

    struct Multiple: APIRequest {
        typealias Response = NoContent
        var keyword = ""
        var base: APIBase { APIBase("http://localhost:3000/server/path/multiple/v1.0") }
        var path: URLPath { "\(segments: keyword)" }
    }

    @Test(.scenario("Server_Endpoint_NotDefined_valid", "Server_Path_Single_myOp"))
    func head() async throws {
        try await expect(
            Head(path: "server/endpoint/not-defined/valid"), sends: "HEAD", "/server/endpoint/not-defined/valid")
        try await expect(Head(path: "server/path/single/myOp"), sends: "HEAD", "/server/path/single/myOp")
    }

    @Test(.scenario("Server_Path_Multiple_noOperationParams", "Server_Path_Multiple_withOperationPathParam"))
    func versionInBase() async throws {
        try await expect(Multiple(), sends: "GET", "/server/path/multiple/v1.0")
        try await expect(Multiple(keyword: "test"), sends: "GET", "/server/path/multiple/v1.0/test")
    }

    @Test(
        .scenario(
            "Server_Versions_NotVersioned_withoutApiVersion", "Server_Versions_NotVersioned_withPathApiVersion",
            "Server_Versions_NotVersioned_withQueryApiVersion"))
    func notVersioned() async throws {
        let path = "/server/versions/not-versioned"
        try await expect(
            Head(path: "server/versions/not-versioned/without-api-version"), sends: "HEAD",
            "\(path)/without-api-version")
        try await expect(
            Head(path: "server/versions/not-versioned/with-path-api-version/\("v1.0")"), sends: "HEAD",
            "\(path)/with-path-api-version/v1.0")
        let base = APIBase("http://localhost:3000", query: ["api-version": "v1.0"])
        try await expect(
            Head(base: base, path: "server/versions/not-versioned/with-query-api-version"), sends: "HEAD",
            "\(path)/with-query-api-version?api-version=v1.0")
    }

    @Test(
        .scenario(
            "Server_Versions_Versioned_withoutApiVersion", "Server_Versions_Versioned_withPathApiVersion",
            "Server_Versions_Versioned_withQueryOldApiVersion", "Server_Versions_Versioned_withQueryApiVersion"))
    func versioned() async throws {
        let path = "/server/versions/versioned"
        try await expect(
            Head(path: "server/versions/versioned/without-api-version"), sends: "HEAD", "\(path)/without-api-version")
        try await expect(
            Head(path: "server/versions/versioned/with-path-api-version/\("2022-12-01-preview")"), sends: "HEAD",
            "\(path)/with-path-api-version/2022-12-01-preview")
        let old = APIBase("http://localhost:3000", query: ["api-version": "2021-01-01-preview"])
        try await expect(
            Head(base: old, path: "server/versions/versioned/with-query-old-api-version"), sends: "HEAD",
            "\(path)/with-query-old-api-version?api-version=2021-01-01-preview")
        let current = APIBase("http://localhost:3000", query: ["api-version": "2022-12-01-preview"])
        try await expect(
            Head(base: current, path: "server/versions/versioned/with-query-api-version"), sends: "HEAD",
            "\(path)/with-query-api-version?api-version=2022-12-01-preview")
    }
}
