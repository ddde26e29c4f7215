"""Serves an OAuth authorization server at http://127.0.0.1:PORT, with the package `authlib`, and a protected resource
at http://127.0.0.1:PORT/resource. Prints the issuer once it listens, and serves until it is killed.

The package handles every request; this file only stores what it asks for, in memory. Every request comes from the user
alice, as if she had signed in before. An authorization request, or the page of a device's code, is approved by
`approve=yes` in the query, and otherwise denied. Access tokens last for 120 seconds; each refresh replaces both tokens;
a refresh token that is used twice revokes its successors. Redirects name their issuer. These clients exist:
    native   public; authorization code, http://127.0.0.1/callback at any port, and refresh
    web      the same with the secret `s:c/r+et`
    spaced   the same with the secret `s e:c/r+et`
    machine  client credentials, with the secret of web
    tv       public; device code and refresh
Others can be registered by anyone. Scopes are `read`, which the resource needs, and `write`, which
http://127.0.0.1:PORT/resource/write needs.
"""
import os, re, socket, time

# Without it, the package refuses HTTP.
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

import uvicorn
from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector, current_token
from authlib.oauth2 import OAuth2Error, rfc6749, rfc6750, rfc7009, rfc7591, rfc7636, rfc8414, rfc8628, rfc9207
from flask import Flask, jsonify, request

METHODS = ["none", "client_secret_basic", "client_secret_post"]
SCOPES = ["read", "write"]
LIFETIME = 120
DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code"

listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen()
issuer = f"http://127.0.0.1:{listener.getsockname()[1]}"
metadata = rfc8414.AuthorizationServerMetadata({
    "issuer": issuer, "authorization_endpoint": issuer + "/authorize", "token_endpoint": issuer + "/token",
    "device_authorization_endpoint": issuer + "/device_authorization", "revocation_endpoint": issuer + "/revocation",
    "registration_endpoint": issuer + "/client_registration", "token_endpoint_auth_methods_supported": METHODS,
    "revocation_endpoint_auth_methods_supported": METHODS, "scopes_supported": SCOPES,
    "response_types_supported": ["code"], "code_challenge_methods_supported": ["S256"],
    "grant_types_supported": ["authorization_code", "refresh_token", "client_credentials", DEVICE_CODE],
    "authorization_response_iss_parameter_supported": True,
})
metadata.validate()
clients, codes, devices, decisions, tokens = {}, {}, {}, {}, []


class Client(rfc6749.ClientMixin):
    def __init__(self, name, *grants, secret=None, method=None, redirects=("http://127.0.0.1/callback",)):
        self.name, self.grants, self.secret, self.redirects = name, grants, secret, redirects
        self.methods = [method] if method else METHODS[1:] if secret else ["none"]
        clients[name] = self

    def get_client_id(self): return self.name
    def get_default_redirect_uri(self): return None
    def get_allowed_scope(self, scope): return " ".join(name for name in (scope or "read").split() if name in SCOPES)
    def check_redirect_uri(self, uri): return uri in self.redirects or portless(uri) in self.redirects
    def check_client_secret(self, secret): return secret == self.secret
    def check_endpoint_auth_method(self, method, endpoint): return method in self.methods
    def check_response_type(self, kind): return kind == "code" and "authorization_code" in self.grants
    def check_grant_type(self, grant): return grant in self.grants


def portless(uri): return re.sub(r"^(http://127\.0\.0\.1):\d+/", r"\1/", uri)


class Code(rfc6749.AuthorizationCodeMixin):
    def __init__(self, code, request):
        self.code, self.client, self.scope = code, request.client, request.scope
        self.redirect = request.payload.redirect_uri
        self.code_challenge = request.payload.data.get("code_challenge")
        self.code_challenge_method = request.payload.data.get("code_challenge_method")

    def get_redirect_uri(self): return self.redirect
    def get_scope(self): return self.scope


class Token(rfc6749.TokenMixin):
    """The tokens of one response. `root` is the same for all that one authorization has led to."""

    def __init__(self, token, request):
        previous = request.refresh_token
        self.access, self.refresh, self.scope = token["access_token"], token.get("refresh_token"), token["scope"]
        self.client, self.user, self.root = request.client, request.user, previous.root if previous else self
        self.expires, self.revoked, self.used = time.time() + LIFETIME, False, False
        tokens.append(self)

    def check_client(self, client): return client is self.client
    def get_scope(self): return self.scope
    def get_expires_in(self): return LIFETIME
    def is_expired(self): return self.expires < time.time()
    def is_revoked(self): return self.revoked or self.used or self.root.revoked
    def get_user(self): return self.user
    def get_client(self): return self.client


