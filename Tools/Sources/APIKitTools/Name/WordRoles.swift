/// What a word in lower case may be: in names of operations and models, and in sentences about them.
///
/// A word has all of its roles in one row of a table: `record` is a verb that is often a noun, and says nothing in a
/// comment.
struct WordRoles: OptionSet {
    let rawValue: Int

    // MARK: - In names of operations

    /// A verb that names of operations, and sentences about operations, begin with.
    static let verb = WordRoles(rawValue: 1 << 0)
    /// A verb that is often a noun: `check` in `check-runs`.
    static let noun = WordRoles(rawValue: 1 << 1)
    /// A verb that only says that something is returned.
    static let reading = WordRoles(rawValue: 1 << 2)
    /// A verb whose object is in the plural: `list issues`.
    static let several = WordRoles(rawValue: 1 << 3)
    /// A verb that may be the first word of a noun, as in `upload_sessions`.
    static let compound = WordRoles(rawValue: 1 << 4)
    /// A verb only at the end of a path, as in `/alerts/{id}/acknowledge`. In a sentence or a name, most of these words
    /// may be nouns.
    static let action = WordRoles(rawValue: 1 << 5)
    /// A verb at the end of a path also if its object follows, as in `/messages/count_tokens`.
    static let beforeObject = WordRoles(rawValue: 1 << 6)
    /// A word that needs a noun after it, as in `authenticated user`.
    static let adjective = WordRoles(rawValue: 1 << 7)
    /// A word that ends the object of a name: `for` in `list repos for user`.
    static let preposition = WordRoles(rawValue: 1 << 8)

    // MARK: - In names of models

    /// A word that tells similar models apart: `simple-user` beside `user`.
    static let variety = WordRoles(rawValue: 1 << 9)
    /// A word at the end of a model's name that says how it is used, and nothing about its subject.
    static let modelSuffix = WordRoles(rawValue: 1 << 10)
    /// A word that is too general to be the name of a model on its own.
    static let general = WordRoles(rawValue: 1 << 11)

    // MARK: - In all names

    /// A word that is written in capitals: `URL` in `avatarURL`.
    static let acronym = WordRoles(rawValue: 1 << 12)

    // MARK: - In comments

    /// A word that specifies a unit, a limit or a format.
    static let precise = WordRoles(rawValue: 1 << 13)
    /// A word that adds nothing to the meaning of a sentence.
    static let filler = WordRoles(rawValue: 1 << 14)

    /// The roles of a word in lower case; none for most words.
    static func of(_ word: String) -> WordRoles { rolesByWord[word] ?? [] }
}

extension String {
    /// Whether the word, in lower case, has a role. It may have others too: `pin` is a verb and an acronym.
    func mayBe(_ role: WordRoles) -> Bool { WordRoles.of(self).contains(role) }
}

extension WordRoles {
    private static let rolesByWord: [String: WordRoles] = {
        var roles: [String: WordRoles] = [:]
        for row in rows {
            for word in row.words { roles[word, default: []].formUnion(row.roles) }
        }
        return roles
    }()

    /// The rows of the table, with the words of each.
    static var rows: [(roles: WordRoles, words: [String])] {
        table.map { roles, words in (roles, words.split { $0.isWhitespace }.map(String.init)) }
    }

