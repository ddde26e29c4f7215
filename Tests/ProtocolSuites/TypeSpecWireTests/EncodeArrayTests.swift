import APIKit
import Foundation
import SuiteSupport
import Testing

/// A list that is one string in JSON, with a separator between its elements.
@Suite struct EncodeArrayTests {
    /// What separates the elements of a list.
    protocol Separator: Sendable {
        static var text: String { get }
    }
    enum Comma: Separator { static let text = "," }
    enum Space: Separator { static let text = " " }
    enum Pipe: Separator { static let text = "|" }
    enum Newline: Separator { static let text = "\n" }

    /// A list that is one string in JSON.
    struct Joined<Element: LosslessStringConvertible & Equatable & Sendable, S: Separator>: Codable, Equatable, Sendable
    {
        var elements: [Element]

        init(_ elements: [Element]) { self.elements = elements }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let texts = try container.decode(String.self).components(separatedBy: S.text)
            elements = try texts.map { text in
                guard let element = Element(text) else {
                    throw DecodingError.dataCorruptedError(in: container, debugDescription: "unknown: \(text)")
                }
                return element
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(elements.map(\.description).joined(separator: S.text))
        }
    }

    enum Color: String, LosslessStringConvertible {
        case blue, red, green
        init?(_ text: String) { self.init(rawValue: text) }
        var description: String { rawValue }
    }

    /// A color that may also be one that is added later.
    struct OpenColor: LosslessStringConvertible, Equatable {
        var rawValue: String
        static let blue = OpenColor("blue")
        static let red = OpenColor("red")
        static let green = OpenColor("green")
        init(_ text: String) { rawValue = text }
        var description: String { rawValue }
    }

    struct Model<Element: LosslessStringConvertible & Equatable & Sendable, S: Separator>: JSONResponse, JSONBody,
        Equatable
    {
        var value: Joined<Element, S>
        init(_ elements: [Element]) { value = Joined(elements) }
    }

    struct Echo<Element: LosslessStringConvertible & Equatable & Sendable, S: Separator>: ServiceRequest {
        typealias Response = Model<Element, S>
        var path: URLPath
        var model: Model<Element, S>
        var method: HTTPMethod { .post }
        var body: RequestBody? { .json(model) }

        init(_ path: URLPath, _ elements: [Element], _: S.Type) {
            self.path = path
            model = Model(elements)
        }
    }

    /// Checks that a list is sent and read as one string.
    private func check(_ request: Echo<some Any, some Any>, _ text: String) async throws {
        try await expect(request, sends: "POST", "/\(request.path)", .json(#"{"value": "\#(text)"}"#))
        try await expect(request, reads: #"{"value": "\#(text)"}"#, as: request.model)
    }

    @Test(
        .scenario(
            "Encode_Array_Property_commaDelimited", "Encode_Array_Property_spaceDelimited",
            "Encode_Array_Property_pipeDelimited", "Encode_Array_Property_newlineDelimited",
            byHand: "a list that is one string in JSON"))
    func strings() async throws {
        let colors = ["blue", "red", "green"]
        try await check(Echo("encode/array/property/comma-delimited", colors, Comma.self), "blue,red,green")
        try await check(Echo("encode/array/property/space-delimited", colors, Space.self), "blue red green")
        try await check(Echo("encode/array/property/pipe-delimited", colors, Pipe.self), "blue|red|green")
        try await check(Echo("encode/array/property/newline-delimited", colors, Newline.self), #"blue\nred\ngreen"#)
    }

    @Test(
        .scenario(
            "Encode_Array_Property_enumCommaDelimited", "Encode_Array_Property_enumSpaceDelimited",
            "Encode_Array_Property_enumPipeDelimited", "Encode_Array_Property_enumNewlineDelimited",
            byHand: "a list that is one string in JSON"))
    func enums() async throws {
        let colors: [Color] = [.blue, .red, .green]
        try await check(Echo("encode/array/property/enum/comma-delimited", colors, Comma.self), "blue,red,green")
        try await check(Echo("encode/array/property/enum/space-delimited", colors, Space.self), "blue red green")
        try await check(Echo("encode/array/property/enum/pipe-delimited", colors, Pipe.self), "blue|red|green")
        try await check(
            Echo("encode/array/property/enum/newline-delimited", colors, Newline.self), #"blue\nred\ngreen"#)
    }

    @Test(
        .scenario(
            "Encode_Array_Property_extensibleEnumCommaDelimited", "Encode_Array_Property_extensibleEnumSpaceDelimited",
            "Encode_Array_Property_extensibleEnumPipeDelimited", "Encode_Array_Property_extensibleEnumNewlineDelimited",
            byHand: "a list that is one string in JSON"))
    func openEnums() async throws {
        let colors: [OpenColor] = [.blue, .red, .green]
        try await check(
            Echo("encode/array/property/extensible-enum/comma-delimited", colors, Comma.self), "blue,red,green")
        try await check(
            Echo("encode/array/property/extensible-enum/space-delimited", colors, Space.self), "blue red green")
        try await check(
            Echo("encode/array/property/extensible-enum/pipe-delimited", colors, Pipe.self), "blue|red|green")
        try await check(
            Echo("encode/array/property/extensible-enum/newline-delimited", colors, Newline.self),
            #"blue\nred\ngreen"#)
    }
}
