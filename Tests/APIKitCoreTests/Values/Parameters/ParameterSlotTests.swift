import APIKitCore
import Foundation
import TestSupport
import TestTraits
import Testing

/// What an Encodable value may do with its containers. JSONEncoder is the measure, unless it would end the process.
@Suite struct ParameterSlotTests {
    enum Keys: CodingKey { case a, b, c, d }

    /// A value that is what a closure encodes.
    private struct Value: Encodable, Sendable {
        let body: @Sendable (any Encoder) throws -> Void
        init(_ body: @escaping @Sendable (any Encoder) throws -> Void) { self.body = body }
        func encode(to encoder: any Encoder) throws { try body(encoder) }
    }

    /// A value with named members, which a closure encodes.
    private static func keyed(
        _ body: @escaping @Sendable (any Encoder, inout KeyedEncodingContainer<Keys>) throws -> Void
    ) -> Value {
        Value { encoder in
            var root = encoder.container(keyedBy: Keys.self)
            try body(encoder, &root)
        }
    }

    private func json(_ value: some Encodable) throws -> String {
        try JSONProbe(parameters: Parameters(encoding: value)).bodyText()
    }

    private func fault(_ value: some Encodable) throws -> RequestError {
        try JSONProbe(parameters: Parameters(encoding: value)).fault()
    }

