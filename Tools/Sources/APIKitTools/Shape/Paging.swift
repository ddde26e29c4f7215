/// How the next page of an endpoint's list is requested.
struct Paging {
    /// The part of a response or a request that leads to the next page.
    enum Way {
        /// A `Link` header of the response (RFC 8288).
        case header
        /// A URL in the body, at the path of these members.
        case link([Object.Member])
        /// A cursor in the body, at the path of these members, which becomes the value of the parameter. If there is a
        /// Boolean at the path `more`, it says whether there is a next page: a `last_id` is also on the last one.
        case cursor(parameter: String, [Object.Member], more: [Object.Member]?)
        /// The identifier of the list's last item becomes the value of the parameter, if the member `more` is true.
        case lastItem(parameter: String, list: Object.Member, more: Object.Member, id: Object.Member)
        /// The parameter counts pages or, as an offset, items. The list is at the path of these members, which is empty
        /// if it is the whole response. If there is a Boolean at the path `more`, no page follows one on which it is
        /// false.
        case number(parameter: String, isOffset: Bool, list: [Object.Member], more: [Object.Member]?)
    }

    /// The part of a response that has the number of items on all pages.
    enum Total {
        /// A header.
        case header(String)
        /// A member of the body, at the path of these members.
        case member([Object.Member])
    }

    let way: Way
    /// Where the number of items on all pages is; nil if the description does not say.
    var total: Total?
    /// Whether an extension of the description says how the next page is requested.
    var isDescribed = false

    /// The parameter whose value leads to the next page; nil if a link does.
    var parameter: String? {
        switch way {
        case .header, .link: nil
        case .cursor(let parameter, _, _), .lastItem(let parameter, _, _, _), .number(let parameter, _, _, _): parameter
        }
    }

    /// General names of lists, which say nothing about their elements.
    static let listNames: Set = ["data", "items", "results", "entries"]
}
