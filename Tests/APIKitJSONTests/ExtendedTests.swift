import APIKitJSON
import Foundation
import Testing

@Suite struct ExtendedTests {
    struct Metrics: Codable, Hashable {
        var hostName: String
        var note: String?
    }

    @Test func undeclaredMembersAreAdditional() throws {
        let data = Data(#"{"user": 0.5, "hostName": "web", "system": 0.25}"#.utf8)
        let metrics = try JSONReader().decode(Extended<Metrics, Double>.self, from: data)
        #expect(metrics == Extended(Metrics(hostName: "web"), additional: ["user": 0.5, "system": 0.25]))
        #expect(metrics.hostName == "web")
        #expect(try JSONDecoder().decode(Extended<Metrics, Double>.self, from: data) == metrics)
    }

    @Test func optionalMemberThatIsMissingIsStillDeclared() throws {
        let data = Data(#"{"hostName": "web", "note": "n"}"#.utf8)
        let metrics = try JSONReader().decode(Extended<Metrics, Double>.self, from: data)
        #expect(metrics.note == "n")
        #expect(metrics.additional.isEmpty)
    }

    @Test func keyStrategyConvertsDeclaredNamesOnly() throws {
        let data = Data(#"{"host_name": "web", "load_average": 2}"#.utf8)
        let reader = JSONReader(keys: .convertFromSnakeCase)
        let metrics = try reader.decode(Extended<Metrics, Double>.self, from: data)
        #expect(metrics.hostName == "web")
        #expect(metrics.additional == ["load_average": 2])
    }

    @Test func additionalMemberOfAnotherTypeIsAnError() throws {
        let data = Data(#"{"hostName": "web", "user": "much"}"#.utf8)
        #expect(throws: DecodingError.self) { try JSONReader().decode(Extended<Metrics, Double>.self, from: data) }
        let metrics = try JSONReader().decode(Extended<Metrics, JSONValue>.self, from: data)
        #expect(metrics.additional == ["user": "much"])
    }

    @Test(arguments: ["[]", "null", "7", #""text""#])
    func otherValuesAreErrors(text: String) throws {
        struct Empty: Codable {}
        #expect(throws: DecodingError.self) {
            try JSONReader().decode(Extended<Empty, Double>.self, from: Data(text.utf8))
        }
    }

    @Test func firstOfRepeatedMembersCounts() throws {
        let data = Data(#"{"hostName": "a", "x": 1, "hostName": "b", "x": 2, "\u0078": 3}"#.utf8)
        let metrics = try JSONReader().decode(Extended<Metrics, Double>.self, from: data)
        #expect(metrics == Extended(Metrics(hostName: "a"), additional: ["x": 1]))
    }

    @Test func bothAreWritten() throws {
        var metrics = Extended(Metrics(hostName: "web"), additional: ["user": 0.5])
        metrics.note = "n"
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = String(decoding: try encoder.encode(metrics), as: UTF8.self)
        #expect(text == #"{"hostName":"web","note":"n","user":0.5}"#)
    }

    @Test func modelsOfClassesAndNestedContainersAreRead() throws {
        class Base: Decodable { let id: Int }
        final class Derived: Base, @unchecked Sendable {
            let city: String
            enum Keys: CodingKey { case address }
            enum AddressKeys: CodingKey { case city }
            required init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Keys.self)
                city = try container.nestedContainer(keyedBy: AddressKeys.self, forKey: .address)
                    .decode(String.self, forKey: .city)
                try super.init(from: decoder)
            }
        }
        let data = Data(#"{"id": 7, "address": {"city": "Bonn", "zip": 1}, "rest": 2}"#.utf8)
        let model = try JSONReader().decode(Extended<Derived, Int>.self, from: data)
        #expect(model.model.id == 7)
        #expect(model.city == "Bonn")
        #expect(model.additional == ["rest": 2])
    }

    @Test func memberOfTheSuperclassIsDeclared() throws {
        class Base: Decodable { let id: Int }
        final class Derived: Base, @unchecked Sendable {
            enum Keys: CodingKey {}
            required init(from decoder: any Decoder) throws {
                try super.init(from: decoder.container(keyedBy: Keys.self).superDecoder())
            }
        }
        let data = Data(#"{"super": {"id": 7}, "x": 1}"#.utf8)
        let models = [
            try JSONReader().decode(Extended<Derived, Int>.self, from: data),
            try JSONDecoder().decode(Extended<Derived, Int>.self, from: data),
        ]
        for model in models {
            #expect(model.id == 7)
            #expect(model.additional == ["x": 1])
        }
    }

    @Test func membersOfAWrappedModelAreDeclared() throws {
        struct Wrapper: Decodable {
            let metrics: Metrics
            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                let text = try? container.decode(String.self)
                #expect(text == nil && !container.decodeNil())
                metrics = try container.decode(Metrics.self)
            }
        }
        let data = Data(#"{"hostName": "web", "note": "n", "x": 1}"#.utf8)
        let wrapper = try JSONReader().decode(Extended<Wrapper, Int>.self, from: data)
        #expect(wrapper.metrics == Metrics(hostName: "web", note: "n"))
        #expect(wrapper.additional == ["x": 1])
    }

    @Test func modelThatTriesTypesDeclaresTheMembersOfAll() throws {
        struct Other: Decodable { let id: Int }
        enum Either: Decodable {
            case metrics, other
            init(from decoder: any Decoder) throws {
                if (try? Metrics(from: decoder)) != nil {
                    self = .metrics
                } else {
                    _ = try Other(from: decoder)
                    self = .other
                }
            }
        }
        // The name of the host is not an Int, and would be an error if it were additional.
        let data = Data(#"{"id": 1, "hostName": ["n"], "x": 1}"#.utf8)
        let either = try JSONReader().decode(Extended<Either, Int>.self, from: data)
        #expect(either.model == .other)
        #expect(either.additional == ["x": 1])
    }

    @Test func largeIntegersAreRead() throws {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        struct Large: Decodable {
            let signed: Int128
            let unsigned: UInt128
        }
        let number = "170141183460469231731687303715884105727"
        let data = Data(#"{"signed": -\#(number), "unsigned": \#(number), "x": 1}"#.utf8)
        let large = try JSONReader().decode(Extended<Large, Int>.self, from: data)
        #expect(large.signed == -Int128.max)
        #expect(large.unsigned == UInt128(Int128.max))
        #expect(large.additional == ["x": 1])
    }

    @Test(arguments: [7, "text", [1], .null] as [JSONValue])
    func modelThatIsNotAnObjectCannotBeWritten(model: JSONValue) throws {
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(Extended(model, additional: ["x": 1])) }
    }
}
