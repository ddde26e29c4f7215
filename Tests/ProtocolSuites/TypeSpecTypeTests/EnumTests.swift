import APIKit
import APIKitTesting
import Foundation
import SuiteSupport
import Testing

/// Enums that may get new values: the folder `type/enum/extensible`.
@Suite struct ExtensibleEnumTests {
    struct DayOfWeek: RawRepresentable, Codable, Sendable, Hashable {
        var rawValue: String
        static let monday = DayOfWeek(rawValue: "Monday")
        static let tuesday = DayOfWeek(rawValue: "Tuesday")
        static let wednesday = DayOfWeek(rawValue: "Wednesday")
        static let thursday = DayOfWeek(rawValue: "Thursday")
        static let friday = DayOfWeek(rawValue: "Friday")
        static let saturday = DayOfWeek(rawValue: "Saturday")
        static let sunday = DayOfWeek(rawValue: "Sunday")
    }

    @Test(.scenario("Type_Enum_Extensible_String_getKnownValue", "Type_Enum_Extensible_String_putKnownValue"))
    func knownValue() async throws {
        try await expectGetAndPut("type/enum/extensible/string/known-value", DayOfWeek.monday, #""Monday""#)
    }

    @Test(.scenario("Type_Enum_Extensible_String_getUnknownValue", "Type_Enum_Extensible_String_putUnknownValue"))
    func unknownValue() async throws {
        let weekend = DayOfWeek(rawValue: "Weekend")
        try await expectGetAndPut("type/enum/extensible/string/unknown-value", weekend, #""Weekend""#)
    }
}

/// Enums whose values do not change: the folder `type/enum/fixed`.
@Suite struct FixedEnumTests {
    enum DayOfWeek: String, Codable {
        case monday = "Monday"
        case tuesday = "Tuesday"
        case wednesday = "Wednesday"
        case thursday = "Thursday"
        case friday = "Friday"
        case saturday = "Saturday"
        case sunday = "Sunday"
    }

    @Test(.scenario("Type_Enum_Fixed_String_getKnownValue", "Type_Enum_Fixed_String_putKnownValue"))
    func knownValue() async throws {
        try await expectGetAndPut("type/enum/fixed/string/known-value", DayOfWeek.monday, #""Monday""#)
    }

    /// The enum has no such value, so it is sent as a string. The server answers 500.
    @Test(.scenario("Type_Enum_Fixed_String_putUnknownValue"))
    func unknownValue() async throws {
        #expect(DayOfWeek(rawValue: "Weekend") == nil)
        let put = Put(path: "type/enum/fixed/string/unknown-value", value: "Weekend")
        try await expect(
            put, sends: "PUT", "/type/enum/fixed/string/unknown-value", headers: ["Content-Type": "application/json"],
            .text(#""Weekend""#))
        let error = await #expect(throws: APIError<Data>.self) { try await reply(put, "", status: 500) }
        #expect(error?.status == 500)
    }
}
