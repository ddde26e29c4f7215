import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@Suite struct APIResponseTests {
    /// Reads a format of its own and uses every requirement.
    private enum Lines: APIResponse {
        typealias Model = [String]
        static var delivery: ResponseBody.Delivery { .stream }
        static var acceptedTypes: [MIMEType] { [.csv, .plainText] }
        static func isSuccess(_ head: HTTPResponse.Head) -> Bool {
            head.status == 206 || head.headers["X-Lines"] != nil
        }
        static func process(data: Data) throws -> [String] {
            String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
        }
    }

    /// Sees status and headers.
    private struct Version: APIResponse, Equatable {
        let tag: String?
        let status: Int
        static func process(response: HTTPResponse) async throws -> Version {
            Version(tag: response.head.headers[.eTag], status: response.head.status)
        }
    }

    @Test func aTypeMaySeeTheStatusAndTheHeaders() async throws {
        let client = ImmediateClient(.status(201, headers: ["etag": "\"1\""]))
        #expect(try await client.send(Endpoint<Version, Data>()) == Version(tag: "\"1\"", status: 201))
        #expect(try await client.send(Endpoint<NilIfNotFound<Version>, Data>()) == Version(tag: "\"1\"", status: 201))
    }

    private struct Unfinished: APIResponse {}

    @Test func bytesWithoutAWayToReadThemAreAClearError() async throws {
        let problem = "reads no bytes by themselves: implement process(data:), or call process(response:)"
        let error = #expect(throws: ContentError.self) { try Version.process(data: Data()) }
        #expect(error?.description == "Version \(problem)")
        let failure = try await ImmediateClient(.status(200)).failure(of: Endpoint<Unfinished, Data>())
        #expect(failure.description.hasSuffix(": Unfinished \(problem)"), "\(failure)")
    }

    @Test func aTypeSaysWhatItAccepts() async throws {
        #expect(try await ImmediateClient(.text("a", status: 206)).send(Endpoint<Lines, Data>()) == ["a"])
        let plain = try await ImmediateClient(.text("a", status: 200)).failure(of: Endpoint<Lines, Data>())
        #expect(plain.rejection?.failure == Data("a".utf8))
        let marked = HTTPResponse.status(404, headers: ["x-lines": "1"], body: Data("a".utf8))
        #expect(try await ImmediateClient(marked).send(Endpoint<Lines, Data>()) == ["a"])
    }

    @Test func aTypeSaysHowItIsDeliveredAndWhatItAsksFor() throws {
        let request = try Endpoint<Lines, Data>().httpRequest()
        #expect(request.delivery == .stream)
        #expect(request.headers[.accept] == "text/csv, text/plain")
        #expect(try Endpoint<Lines?, Data>().httpRequest().delivery == .stream)
        #expect(try Endpoint<NilIfNotFound<Lines>, Data>().httpRequest().delivery == .stream)
    }

    private struct NumberedLine: DirectoryRequest {
        typealias Response = Lines
        typealias Failure = String
        let number: Int
        var path: URLPath { "lines" }
        func process(_ response: HTTPResponse) async throws -> [String] {
            let lines = try await Lines.process(response: response)
            guard lines.indices.contains(number) else { throw CocoaError(.coderValueNotFound) }
            return [lines[number]]
        }
    }

    @Test func anEndpointReadsItsResponseWithItsOwnValues() async throws {
        let client = ImmediateClient(.text("a\nb", status: 206))
        for (number, line) in [(0, "a"), (1, "b")] {
            #expect(try await client.send(NumberedLine(number: number)) == [line])
        }
        let error = try await client.failure(of: NumberedLine(number: 2))
        #expect(error.unreadable?.error is CocoaError)
        #expect(error.status == 206)
    }
}
