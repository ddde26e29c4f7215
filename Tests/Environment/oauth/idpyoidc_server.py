"""Serves two OpenID providers with the package `idpyoidc`: one at http://127.0.0.1:PORT/plain, and at
http://127.0.0.1:PORT/dpop one that binds tokens to a key (RFC 9449). Prints http://127.0.0.1:PORT once it listens, and
serves until it is killed.
Usage: idpyoidc_server.py FOLDER; the folder gets keys.

The package handles every request; this file only connects it to HTTP. Every request comes from the user alice, as if
she had signed in before. Access tokens last for 120 seconds; each refresh replaces both tokens; a refresh token that is
used twice is refused with `invalid_request`. Redirects name their issuer. These clients exist, with the redirect URI
http://127.0.0.1:46046/callback:
    native  public; authorization code and refresh
    web     the same with the secret `secret`, in the header or in the body
Others can be registered by anyone. Scopes are `openid` and `email`. http://127.0.0.1:PORT/key is a key for clients: GET
returns the public key, and POST a signature of the body.
"""
import socket, sys

import uvicorn
from cryptojwt.jwk.ec import new_ec_key
from cryptojwt.jws.dsa import ECDSASigner
from flask import Flask, abort, jsonify, redirect, request
from idpyoidc.server import Server
from idpyoidc.server.configure import OPConfiguration
from idpyoidc.server.exception import ClientAuthenticationError, InvalidClient, UnAuthorizedClient, UnknownClient

LIFETIME = 120
AUTHENTICATION = ["client_secret_basic", "client_secret_post", "public"]

listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen()
origin = f"http://127.0.0.1:{listener.getsockname()[1]}"


def endpoint(path, kind, **others):
    return {"path": path, "class": "idpyoidc.server." + kind, "kwargs": others}


def provider(name, add_on):
    mints = ["access_token", "refresh_token", "id_token"]
    server = Server(OPConfiguration({
        "issuer": f"{origin}/{name}", "add_on": add_on,
        "key_conf": {"key_defs": [{"type": "RSA", "use": ["sig"]}, {"type": "EC", "crv": "P-256", "use": ["sig"]}]},
        "cookie_handler": {
            "class": "idpyoidc.server.cookie_handler.CookieHandler",
            "kwargs": {"keys": {"key_defs": [
                {"type": "OCT", "use": ["enc"], "kid": "enc"}, {"type": "OCT", "use": ["sig"], "kid": "sig"}]}}},
        "token_handler_args": {
            "code": {"lifetime": LIFETIME, "kwargs": {}}, "jwks_def": {"key_defs": [
                {"type": "oct", "bytes": 24, "use": ["enc"], "kid": kind} for kind in ("code", "refresh")]},
            "token": {"class": "idpyoidc.server.token.jwt_token.JWTToken", "kwargs": {"lifetime": LIFETIME}},
            "refresh": {"class": "idpyoidc.server.token.jwt_token.JWTToken", "kwargs": {"lifetime": 3600}},
            "id_token": {"class": "idpyoidc.server.token.id_token.IDToken", "kwargs": {}}},
        "authz": {"class": "idpyoidc.server.authz.AuthzHandling", "kwargs": {"grant_config": {"usage_rules": {
            "authorization_code": {"supports_minting": mints, "max_usage": 1, "expires_in": LIFETIME},
            "access_token": {"expires_in": LIFETIME},
            "refresh_token": {"supports_minting": mints, "expires_in": 3600}}, "expires_in": 3600}}},
        "authentication": {"anon": {
            "acr": "none", "class": "idpyoidc.server.user_authn.user.NoAuthn", "kwargs": {"user": "alice"}}},
        "userinfo": {"class": "idpyoidc.server.user_info.UserInfo", "kwargs": {"db": {"alice": {"email": "a@b.c"}}}},
        "endpoint": {
            "provider_config": endpoint(
                ".well-known/openid-configuration", "oidc.provider_config.ProviderConfiguration",
                client_authn_method=None),
            "registration": endpoint("registration", "oidc.registration.Registration", client_authn_method=None),
            "authorization": endpoint(
                "authorization", "oidc.authorization.Authorization", client_authn_method=None,
                response_types_supported=["code"], response_modes_supported=["query"]),
            "token": endpoint(
                "token", "oidc.token.Token", client_authn_method=AUTHENTICATION, revoke_refresh_on_issue=True),
            "userinfo": endpoint("userinfo", "oidc.userinfo.UserInfo", client_authn_method=["bearer_header"]),
            "token_revocation": endpoint(
                "revocation", "oauth2.token_revocation.TokenRevocation", client_authn_method=AUTHENTICATION),
        }}), cwd=sys.argv[1])
    # With cryptojwt 1.11, the package fails to register a client without keys, whose keys it wants to log.
    server.keyjar.key_summary = lambda owner: owner
    # The package replaces its metadata after it has added this, without which refreshed tokens are not bound to a key.
    if "dpop" in add_on: server.context.provider_info["dpop_signing_alg_values_supported"] = ["ES256"]
    add_client(server, "native", AUTHENTICATION[2:])
    add_client(server, "web", AUTHENTICATION[:2], client_secret="secret")
    return server


