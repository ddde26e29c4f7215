import FlyingFox

extension HTTPRequest {
    /// The first query item of this name, decoded; a `+` stands for a space there, as in a form.
    func queryValue(_ name: String) -> String? {
        URLEncodedForm.parse(target.query().utf8).first { $0.name == name }?.value
    }
}
