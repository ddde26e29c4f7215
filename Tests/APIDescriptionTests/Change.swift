import APIKitCore
import Testing

/// A single change of the shop's description, and the problems that it causes.
struct Change: Sendable, CustomTestStringConvertible {
    let old: String
    let new: String
    let problems: [String]
    var testDescription: String { "\(old) → \(new)" }

    static let all: [Change] = table.components(separatedBy: "\n\n").compactMap { block in
        let lines = block.split(separator: "\n").map(String.init)
        guard lines.count > 1, lines[0].hasPrefix("- "), lines[1].hasPrefix("+ ") else { return nil }
        return Change(
            old: String(lines[0].dropFirst(2)), new: String(lines[1].dropFirst(2)), problems: Array(lines.dropFirst(2)))
    }

    private static let table = #"""
        # Operations and servers

        - "/items": {
        + "/things": {
        ItemsRequest: is GET https://eu.shop.example/v2/items, which the description does not have (#/paths)
        AddItemRequest: is POST https://eu.shop.example/v2/items, which the description does not have (#/paths)

        - "/items/{id}.pdf"
        + "/items/{id}.doc"
        InvoiceRequest: path id is "7.pdf", not an integer (#/paths/~1items~1{id}/get/parameters/0/schema/type)

        - "/files/{path}/lines"
        + "/files/{path}/rows"
        LinesRequest: is GET https://eu.shop.example/v2/files/notes/2026/lamps.txt/lines, which the description does not have (#/paths)

        - shop.example/v2
        + shop.example/v3
        ItemsRequest: is GET https://eu.shop.example/v2/items, which the description does not have (#/paths)
        AddItemRequest: is POST https://eu.shop.example/v2/items, which the description does not have (#/paths)
        ItemRequest: is GET https://eu.shop.example/v2/items/7, which the description does not have (#/paths)
        InvoiceRequest: is GET https://eu.shop.example/v2/items/7.pdf, which the description does not have (#/paths)
        LinesRequest: is GET https://eu.shop.example/v2/files/notes/2026/lamps.txt/lines, which the description does not have (#/paths)
        AddPhotoRequest: is POST https://eu.shop.example/v2/photos, which the description does not have (#/paths)
        LoginRequest: is POST https://eu.shop.example/v2/logins, which the description does not have (#/paths)

        - .shop.example
        + .store.example
        ItemsRequest: is sent to https://eu.shop.example/v2/items, and the description names other servers (#/servers)
        AddItemRequest: is sent to https://eu.shop.example/v2/items, and the description names other servers (#/servers)
        ItemRequest: is sent to https://eu.shop.example/v2/items/7, and the description names other servers (#/servers)
        InvoiceRequest: is sent to https://eu.shop.example/v2/items/7.pdf, and the description names other servers (#/servers)
        LinesRequest: is sent to https://eu.shop.example/v2/files/notes/2026/lamps.txt/lines, and the description names other servers (#/servers)
        AddPhotoRequest: is sent to https://eu.shop.example/v2/photos, and the description names other servers (#/servers)
        LoginRequest: is sent to https://eu.shop.example/v2/logins, and the description names other servers (#/servers)

        # Parameters

        - "name": "limit"
        + "name": "count"
        ItemsRequest: query count is required, and missing (#/paths/~1items/get/parameters/0)
        ItemsRequest: query limit is not in the description (#/paths/~1items/get)

        - {"name": "limit", "in": "query", "required": true
        + {"name": "limit", "in": "header", "required": true
        ItemsRequest: query limit is not in the description (#/paths/~1items/get)
        ItemsRequest: header limit is required, and missing (#/paths/~1items/get/parameters/0)

        - "schema": {"type": "integer", "maximum": 100}
        + "schema": {"type": "boolean"}
        ItemsRequest: query limit is "20", not a boolean (#/paths/~1items/get/parameters/0/schema/type)

        - "maximum": 100
        + "maximum": 10
        ItemsRequest: query limit is 20, above the limit 10 (#/paths/~1items/get/parameters/0/schema/maximum)

        - "maximum": 100
        + "exclusiveMaximum": true, "maximum": 20
        ItemsRequest: query limit is 20, above the limit 20 (#/paths/~1items/get/parameters/0/schema/maximum)

        - "maximum": 100
        + "minimum": 21
        ItemsRequest: query limit is 20, below the limit 21 (#/paths/~1items/get/parameters/0/schema/minimum)

        - "maximum": 100
        + "enum": [10, 50]
        ItemsRequest: query limit is "20", not one of 10, 50 (#/paths/~1items/get/parameters/0/schema/enum)

        - "name": "sort"
        + "name": "order"
        ItemsRequest: query sort is not in the description (#/paths/~1items/get)

        - "enum": ["name", "price"]
        + "enum": ["name"]
        ItemsRequest: query sort is "price", not one of "name" (#/paths/~1items/get/parameters/1/schema/enum)

        - "enum": ["name", "price"]
        + "enum": ["name", "cost"]
        ItemsRequest: query sort is "price", not one of "name", "cost" (#/paths/~1items/get/parameters/1/schema/enum)

        - "explode": false
        + "explode": true
        ItemsRequest: query ids[0] is "1,2", not an integer (#/paths/~1items/get/parameters/2/schema/items/type)

        - "explode": false
        + "style": "pipeDelimited", "explode": false
        ItemsRequest: query ids[0] is "1,2", not an integer (#/paths/~1items/get/parameters/2/schema/items/type)

        - "items": {"type": "integer"}, "maxItems"
        + "items": {"type": "boolean"}, "maxItems"
        ItemsRequest: query ids[0] is "1", not a boolean (#/paths/~1items/get/parameters/2/schema/items/type)

        - "name": "colors", "in": "query"
        + "name": "colors", "in": "query", "explode": false
        ItemsRequest: query colors is repeated, not joined (#/paths/~1items/get/parameters/3)

        - "name": "colors", "in": "query"
        + "name": "colors", "in": "query", "style": "deepObject"
        ItemsRequest: query colors is not sent as colors[] (#/paths/~1items/get/parameters/3)

        - "name": "colors", "in": "query"
        + "name": "colors[]", "in": "query"
        ItemsRequest: query colors is not in the description (#/paths/~1items/get)

        - "name": "colors", "in": "query", "schema": {"type": "array", "items": {"type": "string"}}
        + "name": "colors", "in": "query", "schema": {"type": "string"}
        ItemsRequest: query colors is sent 2 times (#/paths/~1items/get/parameters/3)

        - "name": "price", "in": "query", "style": "deepObject"
        + "name": "price", "in": "query"
        ItemsRequest: query price[max] is not in the description (#/paths/~1items/get)
        ItemsRequest: query price[min] is not in the description (#/paths/~1items/get)

        - "max": {"type": "number"}
        + "maximum": {"type": "number"}
        ItemsRequest: query price.max is not in the description (#/paths/~1items/get/parameters/4/schema/properties)

        - "min": {"type": "number"}
        + "min": {"type": "boolean"}
        ItemsRequest: query price.min is "1.5", not a boolean (#/paths/~1items/get/parameters/4/schema/properties/min/type)

        - "in": "query", "schema": {"type": "string", "format": "date-time"}
        + "in": "query", "schema": {"type": "string", "format": "date"}
        ItemsRequest: query since is "1970-01-01T00:00:00Z", not in the format date (#/paths/~1items/get/parameters/5/schema/format)

        - "in": "query", "schema": {"type": "string", "format": "date-time"}
        + "in": "query", "schema": {"type": "integer"}
        ItemsRequest: query since is "1970-01-01T00:00:00Z", not an integer (#/paths/~1items/get/parameters/5/schema/type)

        - {"name": "since", "in": "query", "schema": {"type": "string", "format": "date-time"}}
        + {"name": "since", "in": "query", "schema": {"type": "string", "format": "date-time"}}, {"name": "shop", "in": "query", "required": true, "schema": {"type": "string"}}
        ItemsRequest: query shop is required, and missing (#/paths/~1items/get/parameters/6)

        - "name": "X-Trace"
        + "name": "X-Request"
        ItemsRequest: header X-Trace is not in the description (#/paths/~1items/get)

        - "in": "header", "schema": {"type": "string", "format": "uuid"}
        + "in": "header", "schema": {"type": "integer"}
        ItemsRequest: header X-Trace is "8B5F0B9A-2C7E-4F0D-9C3A-6E1D2F4A7B90", not an integer (#/components/parameters/trace/schema/type)

        - "trace": {"name": "X-Trace", "in": "header"
        + "trace": {"name": "X-Tenant", "in": "header", "required": true
        ItemsRequest: header X-Tenant is required, and missing (#/components/parameters/trace)
        ItemsRequest: header X-Trace is not in the description (#/paths/~1items/get)
        AddItemRequest: header X-Tenant is required, and missing (#/components/parameters/trace)

        - "minimum": 5
        + "minimum": 8
        ItemRequest: path id is 7, below the limit 8 (#/paths/~1items~1{id}/get/parameters/0/schema/minimum)

        - "required": true, "schema": {"type": "integer", "minimum": 5}
        + "required": true, "schema": {"type": "string", "format": "uuid"}
        ItemRequest: path id is "7", not in the format uuid (#/paths/~1items~1{id}/get/parameters/0/schema/format)

        # Bodies

        - "requestBody": {"required": true, "content": {"application/json": {
        + "requestBody": {"required": true, "content": {"application/xml": {
        AddItemRequest: body is application/json, not application/xml (#/paths/~1items/post/requestBody/content)

        - "content": {"multipart/form-data"
        + "content": {"application/json"
        AddPhotoRequest: body is multipart/form-data, not application/json (#/paths/~1photos/post/requestBody/content)

        - "name": {"type": "string", "minLength": 2}
        + "title": {"type": "string"}
        AddItemRequest: body.name is not in the description (#/components/schemas/NewItem/properties)

        - "name": {"type": "string", "minLength": 2}
        + "name": {"type": "integer"}
        AddItemRequest: body.name is a string, not an integer (#/components/schemas/NewItem/allOf/0/properties/name/type)

        - "name": {"type": "string", "minLength": 2}
        + "name": {"type": "string", "readOnly": true}
        AddItemRequest: body.name is sent, and only responses have it (#/components/schemas/NewItem/allOf/0/properties/name/readOnly)

        - "minLength": 2}, "note": {"type": "string", "nullable": true}
        + "minLength": 2}, "note": {"type": "string"}
        AddItemRequest: body.note is null, not a string (#/components/schemas/NewItem/allOf/0/properties/note/type)

        - "required": ["price"]
        + "required": ["price", "stock"]
        AddItemRequest: body.stock is required, and missing (#/components/schemas/NewItem/allOf/1/required)

        - [{"$ref": "#/components/schemas/Price"}, {"type": "integer"}]
        + [{"type": "integer"}, {"type": "string"}]
        AddItemRequest: body.price is an object, not an integer (#/components/schemas/NewItem/allOf/1/properties/price/oneOf/0/type)

        - "enum": ["old", "red"]
        + "enum": ["old", "green"]
        AddItemRequest: body.tags[0] is "red", not one of "old", "green" (#/components/schemas/NewItem/allOf/1/properties/tags/items/enum)

        - "tags": {"type": "array"
        + "labels": {"type": "array"
        AddItemRequest: body.tags is not in the description (#/components/schemas/NewItem/properties)

        - "required": ["photo"]
        + "required": ["photo", "place"]
        AddPhotoRequest: body.place is required, and missing (#/paths/~1photos/post/requestBody/content/multipart~1form-data/schema/required)

        - "width": {"type": "integer"}
        + "width": {"type": "boolean"}
        AddPhotoRequest: body.width is "640", not a boolean (#/paths/~1photos/post/requestBody/content/multipart~1form-data/schema/properties/width/type)

        - "title": {"type": "string"}, "width"
        + "name": {"type": "string"}, "width"
        AddPhotoRequest: body.title is not in the description (#/paths/~1photos/post/requestBody/content/multipart~1form-data/schema/properties)

        - "days": {"type": "integer"}
        + "days": {"type": "boolean"}
        LoginRequest: body.days is "3", not a boolean (#/paths/~1logins/post/requestBody/content/application~1x-www-form-urlencoded/schema/properties/days/type)

        - "required": ["user", "password"]
        + "required": ["user", "password", "otp"]
        LoginRequest: body.otp is required, and missing (#/paths/~1logins/post/requestBody/content/application~1x-www-form-urlencoded/schema/required)

        - "user": {"type": "string"}
        + "login": {"type": "string"}
        LoginRequest: body.user is not in the description (#/paths/~1logins/post/requestBody/content/application~1x-www-form-urlencoded/schema/additionalProperties)

        - "scopes": {"type": "array", "items": {"type": "string"}}
        + "scopes": {"type": "string"}
        LoginRequest: body.scopes is sent 2 times (#/paths/~1logins/post/requestBody/content/application~1x-www-form-urlencoded/schema/properties/scopes)

        - "device": {"type": "object", "properties": {"name": {"type": "string"}}}
        + "device": {"type": "object", "properties": {"model": {"type": "string"}}, "additionalProperties": false}
        LoginRequest: body.device.name is not in the description (#/paths/~1logins/post/requestBody/content/application~1x-www-form-urlencoded/schema/properties/device/additionalProperties)

        # Responses

        - "required": ["id", "name", "state", "price"]
        + "required": ["id", "name", "state"]
        ItemsRequest: response 200 [0].price is missing, which the description allows (#/components/schemas/Item/properties/price)
        AddItemRequest: response 201 price is missing, which the description allows (#/components/schemas/Item/properties/price)
        ItemRequest: response 200 price is missing, which the description allows (#/components/schemas/Item/properties/price)

        - "enum": ["new", "used"]
        + "enum": ["new", "used", "sold"]
        ItemsRequest: response 200 [0].state cannot be read: Cannot initialize State from invalid String value sold, which the description allows (#/components/schemas/Item/properties/state)
        AddItemRequest: response 201 state cannot be read: Cannot initialize State from invalid String value sold, which the description allows (#/components/schemas/Item/properties/state)
        ItemRequest: response 200 state cannot be read: Cannot initialize State from invalid String value sold, which the description allows (#/components/schemas/Item/properties/state)

        - "enum": ["new", "used"]
        + "enum": ["new", "sold", "used"]
        ItemsRequest: response 200 [0].state cannot be read: Cannot initialize State from invalid String value sold, which the description allows (#/components/schemas/Item/properties/state)
        AddItemRequest: response 201 state cannot be read: Cannot initialize State from invalid String value sold, which the description allows (#/components/schemas/Item/properties/state)
        ItemRequest: response 200 state cannot be read: Cannot initialize State from invalid String value sold, which the description allows (#/components/schemas/Item/properties/state)

        - "note": {"type": "string", "nullable": true},
        + "remark": {"type": "string", "nullable": true},
        ItemsRequest: response 200 [0].note is read, and no response in the description has it (#/components/schemas/Item/properties)
        AddItemRequest: response 201 note is read, and no response in the description has it (#/components/schemas/Item/properties)
        ItemRequest: response 200 note is read, and no response in the description has it (#/components/schemas/Item/properties)

        - "amount": {"type": "number"}, "currency": {"type": "string"}}
        + "amount": {"type": "string"}, "currency": {"type": "string"}}
        ItemsRequest: response 200 [0].price.amount is not a Double (#/components/schemas/Price/properties/amount)
        AddItemRequest: body.price.amount is 5, not a string (#/components/schemas/Price/properties/amount/type)
        AddItemRequest: response 201 price.amount is not a Double (#/components/schemas/Price/properties/amount)
        ItemRequest: response 200 price.amount is not a Double (#/components/schemas/Price/properties/amount)

        - "amount": {"type": "number"}, "currency": {"type": "string"}}
        + "amount": {"type": "number"}, "currency": {"type": "string", "nullable": true}}
        ItemsRequest: response 200 [0].price.currency is null, not a String, which the description allows (#/components/schemas/Price/properties/currency)
        AddItemRequest: response 201 price.currency is null, not a String, which the description allows (#/components/schemas/Price/properties/currency)
        ItemRequest: response 200 price.currency is null, not a String, which the description allows (#/components/schemas/Price/properties/currency)

        - "required": ["amount", "currency"]
        + "required": ["amount"]
        ItemsRequest: response 200 [0].price.currency is missing, which the description allows (#/components/schemas/Price/properties/currency)
        AddItemRequest: response 201 price.currency is missing, which the description allows (#/components/schemas/Price/properties/currency)
        ItemRequest: response 200 price.currency is missing, which the description allows (#/components/schemas/Price/properties/currency)

        - "schema": {"type": "array", "items": {"$ref": "#/components/schemas/Item"}}
        + "schema": {"$ref": "#/components/schemas/Item"}
        ItemsRequest: response 200 cannot be read: the top level is not an Array<Any> (#/components/schemas/Item)

        - "example": [{"id": 7
        + "example": [{"id": "7"
        ItemsRequest: response 200 [0].id is not an Int in the example; its schema does not accept it: [0].id is a string, not an integer (#/paths/~1items/get/responses/200/content/application~1json/example)

        - "state": "new", "price": {"amount": 9.5
        + "state": "sold", "price": {"amount": 9.5
        ItemsRequest: response 200 [0].state cannot be read: Cannot initialize State from invalid String value sold in the example; its schema does not accept it: [0].state is "sold", not one of "new", "used" (#/paths/~1items/get/responses/200/content/application~1json/example)

        - {"type": "object", "required": ["reason"], "properties": {"reason": {"type": "string"}}}
        + {"type": "object", "required": ["code"], "properties": {"code": {"type": "string"}}}
        ItemsRequest: response 404 reason is missing (#/components/responses/Error/content/application~1json/schema)
        ItemRequest: response default reason is missing (#/components/responses/Error/content/application~1json/schema)

        - "value": {"reason": "gone"}
        + "value": {"message": "gone"}
        ItemsRequest: response 404 reason is missing in the example; its schema does not accept it: reason is required, and missing (#/components/responses/Error/content/application~1json/examples/gone/value)
        ItemRequest: response default reason is missing in the example; its schema does not accept it: reason is required, and missing (#/components/responses/Error/content/application~1json/examples/gone/value)

        - "404": {"$ref": "#/components/responses/Error"}
        + "409": {"content": {"application/json": {"schema": {"type": "object", "required": ["owner"], "properties": {"owner": {"type": "string"}}}}}}
        ItemsRequest: response 409 reason is missing (#/paths/~1items/get/responses/409/content/application~1json/schema)

        - "responses": {"201": {
        + "responses": {"202": {"description": "Accepted"}, "201": {
        AddItemRequest: response 202 has no body, and the response type needs one (#/paths/~1items/post/responses/202)

        - "200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Item"}}}},
        + "200": {"content": {"text/csv": {"schema": {"type": "string"}}}},
        ItemRequest: response 200 is text/csv, and the response type reads application/json (#/paths/~1items~1{id}/get/responses/200/content)

        - "responses": {"204": {"description": "Stored"}}
        + "responses": {"204": {"description": "Stored"}, "422": {"content": {"application/json": {"schema": {"type": "object"}, "example": {"field": "title"}}}}}
        AddPhotoRequest: response 422 reason is missing in the example (#/paths/~1photos/post/responses/422/content/application~1json/example)
        """#
}
