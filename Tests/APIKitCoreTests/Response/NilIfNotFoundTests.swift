import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@Suite struct NilIfNotFoundTests {
    private let account = Account(id: 1, login: "ada")

    @Test(arguments: [
        HTTPResponse.status(404), .text("<html>Not here</html>", status: 404, type: "text/html"),
        .json(#"{"message":"no such account"}"#, status: 404), .json(#"{"id":1,"login":"ada"}"#, status: 404),
    ]) func readsA404AsNil(response: HTTPResponse) async throws {
        let client = ImmediateClient(response)
        let reply = try await client.reply(to: Endpoint<NilIfNotFound<Account>, DirectoryError>())
        #expect(reply.model == nil)
        #expect(reply.head.status == 404)
        #expect(try await client.send(Endpoint<NilIfNotFound<[Account]>, DirectoryError>()) == nil)
        #expect(try await client.send(Endpoint<NilIfNotFound<String>, DirectoryError>()) == nil)
    }

    @Test func readsWhatWasFound() async throws {
        let client = ImmediateClient(.json(#"{"id":1,"login":"ada"}"#))
        #expect(try await client.send(Endpoint<NilIfNotFound<Account>, DirectoryError>()) == account)
        #expect(try NilIfNotFound<Account>.process(data: Data(#"{"id":1,"login":"ada"}"#.utf8)) == account)
    }

    @Test(arguments: [400, 403, 405, 410, 500]) func everyOtherStatusIsARejection(status: Int) async throws {
        let client = ImmediateClient(.json(#"{"message":"no"}"#, status: status))
        let error = try await client.failure(of: Endpoint<NilIfNotFound<Account>, DirectoryError>())
        #expect(error.rejection?.failure == DirectoryError(message: "no"))
        #expect(error.status == status)
    }

    @Test func anEmptySuccessIsNotNil() async throws {
        let error = try await ImmediateClient(.status(200)).failure(
            of: Endpoint<NilIfNotFound<Account>, DirectoryError>())
        #expect(error.unreadable != nil)
    }

    @Test(arguments: [(404, .none), (204, .some(nil))] as [(Int, Account??)])
    func goesAroundAnOptional(status: Int, model: Account??) async throws {
        #expect(try await ImmediateClient(.status(status)).send(Endpoint<NilIfNotFound<Account?>, Data>()) == model)
    }
}
