import APIKit
import APIKitTesting
import Foundation
import SuiteSupport
import Testing

/// Lists in pages: by links, by tokens in queries, headers and bodies, and by the size of a page.
@Suite struct PageableTests {
    struct Pet: Decodable, Equatable {
        let id: String
        let name: String
    }

    private let allPets = [
        Pet(id: "1", name: "dog"), Pet(id: "2", name: "cat"), Pet(id: "3", name: "bird"), Pet(id: "4", name: "fish"),
    ]
    private let firstPage = #"[{"id": "1", "name": "dog"}, {"id": "2", "name": "cat"}]"#
    private let secondPage = #"[{"id": "3", "name": "bird"}, {"id": "4", "name": "fish"}]"#

    private static let path = "/payload/pageable/server-driven-pagination"

    /// A server that returns two pages.
    private func server<Request: PagedRequest>(
        for type: Request.Type, _ first: String, headers: HTTPHeaders = [:], _ second: String
    ) -> StubClient {
        StubClient().answering(type, once: .json(first, headers: headers), .json(second))
    }

    /// Returns all items of a list whose items are in a member of the model.
    private func items<Request: PagedRequest>(
        of request: Request, from client: StubClient, in pets: @escaping @Sendable (Request.Response.Model) -> [Pet]
    ) async throws -> [Pet] {
        var all: [Pet] = []
        for try await pet in client.items(of: request, in: pets) { all.append(pet) }
        return all
    }

    // MARK: - Links

    struct PetList: JSONResponse {
        let pets: [Pet]
        let next: URL?
    }

    struct Linked: ServiceRequest, PagedRequest {
        typealias Response = PetList
        var path: URLPath
        var pageLink: URL?

        func next(after reply: APIReply<PetList>) -> Self? { next(setting: \.pageLink, to: reply.model.next) }
    }

