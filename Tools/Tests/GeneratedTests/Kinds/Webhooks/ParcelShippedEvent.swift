import APIKit

/// Sent when an parcel has left the warehouse.
struct ParcelShippedEvent: JSONResponse {
    let carrier: Carrier
    let parcel: Parcel
    let sentAt: Date

    struct Carrier: RawRepresentable, Hashable, Decodable {
        let rawValue: String

        static let post = Self(rawValue: "post")
        static let courier = Self(rawValue: "courier")
    }

    private enum CodingKeys: String, CodingKey {
        case carrier, parcel
        case sentAt = "sent_at"
    }
}
