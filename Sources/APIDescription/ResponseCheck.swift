import APIKitCore
import APIKitTesting
import OpenAPIRules

/// Checks that an endpoint's response and failure types decode the responses that an operation describes.
///
/// The types decode the examples of the description and sample values that are created from its schemas. One check
/// concerns one response, such as that with the status 200, and the type that decodes it.
struct ResponseCheck {
    private let description: APIDescription
    let operation: Operation
    /// The request, whose `Accept` header selects contents of the response.
    let request: HTTPRequest
    /// The response in the description.
    let response: Definition
    /// The name of the response in problems, such as `response 200`.
    let member: String
    /// Decodes the response type or the failure type.
    private let decode: (Data) throws -> Any
    var problems: [APIDescription.Problem] = []

    /// The number of problems after which no further samples are decoded: more of them would only make the report
    /// longer.
    private static let problemLimit = 40
    /// The greatest number of attempts to decode one sample. Each attempt changes the sample at one place.
    private static let attemptLimit = 40

    /// Checks whether the response type can read the described successes of an operation, and the failure type all
    /// other responses.
    ///
    /// - Parameters:
    ///   - endpoint: The type of the endpoint.
    ///   - operation: The operation of the endpoint.
    ///   - request: The request that the endpoint creates.
    ///   - description: The description of the API.
    /// - Returns: The problems of all responses.
    static func problems<R: APIRequest>(
        _ endpoint: R.Type, _ operation: Operation, _ request: HTTPRequest, _ description: APIDescription
    ) -> [APIDescription.Problem] {
        var problems: [APIDescription.Problem] = []
        for (status, response) in operation.responses {
            let code = statusCode(of: status, operation)
            let isSuccess = R.Response.isSuccess(HTTPResponse.Head(status: code, url: request.url))
            guard isDecoded(code, isSuccess: isSuccess) else { continue }

            let decode: (Data) throws -> Any
            if isSuccess {
                decode = { try R.Response.process(data: $0) }
            } else {
                decode = { try R.Failure.process(data: $0) }
            }
            var check = ResponseCheck(
                description: description, operation: operation, request: request, response: response,
                member: "response \(status)", decode: decode)
            if isSuccess {
                check.checkSuccess(R.Response.self)
            } else {
                check.checkValues()
            }
            // The failures of an operation often share a schema, and then have problems with the same pointer. These
            // are reported only for the first failure.
            let reported = Set(problems.map(\.pointer))
            problems += check.problems.filter { !reported.contains($0.pointer) }
        }
        return problems
    }

    /// A status code for a status of the description, such as 404 for `404`, 200 for `2XX` and 500 for `default`.
    private static func statusCode(of status: String, _ operation: Operation) -> Int {
        switch ResponseStatus(status) {
        case .code(let code)?:
            return code
        case .hundred(let digit)?:
            return digit * 100
        case .default?, nil:
            // `default` usually describes failures. If no success is described, it describes the success.
            let describesSuccess = operation.responses.contains { $0.status.hasPrefix("2") }
            return describesSuccess ? 500 : 200
        }
    }

    /// Whether the body of a response is decoded in the usual way.
    ///
    /// The body of a redirect is not decoded. A response type that accepts another status as a success, such as 404 as
    /// "no value", treats that status in a special way, so its body is not checked.
    private static func isDecoded(_ code: Int, isSuccess: Bool) -> Bool {
        switch code {
        case 200..<300: true
        case 300..<400: false
        default: !isSuccess
        }
    }

    /// Checks the content types of a success and, unless it is a stream, its values.
    ///
    /// A stream is a sequence of elements in a format such as server-sent events, not a value of the schema.
    private mutating func checkSuccess<Success: APIResponse>(_ type: Success.Type) {
        checkContentTypes(acceptedTypes: type.acceptedTypes)
        let isStream = type.delivery == .stream
        if !isStream { checkValues() }
    }

    // MARK: - Values

    /// Decodes the examples and samples of each content of the response in JSON, and adds a problem for each of them
    /// that cannot be decoded.
    private mutating func checkValues() {
        for media in jsonContents {
            for example in media.responseExamples { checkExample(example, of: media) }
            guard let schema = media["schema"], schema.describesMembers else { continue }
            checkSamples(of: schema)
        }
    }

    /// Decodes an example, and adds a problem if that fails.
    ///
    /// If the example does not fit its own schema, the problem says so: it is a mistake of the description, not of the
    /// model.
    private mutating func checkExample(_ example: Definition, of media: Definition) {
        guard let error = decodingError(for: Data(example.value.text().utf8)) else { return }
        if let mistake = media.mistake(in: example, at: .named("")) {
            let detail = "; its schema does not accept it: \(mistake.member) \(mistake.message)"
            addDecodingProblem(.invalidExample, error, suffix: " in the example\(detail)", at: example.pointer)
        } else {
            addDecodingProblem(.unreadableExample, error, suffix: " in the example", at: example.pointer)
        }
    }

    /// Decodes several sample values of a schema, and adds the problems that they show.
    ///
    /// First, the model has to decode a full sample, which has all members. If it does, it also decodes variations of
    /// that sample: with required members only, with null wherever it is allowed, and with each other alternative or
    /// constant.
    private mutating func checkSamples(of schema: Definition) {
        var full = SampleValue(.full)
        guard decodeSample(&full, schema) else { return }
        if let value = full.value(of: schema) { checkUndescribedMembers(value, schema) }

        var variations: [SampleValue.Variation] = [.required, .null]
        // The full sample began with the first value of each choice, at index 0.
        for index in 1..<full.choiceCount { variations.append(.other(index)) }
        for variation in variations {
            // A variation has the selected values with which the model could decode the full sample. So the problems of
            // other values are not reported again.
            var sample = SampleValue(variation, selectedIndexes: full.selectedIndexes)
            _ = decodeSample(&sample, schema)
        }
    }

