import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@Suite struct OptionalAPIResponseTests {
    private typealias MaybeAccount = Account?
    private typealias MaybeFound = NilIfNotFound<Account>?

    private let account = Account(id: 1, login: "ada")

    @Test(arguments: [200, 204, 205]) func readsAnEmptyBodyAsNil(status: Int) async throws {
        let client = ImmediateClient(.status(status))
        #expect(try await client.send(Endpoint<Account?, Data>()) == nil)
        #expect(try MaybeAccount.process(data: Data()) == nil)
        #expect(try await client.send(Endpoint<[Account]?, Data>()) == nil)
        #expect(try await client.send(Endpoint<[String: Account]?, Data>()) == nil)
        #expect(try await client.send(Endpoint<String?, Data>()) == nil)
        #expect(try await client.send(Endpoint<Data?, Data>()) == nil)
        #expect(try await client.send(Endpoint<NoContent?, Data>()) == nil)
        #expect(try await client.send(Endpoint<JSON<[Int]>?, Data>()) == nil)
    }

    @Test func readsWhatIsThere() async throws {
        let one = ImmediateClient(.json(#"{"id":1,"login":"ada"}"#))
        #expect(try await one.send(Endpoint<Account?, Data>()) == account)
        #expect(try MaybeAccount.process(data: Data(#"{"id":1,"login":"ada"}"#.utf8)) == account)
        #expect(try await one.send(Endpoint<String?, Data>()) == #"{"id":1,"login":"ada"}"#)
        #expect(try await one.send(Endpoint<Data?, Data>())?.count == 22)
        for (text, accounts) in [(#"[{"id":1,"login":"ada"}]"#, [account]), ("[]", [])] {
            #expect(try await ImmediateClient(.json(text)).send(Endpoint<[Account]?, Data>()) == accounts)
        }
    }

    @Test(arguments: [" ", "\n", "{}", "<html>"]) func anythingElseStillHasToFit(body: String) async throws {
        let error = try await ImmediateClient(.text(body)).failure(of: Endpoint<Account?, Data>())
        #expect(error.unreadable?.error is DecodingError)
    }

    @Test func usesTheWrappedTypesOwnReading() async throws {
        let headers: HTTPHeaders = [.contentType: "text/plain; charset=latin1"]
        let client = ImmediateClient(.status(200, headers: headers, body: Data([0xEB])))
        #expect(try await client.send(Endpoint<String?, Data>()) == "ë")
    }

    @Test func acceptsAsTheWrappedTypeDoes() {
        #expect(MaybeFound.isSuccess(HTTPResponse.status(404).head))
        #expect(!MaybeAccount.isSuccess(HTTPResponse.status(404).head))
    }

    @Test func aFailureMayBeOptional() async throws {
        let empty = try await ImmediateClient(.status(500)).failure(of: Endpoint<Account, DirectoryError?>())
        #expect(empty.rejection?.failure == .some(nil))
        let body = HTTPResponse.json(#"{"message":"no"}"#, status: 500)
        let full = try await ImmediateClient(body).failure(of: Endpoint<Account, DirectoryError?>())
        #expect(full.rejection?.failure == DirectoryError(message: "no"))
        // It swallows no error of mapping.
        let unread = try await ImmediateClient(.json("[]")).failure(of: Endpoint<Account, DirectoryError?>())
        #expect(unread.unreadable?.error is DecodingError)
    }
}
