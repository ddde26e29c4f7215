import APIKit
import SuiteSupport
import Testing

/// Durations, which are numbers of seconds or milliseconds, or text in ISO 8601. The members and parameters that are
/// numbers have the type of the number, not `Duration`.
@Suite struct EncodeDurationTests {
    // MARK: - Parameters and headers

    @Test(
        .scenario(
            "Encode_Duration_Query_int32Seconds", "Encode_Duration_Query_int32SecondsArray",
            "Encode_Duration_Query_floatSeconds", "Encode_Duration_Query_float64Seconds",
            "Encode_Duration_Query_int32Milliseconds", "Encode_Duration_Query_floatMilliseconds",
            "Encode_Duration_Query_float64Milliseconds", "Encode_Duration_Query_int32MillisecondsArray",
            "Encode_Duration_Query_int32SecondsLargerUnit", "Encode_Duration_Query_floatSecondsLargerUnit",
            "Encode_Duration_Query_int32MillisecondsLargerUnit", "Encode_Duration_Query_floatMillisecondsLargerUnit"))
    func query() async throws {
        let rows: [(String, any ParameterValue, String)] = [
            ("int32-seconds", 36, "36"), ("int32-seconds-array", .list([36, 47], as: .commas), "36,47"),
            ("float-seconds", Float(35.625), "35.625"), ("float64-seconds", 35.625, "35.625"),
            ("int32-milliseconds", 36_000, "36000"), ("float-milliseconds", Float(35_625), "35625"),
            ("float64-milliseconds", 35_625.0, "35625"),
            ("int32-milliseconds-array", .list([36_000, 47_000], as: .commas), "36000,47000"),
            ("int32-seconds-larger-unit", 2 * 60, "120"), ("float-seconds-larger-unit", 2.5 * 60, "150"),
            ("int32-milliseconds-larger-unit", 3 * 60_000, "180000"),
            ("float-milliseconds-larger-unit", 3.5 * 60_000, "210000"),
        ]
        for (name, value, text) in rows {
            try await expect(
                Get("encode/duration/query/\(name)", ["input": value]), sends: "GET",
                "/encode/duration/query/\(name)?input=\(text)")
        }
    }

    @Test(
        .scenario(
            "Encode_Duration_Lossy_intSeconds", "Encode_Duration_Lossy_intMilliseconds",
            byHand: "a Duration as a whole number"))
    func wholeNumbers() async throws {
        let duration = Duration.milliseconds(36_250)
        try await expect(
            Get("encode/duration/lossy/int32-seconds", ["input": duration.components.seconds]), sends: "GET",
            "/encode/duration/lossy/int32-seconds?input=36")
        try await expect(
            Get("encode/duration/lossy/int32-milliseconds", ["input": Int(duration / .milliseconds(1))]), sends: "GET",
            "/encode/duration/lossy/int32-milliseconds?input=36250")
    }

    @Test(
        .scenario(
            "Encode_Duration_Header_int32Seconds", "Encode_Duration_Header_floatSeconds",
            "Encode_Duration_Header_float64Seconds", "Encode_Duration_Header_int32Milliseconds",
            "Encode_Duration_Header_floatMilliseconds", "Encode_Duration_Header_float64Milliseconds",
            "Encode_Duration_Header_int32MillisecondsArray", "Encode_Duration_Header_int32SecondsLargerUnit",
            "Encode_Duration_Header_floatSecondsLargerUnit", "Encode_Duration_Header_int32MillisecondsLargerUnit",
            "Encode_Duration_Header_floatMillisecondsLargerUnit"))
    func header() async throws {
        let rows: [(String, any ParameterValue, String)] = [
            ("int32-seconds", 36, "36"), ("float-seconds", Float(35.625), "35.625"),
            ("float64-seconds", 35.625, "35.625"), ("int32-milliseconds", 36_000, "36000"),
            ("float-milliseconds", Float(35_625), "35625"), ("float64-milliseconds", 35_625.0, "35625"),
            ("int32-milliseconds-array", .list([36_000, 47_000], as: .commas), "36000,47000"),
            ("int32-seconds-larger-unit", 2 * 60, "120"), ("float-seconds-larger-unit", 2.5 * 60, "150"),
            ("int32-milliseconds-larger-unit", 3 * 60_000, "180000"),
            ("float-milliseconds-larger-unit", 3.5 * 60_000, "210000"),
        ]
        for (name, value, text) in rows {
            try await expect(
                Get("encode/duration/header/\(name)", headers: ["duration": value]), sends: "GET",
                "/encode/duration/header/\(name)", headers: ["duration": text])
        }
    }

