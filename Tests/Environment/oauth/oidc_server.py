"""Serves an OpenID provider at http://127.0.0.1:PORT, with the package `oidc-provider-mock`. Prints the issuer once it
listens, and serves until it is killed.

Any client and any secret will do, and clients can register. The form of the authorization endpoint wants a field `sub`
with the name of a user. Access tokens last for 120 seconds.
"""
import os, socket
from datetime import timedelta

import oidc_provider_mock, uvicorn

# Without it, the package refuses HTTP.
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen()
print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
app = oidc_provider_mock.app(access_token_max_age=timedelta(seconds=120))
uvicorn.Server(uvicorn.Config(app, interface="wsgi", log_level="warning")).run(sockets=[listener])
