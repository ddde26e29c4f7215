"""Serves an OpenID provider at http://127.0.0.1:PORT, with the package `canaille`, which keeps everything in memory.
Prints the issuer once it listens, and serves until it is killed.

The user is `alice`, with the password `password`; forms need no CSRF token. Access tokens last for 120 seconds; each
refresh replaces both tokens. Redirects name their issuer. These clients exist:
    web      authorization code, http://127.0.0.1:46046/callback, and refresh, with the secret `s:c/r+et`
    post     the same with the secret in the body
    native   the same without a secret
    machine  client credentials, with the secret of web
Others can be registered by anyone.
"""
import datetime, os, socket

# Without it, the package refuses HTTP.
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

import uvicorn
from canaille import create_app
from canaille.app import models
from canaille.backends import Backend

SECRET = "s:c/r+et"

listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen()
host = f"127.0.0.1:{listener.getsockname()[1]}"
grants = ["authorization_code", "refresh_token", "client_credentials"]
app = create_app(config={
    "CANAILLE": {"DATABASE": "memory"},
    "SECRET_KEY": "secret", "SERVER_NAME": host, "PREFERRED_URL_SCHEME": "http", "WTF_CSRF_ENABLED": False,
    "OAUTH2_TOKEN_EXPIRES_IN": {grant: 120 for grant in grants},
    "CANAILLE_OIDC": {"DYNAMIC_CLIENT_REGISTRATION_OPEN": True, "REQUIRE_NONCE": False, "TRUSTED_DOMAINS": []},
})


def add_client(name, method, grants, **others):
    # Access tokens are JSON Web Tokens without an identifier: two that are signed within a second would be the same,
    # and the second request would fail with the status 500. This algorithm signs with random numbers.
    client = models.Client(
        client_id=name, client_name=name, client_secret=None if method == "none" else SECRET, grant_types=grants,
        token_endpoint_auth_method=method, id_token_signed_response_alg="PS256", response_types=["code"],
        scope=["openid", "profile", "email"], client_id_issued_at=datetime.datetime.now(datetime.timezone.utc),
        **others)
    Backend.instance.save(client)
    client.audience = [client]
    Backend.instance.save(client)


with app.app_context():
    Backend.instance.save(models.User(
        user_name="alice", formatted_name="Alice", family_name="Alice", emails=["alice@example.com"],
        password="password"))
    redirects = ["http://127.0.0.1:46046/callback"]
    add_client("web", "client_secret_basic", grants[:2], redirect_uris=redirects)
    add_client("post", "client_secret_post", grants[:2], redirect_uris=redirects)
    add_client("native", "none", grants[:2], redirect_uris=redirects)
    add_client("machine", "client_secret_basic", grants[2:])

print("http://" + host, flush=True)
uvicorn.Server(uvicorn.Config(app, interface="wsgi", log_level="warning")).run(sockets=[listener])