    // MARK: - Members

    struct Model<Value: Codable & Equatable & Sendable>: JSONResponse, JSONBody, Equatable {
        var value: Value
    }

    struct Echo<Value: Codable & Equatable & Sendable>: ServiceRequest {
        typealias Response = Model<Value>
        var name: String
        var value: Value
        var method: HTTPMethod { .post }
        var path: URLPath { "encode/duration/property/\(name)" }
        var body: RequestBody? { .json(Model(value: value)) }
    }

    private func check<Value>(_ name: String, _ value: Value, _ json: String) async throws
    where Value: Codable & Equatable & Sendable {
        let request = Echo(name: name, value: value)
        try await expect(
            request, sends: "POST", "/encode/duration/property/\(name)", .json(#"{"value": \#(json)}"#))
        try await expect(request, reads: #"{"value": \#(json)}"#, as: Model(value: value))
    }

    @Test(
        .scenario(
            "Encode_Duration_Property_floatSeconds", "Encode_Duration_Property_float64Seconds",
            "Encode_Duration_Property_int32Seconds", "Encode_Duration_Property_floatSecondsArray",
            "Encode_Duration_Property_int32Milliseconds", "Encode_Duration_Property_floatMilliseconds",
            "Encode_Duration_Property_float64Milliseconds", "Encode_Duration_Property_floatMillisecondsArray",
            "Encode_Duration_Property_int32SecondsLargerUnit", "Encode_Duration_Property_floatSecondsLargerUnit",
            "Encode_Duration_Property_int32MillisecondsLargerUnit",
            "Encode_Duration_Property_floatMillisecondsLargerUnit"))
    func members() async throws {
        try await check("float-seconds", Float(35.625), "35.625")
        try await check("float64-seconds", 35.625, "35.625")
        try await check("int32-seconds", 36, "36")
        try await check("float-seconds-array", [Float(35.625), 46.75], "[35.625, 46.75]")
        try await check("int32-milliseconds", 36_000, "36000")
        try await check("float-milliseconds", Float(35_625), "35625")
        try await check("float64-milliseconds", 35_625.0, "35625")
        try await check("float-milliseconds-array", [Float(35_625), 46_750], "[35625, 46750]")
        try await check("int32-seconds-larger-unit", 2 * 60, "120")
        try await check("float-seconds-larger-unit", 2.5 * 60, "150")
        try await check("int32-milliseconds-larger-unit", 3 * 60_000, "180000")
        try await check("float-milliseconds-larger-unit", 3.5 * 60_000, "210000")
    }

    // MARK: - ISO 8601

    /// A number of days in ISO 8601, such as `P40D`.
    struct Days: Codable, Equatable, ParameterValue {
        var count: Int
        var text: String { "P\(count)D" }
        var parameterNode: Parameters.Node { text.parameterNode }

        init(_ count: Int) { self.count = count }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard text.hasPrefix("P"), text.hasSuffix("D"), let count = Int(text.dropFirst().dropLast()) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a number of days")
            }
            self.count = count
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
    }

    @Test(
        .scenario(
            "Encode_Duration_Query_default", "Encode_Duration_Query_iso8601", "Encode_Duration_Header_default",
            "Encode_Duration_Header_iso8601", "Encode_Duration_Header_iso8601Array", byHand: "durations in ISO 8601"))
    func iso8601Parameters() async throws {
        for name in ["default", "iso8601"] {
            try await expect(
                Get("encode/duration/query/\(name)", ["input": Days(40)]), sends: "GET",
                "/encode/duration/query/\(name)?input=P40D")
            try await expect(
                Get("encode/duration/header/\(name)", headers: ["duration": Days(40)]), sends: "GET",
                "/encode/duration/header/\(name)", headers: ["duration": "P40D"])
        }
        try await expect(
            Get(
                "encode/duration/header/iso8601-array", headers: ["duration": .list([Days(40), Days(50)], as: .commas)]),
            sends: "GET", "/encode/duration/header/iso8601-array", headers: ["duration": "P40D,P50D"])
    }

    @Test(
        .scenario(
            "Encode_Duration_Property_default", "Encode_Duration_Property_iso8601", byHand: "durations in ISO 8601"))
    func iso8601Members() async throws {
        try await check("default", Days(40), #""P40D""#)
        try await check("iso8601", Days(40), #""P40D""#)
    }
}
