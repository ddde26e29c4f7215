import APIDescription
import APIKitCore

/// A description of a shop, with a bit of everything.
enum Shop {
    static let text = #"""
        {
          "openapi": "3.0.3",
          "info": {"title": "Shop", "version": "1"},
          "servers": [{"url": "https://{region}.shop.example/v2", "variables": {"region": {"default": "eu"}}}],
          "paths": {
            "/items": {
              "parameters": [{"$ref": "#/components/parameters/trace"}],
              "get": {
                "tags": ["items"],
                "parameters": [
                  {"name": "limit", "in": "query", "required": true, "schema": {"type": "integer", "maximum": 100}},
                  {"name": "sort", "in": "query", "schema": {"type": "string", "enum": ["name", "price"]}},
                  {"name": "ids", "in": "query", "explode": false, "schema": {"type": "array", "items": {"type": "integer"}, "maxItems": 5}},
                  {"name": "colors", "in": "query", "schema": {"type": "array", "items": {"type": "string"}}},
                  {"name": "price", "in": "query", "style": "deepObject", "schema": {"type": "object", "properties": {"min": {"type": "number"}, "max": {"type": "number"}}}},
                  {"name": "since", "in": "query", "schema": {"type": "string", "format": "date-time"}}
                ],
                "responses": {
                  "200": {
                    "content": {"application/json": {
                      "schema": {"type": "array", "items": {"$ref": "#/components/schemas/Item"}},
                      "example": [{"id": 7, "name": "Lamp", "state": "new", "price": {"amount": 9.5, "currency": "EUR"}}]
                    }}
                  },
                  "404": {"$ref": "#/components/responses/Error"}
                }
              },
              "post": {
                "tags": ["items"],
                "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/NewItem"}}}},
                "responses": {"201": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Item"}}}}}
              }
            },
            "/items/{id}": {
              "get": {
                "tags": ["items"],
                "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer", "minimum": 5}}],
                "responses": {
                  "200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Item"}}}},
                  "default": {"$ref": "#/components/responses/Error"}
                }
              }
            },
            "/items/{id}.pdf": {
              "get": {
                "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}],
                "responses": {"200": {"content": {"application/pdf": {"schema": {"type": "string", "format": "binary"}}}}}
              }
            },
            "/files/{path}/lines": {
              "get": {
                "parameters": [{"name": "path", "in": "path", "required": true, "schema": {"type": "string"}}],
                "responses": {"200": {"content": {"text/plain": {"schema": {"type": "string"}}}}}
              }
            },
            "/photos": {
              "post": {
                "requestBody": {"content": {"multipart/form-data": {"schema": {
                  "type": "object",
                  "required": ["photo"],
                  "properties": {"title": {"type": "string"}, "width": {"type": "integer"}, "photo": {"type": "string", "format": "binary"}}
                }}}},
                "responses": {"204": {"description": "Stored"}}
              }
            },
            "/logins": {
              "post": {
                "requestBody": {"content": {"application/x-www-form-urlencoded": {"schema": {
                  "type": "object",
                  "required": ["user", "password"],
                  "additionalProperties": false,
                  "properties": {
                    "user": {"type": "string"}, "password": {"type": "string"}, "days": {"type": "integer"},
                    "scopes": {"type": "array", "items": {"type": "string"}},
                    "device": {"type": "object", "properties": {"name": {"type": "string"}}}
                  }
                }}}},
                "responses": {"204": {"description": "Welcome"}}
              }
            }
          },
          "components": {
            "parameters": {"trace": {"name": "X-Trace", "in": "header", "schema": {"type": "string", "format": "uuid"}}},
            "responses": {
              "Error": {"content": {"application/json": {
                "schema": {"type": "object", "required": ["reason"], "properties": {"reason": {"type": "string"}}},
                "examples": {"gone": {"value": {"reason": "gone"}}}
              }}}
            },
            "schemas": {
              "Item": {
                "type": "object",
                "required": ["id", "name", "state", "price"],
                "properties": {
                  "id": {"type": "integer"},
                  "name": {"type": "string"},
                  "state": {"type": "string", "enum": ["new", "used"]},
                  "price": {"$ref": "#/components/schemas/Price"},
                  "note": {"type": "string", "nullable": true},
                  "parts": {"type": "array", "items": {"$ref": "#/components/schemas/Item"}}
                }
              },
              "Price": {
                "type": "object",
                "required": ["amount", "currency"],
                "properties": {"amount": {"type": "number"}, "currency": {"type": "string"}}
              },
              "NewItem": {
                "allOf": [
                  {"type": "object", "required": ["name"], "properties": {"id": {"type": "integer", "readOnly": true}, "name": {"type": "string", "minLength": 2}, "note": {"type": "string", "nullable": true}}},
                  {"type": "object", "required": ["price"], "properties": {"price": {"oneOf": [{"$ref": "#/components/schemas/Price"}, {"type": "integer"}]}, "tags": {"type": "array", "items": {"type": "string", "enum": ["old", "red"]}}}}
                ]
              }
            }
          }
        }
        """#

    static func description(replacing old: String = "", by new: String = "") throws -> APIDescription {
        try APIDescription(Data((old.isEmpty ? text : text.replacing(old, with: new)).utf8), name: "shop.json")
    }
}

// MARK: - Endpoints

nonisolated protocol ShopRequest: APIRequest { associatedtype Failure = ShopError }
nonisolated extension ShopRequest { var base: APIBase { "https://eu.shop.example/v2" } }

struct ShopError: JSONResponse { let reason: String }

struct Item: JSONResponse {
    enum State: String, Decodable { case new, used }
    struct Price: Codable, Hashable {
        var amount: Double
        var currency: String
    }

    let id: Int
    let name: String
    let state: State
    let price: Price
    let note: String?
}

struct ItemsRequest: ShopRequest {
    typealias Response = [Item]
    var limit: Int? = 20
    var sort: String? = "price"
    var ids: [Int] = [1, 2]
    var path: URLPath { "items" }
    var parameters: Parameters {
        [
            "limit": limit, "sort": sort, "ids": ids.map(String.init).joined(separator: ","),
            "colors": ["red", "blue"],
            "price": .object(["min": 1.5, "max": 20]), "since": Date(timeIntervalSince1970: 0),
        ]
    }
    var headers: HTTPHeaders { ["X-Trace": "8B5F0B9A-2C7E-4F0D-9C3A-6E1D2F4A7B90"] }
}

struct AddItemRequest: ShopRequest, JSONRequest {
    typealias Response = Item
    var name = "Lamp"
    var note: Patch<String> = .clear
    var price: Item.Price? = Item.Price(amount: 5, currency: "EUR")
    var method: HTTPMethod { .post }
    var path: URLPath { "items" }
    var parameters: Parameters {
        [
            "name": name, "note": note, "tags": ["red"],
            "price": price.map { .object(["amount": $0.amount, "currency": $0.currency]) },
        ]
    }
}

struct ItemRequest: ShopRequest {
    typealias Response = Item
    var id = 7
    var path: URLPath { "items/\(id)" }
}

struct InvoiceRequest: ShopRequest {
    typealias Response = Data
    var path: URLPath { "items/\(7).pdf" }
}

struct LinesRequest: ShopRequest {
    typealias Response = String
    var file = "notes/2026/lamps.txt"
    var path: URLPath { "files/\(segments: file)/lines" }
}

struct AddPhotoRequest: ShopRequest {
    typealias Response = NoContent
    var method: HTTPMethod { .post }
    var path: URLPath { "photos" }
    var parameters: Parameters {
        ["title": "Lamp", "width": 640, "photo": FilePart(Data([1, 2]), filename: "lamp.jpg")]
    }
}

struct LoginRequest: ShopRequest {
    typealias Response = NoContent
    var method: HTTPMethod { .post }
    var path: URLPath { "logins" }
    var parameters: Parameters {
        [
            "user": "ann", "password": "hunter2", "days": 3, "scopes": ["read", "write"],
            "device": .object(["name": "phone"]),
        ]
    }
}

extension Shop {
    static let endpoints: [any APIRequest] = [
        ItemsRequest(), AddItemRequest(), ItemRequest(), InvoiceRequest(), LinesRequest(), AddPhotoRequest(),
        LoginRequest(),
    ]
}