def add_client(server, name, methods, **others):
    server.context.cdb[name] = {
        "client_id": name, "redirect_uris": [("http://127.0.0.1:46046/callback", {})],
        "response_types_supported": ["code"], "token_endpoint_client_authn_method": methods,
        "revocation_endpoint_client_authn_method": methods, **others}


pkce = {"pkce": {
    "function": "idpyoidc.server.oauth2.add_on.pkce.add_support",
    "kwargs": {"essential": True, "code_challenge_methods": {"S256": None}}}}
dpop = {"dpop": {
    "function": "idpyoidc.server.oauth2.add_on.dpop.add_support",
    "kwargs": {"dpop_signing_alg_values_supported": ["ES256"], "dpop_endpoints": ["token"]}}}
providers = {"plain": provider("plain", pkce), "dpop": provider("dpop", pkce | dpop)}
key = new_ec_key("P-256")
app = Flask(__name__)


@app.route("/<any(plain, dpop):name>/<path:path>", methods=["GET", "POST"])
def respond(name, path):
    endpoints = providers[name].endpoint.values()
    endpoint = next((endpoint for endpoint in endpoints if endpoint.full_path == request.base_url), None)
    if not endpoint: abort(404)
    headers = {name.lower(): value for name, value in request.headers.items()}
    http_info = {"headers": headers, "method": request.method, "url": request.base_url, "cookie": []}
    body = request.get_data(as_text=True) if request.is_json else request.values.to_dict()
    try:
        parsed = endpoint.parse_request(body, http_info=http_info)
    except (ClientAuthenticationError, InvalidClient, UnAuthorizedClient, UnknownClient) as error:
        return jsonify(error="invalid_client", error_description=str(error)), 401
    # Without `issue_refresh`, there is a refresh token only for a sign-in with `prompt=consent`.
    others = {"issue_refresh": True} if endpoint.name == "token" else {}
    result = parsed
    if "error" not in parsed: result = endpoint.process_request(parsed, http_info=http_info, **others)
    if "error" in result: return jsonify(dict(result)), 401 if endpoint.name == "userinfo" else 400
    response = endpoint.do_response(request=parsed, **result)
    if endpoint.response_placement == "url": return redirect(response["response"])
    return response["response"], 201 if endpoint.name == "registration" else 200, response["http_headers"]


@app.get("/key")
def public_key(): return key.serialize()


@app.post("/key")
def sign(): return ECDSASigner("ES256").sign(request.get_data(), key.private_key())


print(origin, flush=True)
uvicorn.Server(uvicorn.Config(app, interface="wsgi", log_level="warning")).run(sockets=[listener])
