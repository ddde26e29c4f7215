/// A route whose lists hold lists, of numbers and of objects.
struct NestedLists: Decodable {
    let id: Int
    let coordinates: [[[Double]]]
    let legs: [Leg]

    struct Leg: Decodable {
        let name: String
        let steps: [Step]
    }

    struct Step: Decodable {
        let distance: Double
        let lanes: [[Int]]
        let signs: [String]
    }
}

extension NestedLists: Sample {
    static let json = #"""
        {"id":7,"coordinates":[[[13.3777,52.5163],[13.3796,52.5166],[13.3813,52.517]],[[13.3839,52.5172]]],"legs":[\#
        {"name":"Unter den Linden","steps":[{"distance":120.5,"lanes":[[1,2],[3]],"signs":["left","straight on"]},\#
        {"distance":80,"lanes":[[1],[2,3,4]],"signs":[]}]},\#
        {"name":"Karl-Liebknecht-Straße","steps":[{"distance":310.25,"lanes":[[]],"signs":["B2","B5"]}]}]}
        """#
}
