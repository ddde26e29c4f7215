import OpenAPIRules
import Testing

@Suite struct ParameterSerializationTests {
    @Test(
        arguments: [
            (nil, nil, "query", "form", true), (nil, nil, "cookie", "form", true), (nil, nil, "path", "simple", false),
            (nil, nil, "header", "simple", false), (nil, false, "query", "form", false),
            ("form", nil, "path", "form", true), ("pipeDelimited", nil, "query", "pipeDelimited", false),
            ("simple", true, "path", "simple", true), ("other", nil, "query", "other", false),
        ] as [(String?, Bool?, String, String, Bool)])
    func hasTheDefaultsOfOpenAPI(style: String?, explode: Bool?, location: String, name: String, explodes: Bool) {
        let serialization = ParameterSerialization(
            style: style, explode: explode, location: ParameterLocation(location))
        #expect(serialization.style.rawValue == name)
        #expect(serialization.explodes == explodes)
        var parameter: Node.Members = ["in": Node(.text(location))]
        parameter["style"] = style.map { Node(.text($0)) }
        parameter["explode"] = explode.map { Node(.boolean($0)) }
        #expect(ParameterSerialization(of: Node(.object(parameter))) == serialization)
    }

    @Test func fieldsOfFormsAreWrittenLikeAQuery() {
        let serialization = ParameterSerialization(of: Node(.object(["contentType": Node(.text("text/plain"))])))
        #expect(serialization == ParameterSerialization(style: nil, explode: nil, location: .query))
    }

    @Test(arguments: ["path", "query", "header", "cookie", "formData"])
    func locationKeepsItsName(name: String) {
        #expect(ParameterLocation(name).name == name)
        let isKnown = ["path", "query", "header"].contains(name)
        #expect((ParameterLocation(name).styles != nil) == isKnown)
    }
}
