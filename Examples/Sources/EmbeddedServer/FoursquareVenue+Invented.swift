extension FoursquareVenue {
    /// All venues, which are invented: in New York, Chicago and Lisbon.
    static let all: [FoursquareVenue] = newYork + chicago + lisbon

    private static let newYork = [
        venue(1, "Copper Kettle Coffee", .coffee, "114 Grand St", .newYork, 40.7206, -74.0012, 4_812),
        venue(2, "Ninth Floor Roasters", .coffee, "29 W 36th St", .newYork, 40.7503, -73.9853, 2_240),
        venue(3, "The Slow Drip", .coffee, nil, .newYork, 40.7291, -73.9874, 318),
        venue(4, "Vesuvio's Corner", .pizza, "402 Hudson St", .newYork, 40.7292, -74.0069, 3_105),
        venue(5, "Slice & Sons", .pizza, "77 Orchard St", .newYork, 40.7182, -73.9901, 967),
        venue(6, "Paper Lantern Books", .bookstore, "18 Bleecker St", .newYork, 40.7256, -73.9927, 1_420),
        venue(7, "Tanner's Yard", nil, nil, .newYork, 40.7051, -74.0092, 12),
    ]

    private static let chicago = [
        venue(8, "Lakeshore Coffee Works", .coffee, "610 N Wells St", .chicago, 41.8929, -87.6340, 2_981),
        venue(9, "Deep Dish Union", .pizza, "1520 W Taylor St", .chicago, 41.8693, -87.6652, 5_377),
        venue(10, "Second Chapter", .bookstore, "3041 N Clark St", .chicago, 41.9372, -87.6494, 804),
        venue(11, "Prairie Green", .park, nil, .chicago, 41.8790, -87.6210, 1_950),
    ]

    private static let lisbon = [
        venue(12, "Café do Elétrico", .coffee, "Rua da Conceição 31", .lisbon, 38.7098, -9.1365, 1_133),
        venue(13, "Livraria Maré Alta", .bookstore, "Calçada do Combro 58", .lisbon, 38.7112, -9.1475, 652),
        venue(14, "Miradouro da Figueira", .park, nil, .lisbon, 38.7155, -9.1300, 2_706),
    ]

    private static func venue(
        _ number: Int,
        _ name: String,
        _ category: Category?,
        _ address: String?,
        _ city: City,
        _ lat: Double,
        _ lng: Double,
        _ checkins: Int
    ) -> FoursquareVenue {
        FoursquareVenue(
            id: "5e0f1a2b3c4d5e00" + String(10_000_000 + number),
            name: name,
            category: category,
            address: address,
            city: city,
            lat: lat,
            lng: lng,
            checkins: checkins
        )
    }
}

extension FoursquareVenue.City {
    fileprivate static let newYork = Self(name: "New York", state: "NY", country: "United States", countryCode: "US")
    fileprivate static let chicago = Self(name: "Chicago", state: "IL", country: "United States", countryCode: "US")
    fileprivate static let lisbon = Self(name: "Lisbon", state: nil, country: "Portugal", countryCode: "PT")
}