    private static let merging: KeyValuePairs<String, Value> = [
        // Nested containers may be filled later.
        #"{"a":{"d":2},"b":[3,null,{"a":4},[5,6]],"c":1}"#: keyed { _, root in
            var inner = root.nestedContainer(keyedBy: Keys.self, forKey: .a)
            var list = root.nestedUnkeyedContainer(forKey: .b)
            try root.encode(1, forKey: .c)
            try inner.encode(2, forKey: .d)
            try list.encode(3)
            try list.encodeNil()
            var deep = list.nestedContainer(keyedBy: Keys.self)
            var deepList = list.nestedUnkeyedContainer()
            try deepList.encode(contentsOf: [5, 6])
            try deep.encode(4, forKey: .a)
            #expect(list.count == 4)
        },
        #"{"a":{"x":1},"b":[{"x":1}],"super":{"x":1}}"#: keyed { _, root in
            try ["x": 1].encode(to: root.superEncoder(forKey: .a))
            var list = root.nestedUnkeyedContainer(forKey: .b)
            try ["x": 1].encode(to: list.superEncoder())
            try ["x": 1].encode(to: root.superEncoder())
        },
        // Two containers of one encoder: flattened members, and classes that call `super.encode(to:)`.
        #"{"a":1,"b":2,"page":2}"#: keyed { encoder, root in
            try root.encode(1, forKey: .a)
            var again = encoder.container(keyedBy: Keys.self)
            try again.encode(2, forKey: .b)
            try ["page": 2].encode(to: encoder)
        },
        #"{"a":{"b":1,"c":2,"d":3}}"#: keyed { _, root in
            var first = root.nestedContainer(keyedBy: Keys.self, forKey: .a)
            try first.encode(1, forKey: .b)
            var second = root.nestedContainer(keyedBy: Keys.self, forKey: .a)
            try second.encode(2, forKey: .c)
            try first.encode(3, forKey: .d)
        },
        #"{"a":[1,2,3]}"#: keyed { _, root in
            var first = root.nestedUnkeyedContainer(forKey: .a)
            try first.encode(1)
            var second = root.nestedUnkeyedContainer(forKey: .a)
            try second.encode(2)
            try first.encode(3)
            #expect(second.count == 3)
        },
        #"{"a":{"b":1,"c":2}}"#: keyed { _, root in
            try root.encode(["b": 1], forKey: .a)
            var nested = root.nestedContainer(keyedBy: Keys.self, forKey: .a)
            try nested.encode(2, forKey: .c)
        },
        #"{"a":{"b":null,"c":2}}"#: keyed { _, root in
            try root.encode(Value { try ["b": Int?.none].encode(to: $0) }, forKey: .a)
            var nested = root.nestedContainer(keyedBy: Keys.self, forKey: .a)
            try nested.encode(2, forKey: .c)
        },
        #"{"a":[1,2]}"#: keyed { _, root in
            try root.encode([1], forKey: .a)
            var nested = root.nestedUnkeyedContainer(forKey: .a)
            try nested.encode(2)
        },
        #"{"a":"x","b":null}"#: keyed { _, root in
            try root.encode(1, forKey: .a)
            try root.encode(2, forKey: .b)
            try root.encode("x", forKey: .a)
            try root.encodeNil(forKey: .b)
        },
        #"{"a":[1,2]}"#: keyed { encoder, root in
            var list = root.nestedUnkeyedContainer(forKey: .a)
            var again = encoder.container(keyedBy: Keys.self)
            var first = again.nestedUnkeyedContainer(forKey: .a)
            try list.encode(1)
            try first.encode(2)
        },
        #"{"a":{},"super":{}}"#: keyed { _, root in
            try root.encode(Value { _ in }, forKey: .a)
            _ = root.superEncoder()
        },
    ]

    @Test(arguments: merging.indices) func containersOfOneKeyFillOneValue(index: Int) throws {
        let (expected, value) = Self.merging[index]
        #expect(try json(value) == expected)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(value), as: UTF8.self) == expected)
    }

    // JSONEncoder keeps the last one alone.
    @Test func superEncodersOfOneKeyFillOneValue() throws {
        let value = Self.keyed { _, root in
            try ["x": 1].encode(to: root.superEncoder())
            try ["y": 2].encode(to: root.superEncoder())
            try ["x": 1].encode(to: root.superEncoder(forKey: .a))
            var nested = root.nestedContainer(keyedBy: Keys.self, forKey: .a)
            try nested.encode(3, forKey: .b)
        }
        #expect(try json(value) == #"{"super":{"x":1,"y":2},"a":{"x":1,"b":3}}"#)
    }

    // JSONEncoder ends the process.
    private static let ambiguous: [Value] = [
        keyed { _, root in
            _ = root.nestedContainer(keyedBy: Keys.self, forKey: .a)
            _ = root.nestedUnkeyedContainer(forKey: .a)
        },
        keyed { _, root in
            try root.encode(1, forKey: .a)
            var nested = root.nestedContainer(keyedBy: Keys.self, forKey: .a)
            try nested.encode(1, forKey: .b)
        },
        keyed { encoder, root in
            try root.encode(1, forKey: .a)
            var list = encoder.unkeyedContainer()
            try list.encode(1)
        },
        Value { encoder in
            var single = encoder.singleValueContainer()
            try single.encode(1)
            try single.encode(2)
        },
        keyed { encoder, root in
            try root.encode(1, forKey: .a)
            var single = encoder.singleValueContainer()
            try single.encodeNil()
        },
    ]

    @Test(arguments: ambiguous.indices) func rejectsAmbiguousValues(index: Int) throws {
        #expect(try fault(Self.ambiguous[index]).message.contains("several things"))
        #expect(try fault(["x": Self.ambiguous[index]]).message.contains("several things"))
    }

    @Test(.timeLimit(.minutes(10))) func encodingTimeIsLinear() throws {
        let count = Effort.rounds(20_000, thorough: 200_000)
        let members = Dictionary(uniqueKeysWithValues: (0..<count).map { ("k\($0)", Value { _ in }) })
        #expect(Parameters(encoding: members).count == count)
    }

    private final class Linked: Encodable {
        let next: Linked?
        init(_ next: Linked?) { self.next = next }
    }

    @Test(arguments: [(99, true), (101, false), (5_000, false)] as [(Int, Bool)])
    func valuesNestUpTo100Deep(depth: Int, isSent: Bool) throws {
        var linked: Linked?
        for _ in 0..<depth { linked = Linked(linked) }
        let containers = Value { encoder in
            var container = encoder.container(keyedBy: Keys.self)
            for _ in 1..<depth { container = container.nestedContainer(keyedBy: Keys.self, forKey: .a) }
            try container.encode(1, forKey: .a)
        }
        let lists = Self.keyed { _, root in
            var list = root.nestedUnkeyedContainer(forKey: .a)
            for _ in 2..<depth { list = list.nestedUnkeyedContainer() }
            try list.encode(1)
        }
        let values: [any Encodable] = [linked, containers, lists]
        for value in values {
            if isSent {
                #expect(throws: Never.self) { try json(value) }
            } else {
                #expect(try fault(value).message.contains("more than 100 lists and objects"))
            }
        }
    }

    @Test func rejectsEndlessRecursion() throws {
        struct Endless: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(Endless())
            }
        }
        #expect(try fault(Endless()).message.contains("more than 100"))
    }
}
