import APIKitCore
import APIKitTesting
import Foundation
import TestSupport

@testable import APIKitClients

/// A list of numbers in pages, by link, cursor, page or offset.
struct NumbersRequest: DirectoryRequest, PagedRequest {
    typealias Response = JSON<[Int]>
    var pageLink: URL?
    var endsAtRepeatedPage = false
    var page = 1
    var base: APIBase = "https://api.example.com"
    var path: URLPath = "numbers"
    var options = RequestOptions()
    var parameters: Parameters { ["page": page] }
    func next(after reply: APIReply<[Int]>) -> Self? { next(setting: \.pageLink, to: reply.links[.next]) }
    func total(in reply: APIReply<[Int]>) -> Int? { reply.head.headers["X-Total"].flatMap { Int($0) } }
}

/// A page whose items are in a property, with a cursor for the next one.
struct Batch: JSONResponse, Codable {
    var items: [Int]
    var cursor: String?
}

struct BatchesRequest: DirectoryRequest, PagedRequest {
    typealias Response = Batch
    var cursor: String?
    var path: URLPath { "batches" }
    var parameters: Parameters { ["cursor": cursor] }
    func next(after reply: APIReply<Batch>) -> Self? { next(setting: \.cursor, to: reply.model.cursor) }
}

/// Positions that are not optional.
struct PositionsRequest: DirectoryRequest, PagedRequest {
    typealias Response = JSON<[Int]>
    var offset = 0
    var page: UInt8 = 1
    var token = "start"
    var path: URLPath { "positions" }
    var parameters: Parameters { ["offset": offset, "page": page, "token": token] }
    func next(after reply: APIReply<[Int]>) -> Self? { next(advancing: \.offset, by: reply.model.count) }
}

extension StubClient {
    /// Answers with pages of two numbers each, which link to the next one.
    static func numbers(pages: Int, link: @escaping @Sendable (Int) -> String? = { _ in nil }) -> StubClient {
        StubClient { request in
            let page = request.url.pageNumber
            let next = page < pages ? "https://api.example.com/numbers?page=\(page + 1)" : nil
            let target = link(page) ?? next
            return .json(
                "[\(page * 2 - 1), \(page * 2)]",
                headers: [.link: target.map { "<\($0)>; rel=next" }, "X-Total": "\(pages * 2)"])
        }
    }

    /// The numbers of the pages that were requested.
    var pageNumbers: [Int] { requests.map(\.url.pageNumber) }
}

extension URL {
    var pageNumber: Int {
        Int((query ?? "").split(separator: "&").first { $0.hasPrefix("page=") }?.dropFirst(5) ?? "") ?? 0
    }
}
