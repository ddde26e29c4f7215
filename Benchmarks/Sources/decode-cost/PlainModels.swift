/// A model of five members whose names begin differently.
struct Five: Decodable {
    let id: Int
    let name: String
    let price: Double
    let stock: Int
    let isNew: Bool
}

/// A model of ten members.
struct Ten: Decodable {
    let id: Int
    let name, email, phone, street, city: String
    let age: Int
    let balance: Double
    let isActive: Bool
    let note: String?
}

/// A model of twenty members.
struct Twenty: Decodable {
    let id: Int
    let name, email, phone, street, city, zip, country, company, website: String
    let age, visits, rank: Int
    let balance, latitude, rating: Double
    let isActive, verified: Bool
    let note, language: String?
}

extension Five: Sample {
    static let json = #"{"id":1042,"name":"Item number 1042","price":12.5,"stock":17,"isNew":true}"#
}

extension Ten: Sample {
    static let json = #"""
        {"id":1042,"name":"Ada Lovelace","email":"ada@example.com","phone":"+44 20 7946 0000",\#
        "street":"12 St James's Square","city":"London","age":36,"balance":1250.75,"isActive":true,"note":null}
        """#
}

extension Twenty: Sample {
    static let json = #"""
        {"id":1042,"name":"Ada Lovelace","email":"ada@example.com","phone":"+44 20 7946 0000",\#
        "street":"12 St James's Square","city":"London","zip":"SW1Y 4JH","country":"GB","company":"Analytical Engines",\#
        "website":"https://ada.example.com","age":36,"visits":210,"rank":3,"balance":1250.75,"latitude":51.507222,\#
        "rating":4.5,"isActive":true,"verified":true,"note":null,"language":"en"}
        """#
}