class AuthorizationCodeGrant(rfc6749.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS

    def save_authorization_code(self, code, request): codes[code] = Code(code, request)
    def delete_authorization_code(self, code): codes.pop(code.code, None)
    def authenticate_user(self, code): return "alice"

    def query_authorization_code(self, code, client):
        found = codes.get(code)
        return found if found and found.client is client else None


class RefreshTokenGrant(rfc6749.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, text):
        token = next((token for token in tokens if token.refresh == text), None)
        if token and token.used: token.root.revoked = True
        return None if not token or token.is_revoked() else token

    def authenticate_user(self, token): return token.user
    def revoke_old_credential(self, token): token.used = True


class ClientCredentialsGrant(rfc6749.ClientCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS[1:]


class DeviceCodeGrant(rfc8628.DeviceCodeGrant):
    def query_device_credential(self, code): return devices.get(code)
    def query_user_grant(self, code): return ("alice", decisions[code]) if code in decisions else None
    def should_slow_down(self, credential): return False


class DeviceEndpoint(rfc8628.DeviceAuthorizationEndpoint):
    INTERVAL = 1

    def get_verification_uri(self): return issuer + "/enter"

    def save_device_credential(self, client_id, scope, data):
        devices[data["device_code"]] = rfc8628.DeviceCredentialDict(client_id=client_id, scope=scope, **data)


class RevocationEndpoint(rfc7009.RevocationEndpoint):
    CLIENT_AUTH_METHODS = METHODS

    def query_token(self, text, hint):
        return next((token for token in tokens if text in (token.access, token.refresh)), None)

    def revoke_token(self, token, request): token.root.revoked = True


class RegistrationEndpoint(rfc7591.ClientRegistrationEndpoint):
    def get_server_metadata(self): return metadata
    def authenticate_token(self, request): return "anyone"

    def save_client(self, info, claims, request):
        method = claims["token_endpoint_auth_method"]
        secret = None if method == "none" else info["client_secret"]
        return Client(
            info["client_id"], *claims["grant_types"], secret=secret, method=method,
            redirects=claims.get("redirect_uris", ()))


class Issuer(rfc9207.IssuerParameter):
    def get_issuer(self): return issuer


class Validator(rfc6750.BearerTokenValidator):
    def authenticate_token(self, text): return next((token for token in tokens if token.access == text), None)


app = Flask(__name__)
app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
app.config["OAUTH2_SCOPES_SUPPORTED"] = SCOPES
app.config["OAUTH2_TOKEN_EXPIRES_IN"] = {grant: LIFETIME for grant in metadata["grant_types_supported"]}
server = AuthorizationServer(app, query_client=clients.get, save_token=Token)
server.register_grant(AuthorizationCodeGrant, [rfc7636.CodeChallenge(required=True)])
for grant in (RefreshTokenGrant, ClientCredentialsGrant, DeviceCodeGrant): server.register_grant(grant)
for endpoint in (DeviceEndpoint, RevocationEndpoint, RegistrationEndpoint): server.register_endpoint(endpoint)
server.register_extension(lambda server: Issuer()(server))
protect = ResourceProtector()
protect.register_token_validator(Validator(resource_metadata=issuer + "/.well-known/oauth-protected-resource/resource"))


@app.get("/authorize")
def authorize():
    user = "alice" if request.args.get("approve") else None
    try:
        grant = server.get_consent_grant(end_user=user)
    except OAuth2Error as error:
        return server.handle_error_response(request, error)
    return server.create_authorization_response(grant_user=user, grant=grant)


@app.get("/enter")
def enter():
    decisions[request.args["user_code"]] = bool(request.args.get("approve"))
    return "done"


def owner(): return current_token.user or current_token.client.name


@app.get("/resource")
@protect("read")
def resource(): return jsonify(user=owner())


@app.get("/resource/write")
@protect("write")
def write(): return jsonify(user=owner())


@app.get("/.well-known/oauth-authorization-server")
def authorization_server(): return jsonify(metadata)


# The package has no metadata of protected resources.
@app.get("/.well-known/oauth-protected-resource/resource")
def protected_resource():
    return jsonify(resource=issuer + "/resource", authorization_servers=[issuer], scopes_supported=SCOPES)


@app.post("/token")
def token(): return server.create_token_response()


@app.post("/<any(device_authorization, revocation, client_registration):name>")
def endpoint(name): return server.create_endpoint_response(name)


Client("native", "authorization_code", "refresh_token")
Client("web", "authorization_code", "refresh_token", secret="s:c/r+et")
Client("spaced", "authorization_code", "refresh_token", secret="s e:c/r+et")
Client("machine", "client_credentials", secret="s:c/r+et")
Client("tv", DEVICE_CODE, "refresh_token")

print(issuer, flush=True)
uvicorn.Server(uvicorn.Config(app, interface="wsgi", log_level="warning")).run(sockets=[listener])
