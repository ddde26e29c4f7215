import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@Suite struct NilIfAcceptedTests {
    private typealias Probe = Endpoint<NilIfAccepted<Account>, DirectoryError>
    private let account = Account(id: 1, login: "ada")

    @Test(arguments: [HTTPResponse.status(202), .json(#"{"status":"running"}"#, status: 202)])
    func readsA202AsNil(response: HTTPResponse) async throws {
        #expect(try await ImmediateClient(response).send(Probe()) == nil)
    }

    @Test(arguments: [200, 201]) func readsTheResult(status: Int) async throws {
        let client = ImmediateClient(.json(#"{"id":1,"login":"ada"}"#, status: status))
        #expect(try await client.send(Probe()) == account)
        #expect(try NilIfAccepted<Account>.process(data: Data(#"{"id":1,"login":"ada"}"#.utf8)) == account)
    }

    @Test func everyOtherStatusIsARejection() async throws {
        let client = ImmediateClient(.json(#"{"message":"no"}"#, status: 404))
        #expect(try await client.failure(of: Probe()).rejection?.failure == DirectoryError(message: "no"))
    }
}
