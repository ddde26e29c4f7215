import APIKit

/// Sent when the parcel was paid.
struct ParcelPaidEvent: JSONResponse {
    let amount: Int
}
