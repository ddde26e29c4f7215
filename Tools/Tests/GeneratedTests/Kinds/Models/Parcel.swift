import APIKit

struct Parcel: JSONResponse {
    let id: Int
}
