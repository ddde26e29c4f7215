import APIKit

struct TileRequest: EdgesRequest {
    typealias Response = NoContent
    var ids: [Int]
    var point: Point
    var layer: String
    var tags: [String]
    var filter: Filter?
    var all: [String] = []
    var states: [String] = []
    var words: [String] = []

    var path: URLPath {
        "maps/\(list: ids)/\(list: point, exploded: true)/tile\(label: layer)\(matrix: tags, exploded: true, name: "tags")"
    }
    var parameters: Parameters {
        ["filter": filter, "all": all, "states": .list(states, as: .pipes), "words": .list(words, as: .spaces)]
    }

    struct Filter: ParameterValue {
        var name: String?
        var kinds: [String]?

        var parameterNode: Parameters.Node {
            .object(["name": name, "kinds": kinds.map { Parameters.Node.list($0, as: .indexed) }])
        }
    }

    struct Point: ParameterValue {
        var x: Int
        var y: Int
        var parameterNode: Parameters.Node { .object(["x": x, "y": y]) }
    }
}
