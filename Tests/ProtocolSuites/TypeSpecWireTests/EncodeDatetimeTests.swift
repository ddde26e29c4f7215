import APIKit
import Foundation
import SuiteSupport
import Testing

/// Dates in several formats. The server accepts `18:38:00Z` for `18:38:00.000Z`.
@Suite struct EncodeDatetimeTests {
    /// Fri, 26 Aug 2022 18:38:00 GMT
    private static let evening = Date(timeIntervalSince1970: 1_661_539_080)
    /// Fri, 26 Aug 2022 14:38:00 GMT
    private static let afternoon = Date(timeIntervalSince1970: 1_661_524_680)
    private static let first = Date(timeIntervalSince1970: 1_686_566_864)
    private static let second = Date(timeIntervalSince1970: 1_686_734_256)

    // MARK: - Parameters and headers

    @Test(
        .scenario(
            "Encode_Datetime_Query_default", "Encode_Datetime_Query_rfc3339", "Encode_Datetime_Query_rfc7231",
            "Encode_Datetime_Query_unixTimestamp", "Encode_Datetime_Query_unixTimestampArray"))
    func query() async throws {
        let unixDates = [UnixDate(Self.first), UnixDate(Self.second)]
        let rows: [(String, any ParameterValue, String)] = [
            ("default", Self.evening, "2022-08-26T18%3A38%3A00Z"),
            ("rfc3339", Self.evening, "2022-08-26T18%3A38%3A00Z"),
            ("rfc7231", .date(Self.afternoon, as: .httpDate), "Fri%2C%2026%20Aug%202022%2014%3A38%3A00%20GMT"),
            ("unix-timestamp", .date(Self.first, as: .secondsSince1970), "1686566864"),
            ("unix-timestamp-array", .list(unixDates, as: .commas), "1686566864,1686734256"),
        ]
        for (name, value, text) in rows {
            try await expect(
                Get("encode/datetime/query/\(name)", ["value": value]), sends: "GET",
                "/encode/datetime/query/\(name)?value=\(text)")
        }
    }

    @Test(
        .scenario(
            "Encode_Datetime_Header_default", "Encode_Datetime_Header_rfc3339", "Encode_Datetime_Header_rfc7231",
            "Encode_Datetime_Header_unixTimestamp", "Encode_Datetime_Header_unixTimestampArray"))
    func header() async throws {
        let unixDates = [UnixDate(Self.first), UnixDate(Self.second)]
        let rows: [(String, any ParameterValue, String)] = [
            ("default", Self.afternoon, "Fri, 26 Aug 2022 14:38:00 GMT"),
            ("rfc3339", .date(Self.evening, as: .iso8601), "2022-08-26T18:38:00Z"),
            ("rfc7231", Self.afternoon, "Fri, 26 Aug 2022 14:38:00 GMT"),
            ("unix-timestamp", .date(Self.first, as: .secondsSince1970), "1686566864"),
            ("unix-timestamp-array", .list(unixDates, as: .commas), "1686566864,1686734256"),
        ]
        for (name, value, text) in rows {
            try await expect(
                Get("encode/datetime/header/\(name)", headers: ["value": value]), sends: "GET",
                "/encode/datetime/header/\(name)", headers: ["value": text])
        }
    }

    // MARK: - Members

    struct Model<Value: Codable & Equatable & Sendable>: JSONResponse, JSONBody, Equatable {
        var value: Value
    }

    struct Echo<Value: Codable & Equatable & Sendable>: ServiceRequest {
        typealias Response = Model<Value>
        var path: URLPath
        var value: Value
        var method: HTTPMethod { .post }
        var body: RequestBody? { .json(Model(value: value)) }

        init(_ path: URLPath, _ value: Value) {
            self.path = path
            self.value = value
        }
    }

    private func check(_ request: Echo<some Any>, sends sent: String, reads received: String) async throws {
        try await expect(request, sends: "POST", "/\(request.path)", .json(#"{"value": \#(sent)}"#))
        try await expect(request, reads: #"{"value": \#(received)}"#, as: Model(value: request.value))
    }

    @Test(
        .scenario(
            "Encode_Datetime_Property_default", "Encode_Datetime_Property_rfc3339", "Encode_Datetime_Property_rfc7231",
            "Encode_Datetime_Property_unixTimestamp", "Encode_Datetime_Property_unixTimestampArray"))
    func members() async throws {
        try await check(
            Echo("encode/datetime/property/default", Self.evening), sends: #""2022-08-26T18:38:00Z""#,
            reads: #""2022-08-26T18:38:00.000Z""#)
        try await check(
            Echo("encode/datetime/property/rfc3339", Self.evening), sends: #""2022-08-26T18:38:00Z""#,
            reads: #""2022-08-26T18:38:00.000Z""#)
        try await check(
            Echo("encode/datetime/property/rfc7231", HTTPDate(Self.afternoon)),
            sends: #""Fri, 26 Aug 2022 14:38:00 GMT""#, reads: #""Fri, 26 Aug 2022 14:38:00 GMT""#)
        try await check(
            Echo("encode/datetime/property/unix-timestamp", UnixDate(Self.first)), sends: "1686566864",
            reads: "1686566864")
        try await check(
            Echo("encode/datetime/property/unix-timestamp-array", [UnixDate(Self.first), UnixDate(Self.second)]),
            sends: "[1686566864, 1686734256]", reads: "[1686566864, 1686734256]")
    }

    // MARK: - Headers of responses

    @Test(
        .scenario(
            "Encode_Datetime_ResponseHeader_default", "Encode_Datetime_ResponseHeader_rfc3339",
            "Encode_Datetime_ResponseHeader_rfc7231", "Encode_Datetime_ResponseHeader_unixTimestamp"),
        arguments: [
            ("default", "Fri, 26 Aug 2022 14:38:00 GMT", .httpDate, afternoon),
            ("rfc3339", "2022-08-26T18:38:00.000Z", .iso8601, evening),
            ("rfc7231", "Fri, 26 Aug 2022 14:38:00 GMT", .httpDate, afternoon),
            ("unix-timestamp", "1686566864", .secondsSince1970, first),
        ] as [(String, String, ParameterStyle.Dates, Date)])
    func responseHeader(name: String, text: String, style: ParameterStyle.Dates, date: Date) async throws {
        let request = Get("encode/datetime/responseheader/\(name)")
        try await expect(request, sends: "GET", "/encode/datetime/responseheader/\(name)")
        let reply = try await reply(request, "", status: 204, headers: ["value": text])
        #expect(reply.head.headers.date("value", as: style) == date)
    }
}
