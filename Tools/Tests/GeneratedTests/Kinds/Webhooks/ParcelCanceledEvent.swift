typealias ParcelCanceledEvent = Parcel