    /// Decodes a sample until that succeeds, and adds a problem for each error on the way.
    ///
    /// Decoding stops at the first error. The sample is therefore changed at the place of each error, so that the next
    /// attempt can find the next error.
    ///
    /// - Parameters:
    ///   - sample: The sample, which is changed.
    ///   - schema: The schema of the sample.
    /// - Returns: Whether the last attempt succeeded; false also if no valid sample can be created.
    private mutating func decodeSample(_ sample: inout SampleValue, _ schema: Definition) -> Bool {
        for _ in 0..<Self.attemptLimit {
            guard problems.count < Self.problemLimit, let value = sample.value(of: schema) else { return false }
            // A sample that does not fit its schema says nothing about the model.
            let isValid = SchemaCheck.problems(value, schema, at: .named(""), .sample).isEmpty
            guard isValid else { return false }
            guard let error = decodingError(for: Data(value.text().utf8)) else {
                checkAlternatives(in: value, schema)
                return true
            }
            let replaced = sample.replaceCause(of: error)
            addSampleProblem(error, sample.variation, schema, replaced: replaced)
            // The next attempt would decode the same values, and fail in the same way.
            if replaced == nil { return false }
        }
        return false
    }

    /// Adds a problem for an error that decoding a sample has thrown, unless its cause was a guess.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - variation: The variation of the sample.
    ///   - schema: The schema of the sample.
    ///   - replaced: The choice that the sample replaced because of the error; nil if it has no other value to try.
    private mutating func addSampleProblem(
        _ error: any Error, _ variation: SampleValue.Variation, _ schema: Definition, replaced: SampleValue.Choice?
    ) {
        let suffix = ", which the description allows"
        if let replaced {
            // If the schema allows any text, a guess that the model rejects, such as a date, is not a problem.
            if replaced.isGuess { return }
            addDecodingProblem(.unreadableValue, error, suffix: suffix, at: replaced.pointer)
            return
        }
        let place = schema.member(at: SampleValue.names(of: error)) ?? schema
        switch variation {
        case .full:
            // No suffix: a full sample has no null and lacks no member. So the description does not only allow the
            // value besides others, and the model has another type.
            addDecodingProblem(.unreadableValue, error, at: place.pointer)
        case .required, .null, .other:
            addDecodingProblem(.unreadableValue, error, suffix: suffix, at: place.pointer)
        }
    }

    /// Adds a problem for each member whose type keeps the model from recognizing an alternative that it knows.
    private mutating func checkAlternatives(in sample: JSONValue, _ schema: Definition) {
        for found in UnreadAlternatives.find(in: sample, decode) {
            let pointer = (schema.member(at: found.names) ?? schema).pointer
            let message = "is \(found.type), with which the model does not recognize the alternative"
            problems.add(.unreadableValue, place(of: found.names), message, pointer)
        }
    }

    /// Adds a problem for each member that the model decodes and that no response of the description has.
    ///
    /// All responses count, since endpoints may share a model of which each response has only some members.
    private mutating func checkUndescribedMembers(_ sample: JSONValue, _ schema: Definition) {
        let members = UndescribedMembers.find(in: sample, schema, decode)
        guard !members.isEmpty else { return }
        let describedNames = description.responseMemberNames
        for member in members {
            let name = SampleValue.path(of: member.names.suffix(1))
            if describedNames.contains(name) { continue }
            let message = "is read, and no response in the description has it"
            problems.add(.unknown, place(of: member.names), message, member.pointer)
        }
    }

    /// Decodes a body, and returns the error that is thrown; nil if decoding succeeds.
    func decodingError(for data: Data) -> (any Error)? {
        do {
            _ = try decode(data)
            return nil
        } catch {
            return error
        }
    }

    // MARK: - Problems

    /// Adds a problem for a decoding error. Its member is the place of the error in the response, and its message is
    /// that of the error, with a suffix.
    private mutating func addDecodingProblem(
        _ code: APIDescription.Problem.Code, _ error: any Error, suffix: String = "", at pointer: String
    ) {
        let names = SampleValue.names(of: error)
        let message = Self.message(of: error, at: names)
        problems.add(code, place(of: names), message + suffix, pointer)
    }

    /// The message for an error without the coding path that its text begins with, since a problem names the place
    /// itself.
    ///
    /// `[0].login is missing` becomes `is missing`, and `[0].date: not a date` becomes `cannot be read: not a date`.
    private static func message(of error: any Error, at names: [String]) -> String {
        let text = ErrorText.of(error)
        let path = codingPath(names)
        let beginsWithPath = !path.isEmpty && text.hasPrefix(path)
        guard beginsWithPath else { return "cannot be read: \(text)" }
        let rest = text.dropFirst(path.count)
        if rest.hasPrefix(":") { return "cannot be read\(rest)" }
        let restAfterSpace = rest.dropFirst()
        return String(restAfterSpace)
    }

    /// The name of a member of the response in problems: `response 200 [0].login`.
    private func place(of names: [String]) -> String {
        names.isEmpty ? member : "\(member) \(Self.codingPath(names))"
    }

    /// A coding path as error texts write it: `[0].login`.
    private static func codingPath(_ names: [String]) -> String {
        var path = ""
        for name in names {
            let isIndex = Int(name) != nil
            if isIndex {
                path += "[\(name)]"
            } else if path.isEmpty {
                path = name
            } else {
                path += ".\(name)"
            }
        }
        return path
    }
}
