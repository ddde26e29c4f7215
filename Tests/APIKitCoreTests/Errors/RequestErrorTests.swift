import APIKitCore
import Foundation
import TestSupport
import Testing

@Suite struct RequestErrorTests {
    private let url = URL(string: "https://u:hunter2@h/a?token=hunter2&page=2")!

    @Test func descriptionIsOneMaskedLine() {
        let error = RequestError(.body, "the token=hunter2 is wrong", method: .post, url: url)
        #expect(error.description == "POST https://h/a?token=***&page=2 was not sent: the token=*** is wrong")
        #expect(error.localizedDescription == error.description)
        #expect("\(error as any Error)" == error.description)
        #expect(RequestError(.path, "it is empty").description == "request was not sent: it is empty")
        for message in ["a\r\nb\nc", "one\ntwo", "one\r\ntwo"] {
            #expect(isOneLine(RequestError(.body, message, method: .get, url: url).description))
        }
    }

    @Test func equalErrorsSayTheSame() {
        let error = RequestError(.body, "it is empty", method: .post, url: url)
        #expect(error == RequestError(.body, "it is empty", method: .post, url: url))
        #expect(error.hashValue == RequestError(.body, "it is empty", method: .post, url: url).hashValue)
        let others = [
            RequestError(.path, "it is empty", method: .post, url: url),
            RequestError(.body, "it is full", method: .post, url: url),
            RequestError(.body, "it is empty", method: .put, url: url),
            RequestError(.body, "it is empty", method: .post),
        ]
        for other in others { #expect(error != other) }
    }

    @Test(arguments: [HTTPMethod.get, .post, .delete])
    func errorsOfEndpointNameMethodAndBaseURL(method: HTTPMethod) throws {
        let probes = [
            WireProbe(path: "a?b", method: method), WireProbe(method: method, parameters: ["a": Double.nan]),
            WireProbe(method: method, headers: ["a b": "c"]),
            WireProbe(method: method, defaultQuery: ["a": Double.nan]),
        ]
        for probe in probes {
            let error = try probe.fault()
            #expect(error.method == method)
            #expect(error.url?.host == "api.example.com")
            #expect(error.description.hasPrefix("\(method) https://api.example.com/v1"))
        }
    }

    @Test func errorsOfAnEndpointNameItAndItsPath() throws {
        let error = try WireProbe(path: "items/\(7)", parameters: ["a": Double.nan]).fault()
        #expect(error.url?.absoluteString == "https://api.example.com/v1/items/7")
        #expect(
            error.description == "GET https://api.example.com/v1/items/7 (WireProbe) was not sent: "
                + #""a": the number is nan, which cannot be sent"#)
    }

    @Test func aDateThatCannotBeSentIsNamed() throws {
        let date = Date(timeIntervalSince1970: 253_402_300_800)
        try WireProbe(parameters: ["a": date]).expectFault(
            .parameters, #""a": the date (253402300800 seconds after 1970) is outside the years 0 to 9999"#)
        let error = try WireProbe(parameters: ["pin": date]).fault()
        #expect(!error.description.contains("2534"), "\(error)")
    }
}
