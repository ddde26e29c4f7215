import APIKit

struct ReturnLabelRequest: ShopRequest {
    var id: String

    var path: URLPath { "orders/\(id)/return_label" }

    struct Response: JSONEnvelope {
        let returnLabel: ReturnLabel
        var content: ReturnLabel { returnLabel }
    }
}

struct ReturnLabel: ShopModel {
    let trackingNumber: String
    let pdfURL: String?
}
