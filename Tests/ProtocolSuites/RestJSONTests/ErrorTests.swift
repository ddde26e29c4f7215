import APIKit
import Foundation
import SuiteSupport
import Testing

// The errors of an operation: a header or a member of the body names the error.

@Suite struct ErrorTests {
    @Test(.scenario("RestJsonGreetingWithErrors", "RestJsonGreetingWithErrorsNoPayload"))
    func readsAGreeting() async throws {
        for body in ["{}", ""] {
            try await expect(
                GreetingWithErrorsRequest(), reads: body, headers: ["X-Greeting": "Hello"],
                as: Greeting(greeting: "Hello"))
        }
    }

    @Test(
        .scenario(
            "RestJsonFooErrorUsingXAmznErrorType", "RestJsonFooErrorUsingCode", "RestJsonFooErrorWithDunderType"))
    func readsTheNameOfAnError() async throws {
        #expect(try await failure("", status: 500, headers: ["X-Amzn-Errortype": "FooError"]) == .foo)
        #expect(try await failure(#"{"code": "FooError"}"#, status: 500) == .foo)
        #expect(try await failure(#"{"__type": "FooError"}"#, status: 500) == .foo)
    }

    @Test(
        .scenario(
            "RestJsonFooErrorUsingXAmznErrorTypeWithUri", "RestJsonFooErrorUsingXAmznErrorTypeWithUriAndNamespace",
            byHand: "removing the namespace and the URI of a name"),
        arguments: [
            "FooError:http://internal.amazon.com/coral/com.amazon.coral.validate/",
            "aws.protocoltests.restjson#FooError:http://internal.amazon.com/coral/com.amazon.coral.validate/",
        ])
    func readsALongNameInAHeader(name: String) async throws {
        #expect(try await failure("", status: 500, headers: ["X-Amzn-Errortype": name]) == .foo)
    }

    @Test(
        .scenario(
            "RestJsonFooErrorUsingCodeAndNamespace", "RestJsonFooErrorUsingCodeUriAndNamespace",
            "RestJsonFooErrorWithDunderTypeAndNamespace", "RestJsonFooErrorWithDunderTypeUriAndNamespace",
            byHand: "removing the namespace and the URI of a name"),
        arguments: ["code", "__type"],
        [
            "aws.protocoltests.restjson#FooError",
            "aws.protocoltests.restjson#FooError:http://internal.amazon.com/coral/com.amazon.coral.validate/",
        ])
    func readsALongNameInTheBody(member: String, name: String) async throws {
        #expect(try await failure(#"{"\#(member)": "\#(name)"}"#, status: 500) == .foo)
    }

    @Test(.scenario("RestJsonComplexErrorWithNoMessage", "RestJsonEmptyComplexErrorWithNoMessage"))
    func readsAnErrorWithAHeaderAndABody() async throws {
        let complex = try await failure(
            #"{"TopLevel": "Top level", "Nested": {"Fooooo": "bar"}}"#, status: 403,
            headers: ["X-Amzn-Errortype": "ComplexError", "X-Header": "Header"])
        let content = ComplexError(topLevel: "Top level", nested: ComplexError.Nested(foo: "bar"))
        #expect(complex == .complex(content, header: "Header"))

        let empty = try await failure("{}", status: 403, headers: ["X-Amzn-Errortype": "ComplexError"])
        #expect(empty == .complex(ComplexError(), header: nil))
    }

    @Test(.scenario("RestJsonInvalidGreetingError"))
    func readsTheMessageOfAnError() async throws {
        let invalid = try await failure(
            #"{"Message": "Hi"}"#, status: 400, headers: ["X-Amzn-Errortype": "InvalidGreeting"])
        #expect(invalid == .invalidGreeting(InvalidGreeting(message: "Hi")))
    }

    /// Returns the failure that `send` throws for a response; nil if it throws none.
    func failure(_ body: String, status: Int, headers: HTTPHeaders = [:]) async throws -> GreetingFailure? {
        do {
            _ = try await reply(GreetingWithErrorsRequest(), body, status: status, headers: headers)
            return nil
        } catch APIError<GreetingFailure>.rejected(let failure, _) {
            return failure
        }
    }
}

struct GreetingWithErrorsRequest: RestJSONRequest {
    typealias Response = Greeting
    typealias Failure = GreetingFailure
    var path: URLPath { "GreetingWithErrors" }
    var method: HTTPMethod { .put }
}

struct Greeting: APIResponse, Equatable {
    var greeting: String?

    static func process(response: HTTPResponse) async throws -> Greeting {
        Greeting(greeting: response.head.headers["X-Greeting"])
    }
}

enum GreetingFailure: APIResponse, Equatable {
    case foo
    case complex(ComplexError, header: String?)
    case invalidGreeting(InvalidGreeting)
    case unknown(String?)

    static func process(response: HTTPResponse) async throws -> GreetingFailure {
        switch try await errorName(of: response) {
        case "FooError":
            return .foo
        case "ComplexError":
            return .complex(
                try await ComplexError.process(response: response), header: response.head.headers["X-Header"])
        case "InvalidGreeting":
            return .invalidGreeting(try await InvalidGreeting.process(response: response))
        case let name:
            return .unknown(name)
        }
    }

    /// The name of the error: that of a header, or of one of two members of the body.
    ///
    /// Servers may write a namespace and a `#` before the name, and a colon and a URI after it.
    private static func errorName(of response: HTTPResponse) async throws -> String? {
        var name = response.head.headers["X-Amzn-Errortype"]
        if name == nil {
            let body = try await ErrorName?.process(response: response)
            name = body?.code ?? body?.type
        }
        let nameAndNamespace = name?.prefix { $0 != ":" }
        return nameAndNamespace?.split(separator: "#").last.map(String.init)
    }
}

struct ErrorName: RestJSONModel {
    var code: String?
    var type: String?

    enum CodingKeys: String, CodingKey {
        case code
        case type = "__type"
    }
}

struct ComplexError: RestJSONModel, Equatable {
    struct Nested: Codable, Sendable, Equatable {
        var foo: String?

        enum CodingKeys: String, CodingKey {
            case foo = "Fooooo"
        }
    }

    var topLevel: String?
    var nested: Nested?

    enum CodingKeys: String, CodingKey {
        case topLevel = "TopLevel"
        case nested = "Nested"
    }
}

struct InvalidGreeting: RestJSONModel, Equatable {
    var message: String?

    enum CodingKeys: String, CodingKey {
        case message = "Message"
    }
}
