import APIKitJSON
import Foundation

extension FuzzTarget {
    /// `JSONReader` refuses what is not JSON, and reads JSON as `JSONDecoder` does, by the models of its tests.
    static let json = FuzzTarget(
        "json",
        seeds: [
            #"{"int":1,"text":"a","flag":true,"double":-1.5e3,"float":0.5,"small":-3,"list":[1,2],"when":1.5}"#,
            #"{"a":null,"b":12,"\u0061":-7,"c d":1.0,"é":9007199254740993}"#,
            #"{"a":[-128],"b":[32767],"c":[0],"d":[],"e":[255],"f":[1],"h":[18446744073709551615],"j":[0.25,null]}"#,
            "[-128,127,1.0,1e2,0,-0,300]",
            "[0.1,-2.5,1e21,1.7976931348623157e308,5e-324,0.30000000000000004,123456789.123456789,0e1]",
            #"[{"double":-0.0,"float":1.5,"text":"\ud83d\ude00 \"\\\/\b\f\n\r\t"}]"#,
            #"["2026-11-20T18:30:00Z","1990-12-31T15:59:60.25-08:00",12345.678]"#,
            #"["aGVsbG8=","https:\/\/example.com\/a?b=c#d",[1,2,255]]"#,
            #"[{"empty":{}},{"number":{"_0":1}},{"pair":{"first":"a","second":2}},{"nested":{"_0":{"empty":{}}}}]"#,
            #"[{"kind":"organization","x":1,"y":null,"int":1,"user_id":2,"userId":2,"text":"","flag":false}]"#,
            #"{"html_url":"a","htmlUrl":"b","site_admin":true,"siteAdmin":false,"_private_":1,"x_x":2,"x":3}"#,
            #"{"a":{"b":[[],{},[[1,"2",[true,false,null]]]]},"c":"other","b":null}"#,
            #"["inf",9007199254740993,1e+1,{"a":.0}]"#,
        ]
    ) { input in
        let document = Document(input.data, changes: .max)
        // Dates as `JSONDecoder` does not read them.
        _ = try? JSONReader().decode([Date].self, from: document.data)
        _ = try? JSONReader().decode([String: Date].self, from: document.data)
        // At some numbers with more than 128 digits, `JSONDecoder` ends the process.
        let isReadable = document.json.map { json in !json.numbers.contains { $0.count > 100 } } ?? true
        let strategy = Strategy.allCases[input.data.count % Strategy.allCases.count]
        for difference in differences where isReadable {
            if let difference = difference(document, strategy) { fatalError("\(strategy): \(difference)") }
            // What is not JSON is refused before its model matters.
            if document.json == nil { break }
        }
    }
}

private let differences: [@Sendable (Document, Strategy) -> String?] = [
    { Shape.difference(Anything.self, isOrdered: false, $0, $1) },
    { Shape.difference(Optionals.self, isOrdered: true, $0, $1) },
    { Shape.difference([String: Int?].self, isOrdered: false, $0, $1) },
    { Shape.difference(NumberLists.self, isOrdered: true, $0, $1) },
    { Shape.difference([Int8].self, isOrdered: true, $0, $1) },
    { Shape.difference([Int].self, isOrdered: true, $0, $1) },
    { Shape.difference([UInt64].self, isOrdered: true, $0, $1) },
    { Shape.difference([Exact].self, isOrdered: true, $0, $1) },
    { Shape.difference([Double].self, isOrdered: true, $0, $1) },
    { Shape.difference([Float].self, isOrdered: true, $0, $1) },
    { Shape.difference([Decimal].self, isOrdered: true, $0, $1) },
    { Shape.difference([Date].self, isOrdered: true, $0, $1) },
    { Shape.difference([Data].self, isOrdered: true, $0, $1) },
    { Shape.difference([URL].self, isOrdered: true, $0, $1) },
    { Shape.difference([Payload].self, isOrdered: true, $0, $1) },
    { Shape.difference(Lossy.self, isOrdered: true, $0, $1) },
    { Shape.difference(Presence.self, isOrdered: true, $0, $1) },
    { Shape.difference([KindModel].self, isOrdered: true, $0, $1) },
    { Shape.difference([Tagged<Creature>].self, isOrdered: true, $0, $1) },
    { Shape.difference(SnakeCased.self, isOrdered: true, $0, $1) },
]