    /// Each row has the words with the same roles, in the order of the alphabet. In a long row, each initial letter has
    /// lines of its own, so that a new word changes one line.
    private static let table: [(WordRoles, String)] = [
        (
            .verb,
            """
            accept activate add apply approve archive assign associate attach authorize
            cancel close compare confirm connect convert create
            deactivate decline delete deny destroy detach disable disconnect dismiss duplicate
            edit enable expire
            finalize finish follow forward
            generate grant
            hide
            initiate install
            lock
            make merge modify move
            patch pause pay promote provision publish purge put
            re-run rebuild recycle redeliver regenerate register reject remove rename reopen reorder replace rerun
            resend reset resize restart restore resume retry revert revoke rotate run
            save send set skip start stop submit subscribe suspend
            toggle transcribe translate
            unarchive unassign unblock unfollow unlock unpin unstar unsubscribe update
            validate verify
            """
        ),
        (
            [.verb, .noun],
            """
            block capture change check copy export fork import invite link mark ping refund render return star
            stream sync test transfer trigger void
            """
        ),
        ([.verb, .noun, .modelSuffix], "request"),
        ([.verb, .noun, .filler], "record"),
        ([.verb, .reading], "fetch get read retrieve show"),
        ([.verb, .reading, .several], "find"),
        ([.verb, .reading, .several, .general, .filler], "list"),
        ([.verb, .several, .compound], "search"),
        ([.verb, .compound], "download post upload"),
        ([.verb, .acronym], "pin"),
        ([.verb, .filler], "complete"),
        (
            .action,
            """
            acknowledge append ask authenticate
            bookmark
            calculate calibrate collapse commit
            deauthorize decrypt delegate
            encrypt endorse escalate estimate evaluate execute expand
            favorite favourite feature fire flag freeze
            ignore increment invoke
            like
            migrate mute
            preview
            reactivate reblog reconnect refresh reindex reload renew repair reprocess reschedule rollback
            scale schedule share shutdown sign silence simulate snooze split swap switch
            tag trim
            undo unfreeze unpause upgrade
            vote
            """
        ),
        ([.action, .beforeObject], "count extract terminate"),
        (.adjective, "active authenticated current latest legacy public starred upcoming"),
        (.preposition, "as via"),
        ([.preposition, .filler], "and at by for from in of on to using with"),
        (.variety, "base minimal nullable simple simplified"),
        ([.variety, .filler], "compact full"),
        (.modelSuffix, "body dto entity enum input model output param params payload response schema"),
        ([.modelSuffix, .filler], "object resource"),
        (.general, "beta error item"),
        ([.general, .acronym], "api"),
        ([.general, .filler], "data new"),
        (
            .acronym,
            """
            ach acl ai amd apn arn asn aws
            bic bin byok
            caa cdn cidr cli cname cnpj cors cpf cpu csp csr css csv cvc cve cvss cvv cwe
            db dba dcc dkim dmarc dns dpo dsa dsn dtmf
            eap ecdsa ein emv
            fcm ftp
            gcp ghsa gid gif gpg gps gpu gst gtin guid
            hd hls hmac hst http https
            iam iban ice id iec imap imei io ip isbn isrc ivr
            jpg jsonl jwt
            kyc
            ldap lfs llm lru
            mac mcc mcp mfa mime mms mp3 mp4 mtls mx
            nat nfc nlb nvme
            oci ocsp oidc opi os otp
            pan pci pcm pdf pem php png pos psk psp pst pstn
            qr qst
            ram rbac rcs rest rgb rpc rpm rsa rss rtmp rtp
            saml sarif sbom scim sdk sdp sepa sftp sha sic sid sim sip sku sla sms smtp soa spdx sql ssd sse ssh
            ssid ssl ssn sso svg
            tcp tin tls totp tpm ttl tts tv
            udp ui upc uri url urn usb usd uuid
            vad vat vcpu vlan vm vpc vpn
            xml xss
            yaml
            """
        ),
        ([.acronym, .precise], "gb gib html iso json kb mb mib rfc utc"),
        (
            .precise,
            """
            base64 between byte bytes
            case cent cents characters comma
            days degrees digits
            e exclusive
            format formatted
            hex hours
            inclusive insensitive
            kib
            lowercase
            markdown max maximum meters milliseconds min minimum minutes months ms
            null
            otherwise
            percent percentage pixels
            seconds sensitive
            unix unless uppercase
            weeks
            yyyy
            """
        ),
        (
            .filler,
            """
            a about all an any available
            belonging
            can
            detail
            existing
            field
            given
            has have
            information into is it its
            multiple
            one or
            parameter particular properties
            representation requested
            s single specific specified
            that the their this
            value
            was which
            """
        ),
    ]
}
