package import APIKit

/// The model of the responses, which is that of the other benchmarks.
package struct Item: JSONResponse {
    let id: Int
    let name: String
    let price: Double
    let tags: [String]
    let isNew: Bool

    /// A list of some items as JSON, 94 bytes each.
    package static func list(_ count: Int) -> Data {
        let items = (0..<count).map { index in
            #"{"id":\#(index),"name":"Item number \#(index)","price":12.5,"tags":["first","second"],"isNew":true}"#
        }
        return Data("[\(items.joined(separator: ","))]".utf8)
    }
}