    @Test(
        .scenario(
            "Payload_Pageable_ServerDrivenPagination_link", "Payload_Pageable_ServerDrivenPagination_linkString"),
        arguments: ["link", "link-string"])
    func links(name: String) async throws {
        let link = "http://localhost:3000\(Self.path)/\(name)/nextPage"
        let stub = server(
            for: Linked.self, #"{"pets": \#(firstPage), "next": "\#(link)"}"#, #"{"pets": \#(secondPage)}"#)
        let request = Linked(path: "payload/pageable/server-driven-pagination/\(name)")
        #expect(try await items(of: request, from: stub, in: \.pets) == allPets)
        try await expect(stub.requests[0], is: "GET", "\(Self.path)/\(name)")
        try await expect(stub.requests[1], is: "GET", "\(Self.path)/\(name)/nextPage")
    }

    struct NestedList: JSONResponse {
        let nestedItems: Items
        let nestedNext: Next?
        struct Items: Decodable { let pets: [Pet] }
        struct Next: Decodable {
            var next: URL?
            var nextToken: String?
        }
    }

    struct NestedLink: ServiceRequest, PagedRequest {
        typealias Response = NestedList
        var pageLink: URL?
        var path: URLPath { "payload/pageable/server-driven-pagination/nested-link" }

        func next(after reply: APIReply<NestedList>) -> Self? {
            next(setting: \.pageLink, to: reply.model.nestedNext?.next)
        }
    }

    @Test(.scenario("Payload_Pageable_ServerDrivenPagination_nestedLink"))
    func nestedLink() async throws {
        let link = "http://localhost:3000\(Self.path)/nested-link/nextPage"
        let stub = server(
            for: NestedLink.self, #"{"nestedItems": {"pets": \#(firstPage)}, "nestedNext": {"next": "\#(link)"}}"#,
            #"{"nestedItems": {"pets": \#(secondPage)}}"#)
        #expect(try await items(of: NestedLink(), from: stub, in: \.nestedItems.pets) == allPets)
        try await expect(stub.requests[0], is: "GET", "\(Self.path)/nested-link")
        try await expect(stub.requests[1], is: "GET", "\(Self.path)/nested-link/nextPage")
    }

    /// A list whose first page is requested with a `POST`, and the others with a `GET`.
    struct InitialPost: ServiceRequest, JSONRequest, PagedRequest {
        typealias Response = PetList
        var filter: String
        var pageLink: URL?
        var method: HTTPMethod { pageLink == nil ? .post : .get }
        var path: URLPath { "payload/pageable/server-driven-pagination/link/initial-post" }
        var parameters: Parameters { pageLink == nil ? ["filter": filter] : [:] }

        func next(after reply: APIReply<PetList>) -> Self? { next(setting: \.pageLink, to: reply.model.next) }
    }

    @Test(.scenario("Payload_Pageable_ServerDrivenPagination_AlternateInitialVerb_post"))
    func initialPost() async throws {
        let link = "http://localhost:3000\(Self.path)/link/initial-post/nextPage?token=abc"
        let stub = server(
            for: InitialPost.self, #"{"pets": \#(firstPage), "next": "\#(link)"}"#, #"{"pets": \#(secondPage)}"#)
        let request = InitialPost(filter: "foo eq bar")
        #expect(try await items(of: request, from: stub, in: \.pets) == allPets)
        try await expect(
            stub.requests[0], is: "POST", "\(Self.path)/link/initial-post", .json(#"{"filter": "foo eq bar"}"#))
        try await expect(stub.requests[1], is: "GET", "\(Self.path)/link/initial-post/nextPage?token=abc")
    }

    // MARK: - Tokens

    struct TokenList: JSONResponse {
        let pets: [Pet]
        let nextToken: String?
    }

    /// The token of the next page is in the body or in a header of the response.
    struct TokenInQuery: ServiceRequest, PagedRequest {
        typealias Response = TokenList
        var path: URLPath
        var token: String?
        var parameters: Parameters { ["token": token, "bar": "bar"] }
        var headers: HTTPHeaders { ["foo": "foo"] }

        func next(after reply: APIReply<TokenList>) -> Self? {
            next(setting: \.token, to: reply.model.nextToken ?? reply.head.headers["next-token"])
        }
    }

    struct TokenInHeader: ServiceRequest, PagedRequest {
        typealias Response = TokenList
        var path: URLPath
        var token: String?
        var parameters: Parameters { ["bar": "bar"] }
        var headers: HTTPHeaders { ["token": token, "foo": "foo"] }

        func next(after reply: APIReply<TokenList>) -> Self? {
            next(setting: \.token, to: reply.model.nextToken ?? reply.head.headers["next-token"])
        }
    }

    @Test(
        .scenario(
            "Payload_Pageable_ServerDrivenPagination_ContinuationToken_requestQueryResponseBody",
            "Payload_Pageable_ServerDrivenPagination_ContinuationToken_requestHeaderResponseBody"))
    func tokenInBody() async throws {
        let first = #"{"pets": \#(firstPage), "nextToken": "page2"}"#
        let second = #"{"pets": \#(secondPage)}"#
        let path = "\(Self.path)/continuationtoken"

        let queryStub = server(for: TokenInQuery.self, first, second)
        let inQuery = TokenInQuery(
            path: "payload/pageable/server-driven-pagination/continuationtoken/request-query-response-body")
        #expect(try await items(of: inQuery, from: queryStub, in: \.pets) == allPets)
        try await expect(
            queryStub.requests[0], is: "GET", "\(path)/request-query-response-body?bar=bar", headers: ["foo": "foo"])
        try await expect(
            queryStub.requests[1], is: "GET", "\(path)/request-query-response-body?token=page2&bar=bar",
            headers: ["foo": "foo"])

        let headerStub = server(for: TokenInHeader.self, first, second)
        let inHeader = TokenInHeader(
            path: "payload/pageable/server-driven-pagination/continuationtoken/request-header-response-body")
        #expect(try await items(of: inHeader, from: headerStub, in: \.pets) == allPets)
        try await expect(
            headerStub.requests[0], is: "GET", "\(path)/request-header-response-body?bar=bar",
            headers: ["token": nil, "foo": "foo"])
        try await expect(
            headerStub.requests[1], is: "GET", "\(path)/request-header-response-body?bar=bar",
            headers: ["token": "page2", "foo": "foo"])
    }

    @Test(
        .scenario(
            "Payload_Pageable_ServerDrivenPagination_ContinuationToken_requestQueryResponseHeader",
            "Payload_Pageable_ServerDrivenPagination_ContinuationToken_requestHeaderResponseHeader"))
    func tokenInHeader() async throws {
        let first = #"{"pets": \#(firstPage)}"#
        let second = #"{"pets": \#(secondPage)}"#
        let headers: HTTPHeaders = ["next-token": "page2", "foo": "foo"]
        let path = "\(Self.path)/continuationtoken"

        let queryStub = server(for: TokenInQuery.self, first, headers: headers, second)
        let inQuery = TokenInQuery(
            path: "payload/pageable/server-driven-pagination/continuationtoken/request-query-response-header")
        #expect(try await items(of: inQuery, from: queryStub, in: \.pets) == allPets)
        try await expect(
            queryStub.requests[1], is: "GET", "\(path)/request-query-response-header?token=page2&bar=bar",
            headers: ["foo": "foo"])

        let headerStub = server(for: TokenInHeader.self, first, headers: headers, second)
        let inHeader = TokenInHeader(
            path: "payload/pageable/server-driven-pagination/continuationtoken/request-header-response-header")
        #expect(try await items(of: inHeader, from: headerStub, in: \.pets) == allPets)
        try await expect(
            headerStub.requests[1], is: "GET", "\(path)/request-header-response-header?bar=bar",
            headers: ["token": "page2", "foo": "foo"])
    }

    /// The token of the next page is inside another object.
    struct NestedToken: ServiceRequest, PagedRequest {
        typealias Response = NestedList
        var path: URLPath
        var isTokenInHeader: Bool
        var token: String?
        var parameters: Parameters { ["token": isTokenInHeader ? nil : token, "bar": "bar"] }
        var headers: HTTPHeaders { ["token": isTokenInHeader ? token : nil, "foo": "foo"] }

        func next(after reply: APIReply<NestedList>) -> Self? {
            next(setting: \.token, to: reply.model.nestedNext?.nextToken)
        }
    }

    @Test(
        .scenario(
            "Payload_Pageable_ServerDrivenPagination_ContinuationToken_requestQueryNestedResponseBody",
            "Payload_Pageable_ServerDrivenPagination_ContinuationToken_requestHeaderNestedResponseBody"))
    func nestedToken() async throws {
        let first = #"{"nestedItems": {"pets": \#(firstPage)}, "nestedNext": {"nextToken": "page2"}}"#
        let second = #"{"nestedItems": {"pets": \#(secondPage)}}"#
        let path = "\(Self.path)/continuationtoken"

        let queryStub = server(for: NestedToken.self, first, second)
        let inQuery = NestedToken(
            path: "payload/pageable/server-driven-pagination/continuationtoken/request-query-nested-response-body",
            isTokenInHeader: false)
        #expect(try await items(of: inQuery, from: queryStub, in: \.nestedItems.pets) == allPets)
        try await expect(
            queryStub.requests[1], is: "GET", "\(path)/request-query-nested-response-body?token=page2&bar=bar",
            headers: ["token": nil, "foo": "foo"])

        let headerStub = server(for: NestedToken.self, first, second)
        let inHeader = NestedToken(
            path: "payload/pageable/server-driven-pagination/continuationtoken/request-header-nested-response-body",
            isTokenInHeader: true)
        #expect(try await items(of: inHeader, from: headerStub, in: \.nestedItems.pets) == allPets)
        try await expect(
            headerStub.requests[1], is: "GET", "\(path)/request-header-nested-response-body?bar=bar",
            headers: ["token": "page2", "foo": "foo"])
    }

    // MARK: - Size of a page

    struct Sized: ServiceRequest {
        typealias Response = PetsOnly
        var path: URLPath
        var pageSize: Int?
        var parameters: Parameters { ["pageSize": pageSize] }
    }

    struct PetsOnly: JSONResponse, Equatable {
        let pets: [Pet]
    }

    @Test(.scenario("Payload_Pageable_PageSize_listWithoutContinuation", "Payload_Pageable_PageSize_listWithPageSize"))
    func pageSize() async throws {
        let all = """
            {"pets": [{"id": "1", "name": "dog"}, {"id": "2", "name": "cat"}, {"id": "3", "name": "bird"},
            {"id": "4", "name": "fish"}]}
            """
        let unlimited = Sized(path: "payload/pageable/pagesize/without-continuation")
        try await expect(unlimited, sends: "GET", "/payload/pageable/pagesize/without-continuation")
        try await expect(unlimited, reads: all, as: PetsOnly(pets: allPets))

        let two = Sized(path: "payload/pageable/pagesize/list", pageSize: 2)
        try await expect(two, sends: "GET", "/payload/pageable/pagesize/list?pageSize=2")
        try await expect(two, reads: #"{"pets": \#(firstPage)}"#, as: PetsOnly(pets: Array(allPets.prefix(2))))
        let four = Sized(path: "payload/pageable/pagesize/list", pageSize: 4)
        try await expect(four, sends: "GET", "/payload/pageable/pagesize/list?pageSize=4")
        try await expect(four, reads: all, as: PetsOnly(pets: allPets))
    }
}
