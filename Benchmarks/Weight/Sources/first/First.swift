import APIKit
import WeightSupport

/// Decodes types, each for the first time.
struct First {
    /// What is decoded.
    enum Kind: String {
        /// Models whose members are numbers, texts and lists of texts.
        case models
        /// A list of each of these models.
        case lists
        /// Models that have an enum, an object and a list of objects, whose types are their own.
        case nested
    }

    let contestant: Contestant
    let kind: Kind
    private let object: Data
    private let list: Data
    private let decoder = JSONDecoder()

    init(contestant: Contestant, kind: Kind) {
        self.contestant = contestant
        self.kind = kind
        let members =
            switch kind {
            case .models, .lists: #""owner":"mojombo","rating":4.5,"size":120"#
            case .nested: #""state":"open","maker":{"id":1,"login":"mojombo"},"parts":[{"id":1,"name":"Leg"}]"#
            }
        let json = """
            {"id":46,"name":"Table of oak","price":12.5,"isNew":true,"tags":["wood","big"],"count":3,"note":null,\
            \(members)}
            """
        object = Data(json.utf8)
        list = Data("[\(json),\(json)]".utf8)
    }

    /// Decodes a model, or a list of two.
    func decode<Model: JSONResponse>(_ type: Model.Type) throws {
        switch (contestant, kind) {
        case (.ours, .lists): _ = try [Model].process(data: list)
        case (.ours, _): _ = try Model.process(data: object)
        case (.byHand, .lists): _ = try decoder.decode([Model].self, from: list)
        case (.byHand, _): _ = try decoder.decode(Model.self, from: object)
        }
    }
}
