import APIKitCore
import APIKitStreams
import APIKitTesting
import Foundation
import TestSupport
import Testing

/// What an endpoint asks for, and how it wants it, by its type of response.
/// `{"data": …}`.
private struct DataEnvelope<Content: Decodable & Sendable>: JSONEnvelope {
    let data: Content
    var content: Content { data }
}

@Suite struct ResponseTypesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let accept: String?
        let delivery: ResponseBody.Delivery
        let request: @Sendable () throws -> HTTPRequest

        init<R: APIResponse, F: APIResponse>(
            _ response: R.Type, failure: F.Type = Data.self, _ accept: String?,
            _ delivery: ResponseBody.Delivery = .data
        ) {
            testDescription = "\(R.self), \(F.self)"
            (self.accept, self.delivery) = (accept, delivery)
            request = { try Endpoint<R, F>().httpRequest() }
        }
    }

    static let rows: [Row] = [
        Row(NoContent.self, nil), Row(Data.self, nil), Row(Data.self, failure: DirectoryError.self, nil),
        Row(String.self, "text/plain, */*;q=0.1"), Row(String?.self, "text/plain, */*;q=0.1"),
        Row(NilIfNotFound<String>.self, failure: DirectoryError.self, "text/plain, */*;q=0.1, application/json"),
        Row(Account.self, "application/json"), Row([Account]?.self, "application/json"),
        Row(NilIfNotFound<[Account]>.self, "application/json"), Row(JSON<Int>.self, "application/json"),
        Row([Account].self, failure: DirectoryError.self, "application/json"),
        Row(Account.self, failure: String.self, "application/json"),
        Row(Account.self, failure: ProblemDetails.self, "application/json, application/problem+json"),
        Row(ProblemDetails.self, failure: ProblemDetails.self, "application/problem+json"),
        Row(DataEnvelope<[ProblemDetails]>.self, "application/problem+json"),
        Row(DataEnvelope<Int>.self, "application/json"), Row(DownloadedFile.self, nil, .file),
        Row(DownloadedFile?.self, nil, .file), Row(TextLines.self, nil, .stream),
        Row(StreamedResponseTests.Readings.self, nil, .stream),
        Row(JSONLines<[Int]>.self, "application/x-ndjson, application/jsonl", .stream),
        Row(ServerSentEvents.self, "text/event-stream", .stream),
        Row(NilIfAccepted<[Account]>.self, "application/json"), Row(NilIfAccepted<DownloadedFile>.self, nil, .file),
    ]

    @Test(arguments: rows) func asksAndIsDelivered(row: Row) throws {
        let request = try row.request()
        #expect(request.headers[.accept] == row.accept)
        #expect(request.delivery == row.delivery)
    }
}
