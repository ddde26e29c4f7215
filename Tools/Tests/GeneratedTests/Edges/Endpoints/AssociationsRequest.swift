import APIKit

struct AssociationsRequest: EdgesRequest {
    typealias Response = [Association]
    var path: URLPath { "associations" }
}

struct Association: JSONResponse {
    let name: String?
    let associationDateUTC: String?
    let createdDateUTC: String?
    let updatedDateUTC: Date?

    private enum CodingKeys: String, CodingKey {
        case name = "Name"
        case associationDateUTC = "AssociationDateUtc"
        case createdDateUTC = "CreatedDateUtc"
        case updatedDateUTC = "UpdatedDateUtc"
    }
}
