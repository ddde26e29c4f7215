import Foundation

/// A venue as Foursquare describes it; missing values are omitted from the JSON.
struct FoursquareVenue {
    let id: String
    let name: String
    let category: Category?
    let address: String?
    let city: City
    let lat: Double
    let lng: Double
    let checkins: Int

    /// The kind of a venue.
    struct Category {
        let id: String
        let name: String
        let pluralName: String
        let shortName: String
    }

    /// The city of a venue.
    struct City {
        let name: String
        let state: String?
        let country: String
        let countryCode: String
    }

    /// Whether the venue is in a place such as `Chicago` or `chicago, IL`.
    func isNear(_ place: String) -> Bool {
        let words = place.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        return words.first == city.name.lowercased()
    }

    /// Whether its name or category contains the text.
    func matches(_ query: String) -> Bool {
        [name, category?.name ?? ""].contains { $0.lowercased().contains(query.lowercased()) }
    }

    /// The description in a search's result.
    var json: JSON {
        [
            "id": .string(id),
            "name": .string(name),
            "location": location,
            "categories": .array(category.map { [$0.json] } ?? []),
            "verified": .bool(checkins > 1_000),
            "stats": [
                "tipCount": .integer(checkins / 40),
                "usersCount": .integer(checkins / 3),
                "checkinsCount": .integer(checkins),
            ],
        ]
    }

    private var location: JSON {
        var members: [(name: String, value: JSON)] = []
        if let address { members.append(("address", .string(address))) }
        members += [("lat", .number(lat)), ("lng", .number(lng))]
        members += [("cc", .string(city.countryCode)), ("city", .string(city.name))]
        if let state = city.state { members.append(("state", .string(state))) }
        members.append(("country", .string(city.country)))
        let place = city.state.map { "\(city.name), \($0)" } ?? city.name
        let lines = [address, place, city.country].compactMap { $0 }
        members.append(("formattedAddress", .array(lines.map(JSON.string))))
        return .object(members)
    }
}

extension FoursquareVenue.Category {
    fileprivate var json: JSON {
        [
            "id": .string(id),
            "name": .string(name),
            "pluralName": .string(pluralName),
            "shortName": .string(shortName),
            "primary": true,
        ]
    }

    static let coffee = Self(
        id: "4bf58dd8d48988d1e0931735", name: "Coffee Shop", pluralName: "Coffee Shops", shortName: "Coffee Shop"
    )
    static let pizza = Self(
        id: "4bf58dd8d48988d1ca941735", name: "Pizza Place", pluralName: "Pizza Places", shortName: "Pizza"
    )
    static let bookstore = Self(
        id: "4bf58dd8d48988d114951735", name: "Bookstore", pluralName: "Bookstores", shortName: "Bookstore"
    )
    static let park = Self(
        id: "4bf58dd8d48988d163941735", name: "Park", pluralName: "Parks", shortName: "Park"
    )
}
