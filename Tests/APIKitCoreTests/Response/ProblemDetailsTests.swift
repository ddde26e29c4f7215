import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@Suite struct ProblemDetailsTests {
    private func problem(_ text: String) throws -> ProblemDetails { try ProblemDetails.process(data: Data(text.utf8)) }

    // RFC 9457, section 3.
    @Test func readsTheStandardsExample() throws {
        let text = """
            {
             "type": "https://example.com/probs/out-of-credit",
             "title": "You do not have enough credit.",
             "detail": "Your current balance is 30, but that costs 50.",
             "instance": "/account/12345/msgs/abc",
             "balance": 30,
             "accounts": ["/account/12345", "/account/67890"]
            }
            """
        #expect(
            try problem(text)
                == ProblemDetails(
                    type: "https://example.com/probs/out-of-credit", title: "You do not have enough credit.",
                    detail: "Your current balance is 30, but that costs 50.", instance: "/account/12345/msgs/abc"))
    }

    // RFC 9457, section 3.1.1: the type is "about:blank" where there is none.
    @Test(arguments: ["{}", #"{"type":null}"#, #"{"type":7}"#, #"{"type":{"a":1}}"#, #"{"type":"about:blank"}"#])
    func theTypeIsAboutBlankWhereThereIsNone(text: String) throws {
        #expect(try problem(text) == ProblemDetails())
        #expect(ProblemDetails().type == "about:blank")
    }

    // RFC 9457, section 3.1: a value of another type is ignored.
    @Test(arguments: ["7", #"["t"]"#, #"{"en":"t"}"#, "null", "true"])
    func aTitleOfTheWrongTypeCountsAsMissing(title: String) throws {
        let text = #"{"title":\#(title),"status":403,"detail":"d","instance":"/i","errors":[{"pointer":"/age"}]}"#
        #expect(try problem(text) == ProblemDetails(status: 403, detail: "d", instance: "/i"))
    }

    @Test(arguments: [#""403""#, "403.5", "null", "true", "[403]", "1e400", "99999999999999999999"])
    func aStatusThatIsNoNumberCountsAsMissing(status: String) throws {
        #expect(
            try problem(#"{"title":"t","status":\#(status),"detail":"d"}"#) == ProblemDetails(title: "t", detail: "d"))
    }

    @Test(arguments: ["[]", "\"text\"", "7", "null", "", "<html>", "{"]) func whatIsNoObjectIsNoProblem(text: String) {
        #expect(throws: DecodingError.self) { try problem(text) }
    }

    @Test func arrivesAsTheFailureOfARefusedStatus() async throws {
        let body = HTTPResponse.status(
            403, headers: [.contentType: "application/problem+json"], body: Data(#"{"title":"no","status":"x"}"#.utf8))
        let error = try await ImmediateClient(body).failure(of: Endpoint<Account, ProblemDetails>())
        #expect(error.rejection?.failure == ProblemDetails(title: "no"))
        #expect(error.status == 403)
    }
}
