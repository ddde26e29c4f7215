"""Serves MCP at http://127.0.0.1:PORT/mcp, and an OAuth authorization server at http://127.0.0.1:PORT, with the package
`mcp`. Prints the issuer once it listens, and serves until it is killed.
Usage: mcp_server.py [open]; with `open`, MCP needs no token, and nothing else is served.

The package handles every request; this file only stores what it asks for, in memory, and approves every authorization
request without asking. Access tokens last for 120 seconds; each refresh replaces both tokens; a refresh token that is
used twice revokes its successors.
"""
import secrets, socket, sys, time

import uvicorn
from mcp.server.auth.provider import (
    AccessToken, AuthorizationCode, RefreshToken, TokenError, TokenVerifier, construct_redirect_uri,
)
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions, RevocationOptions
from mcp.server.mcpserver import Context, MCPServer
from mcp.shared.auth import OAuthToken

LIFETIME = 120


class Grant:
    """What one authorization has led to. Each refresh replaces its tokens; a refresh token used twice ends it."""

    def __init__(self, code):
        self.code, self.access, self.refresh, self.used = code, None, None, set()


class Provider:
    def __init__(self, issuer):
        self.issuer, self.clients, self.grants = issuer, {}, []

    async def get_client(self, client_id):
        return self.clients.get(client_id)

    async def register_client(self, client):
        self.clients[client.client_id] = client

    async def authorize(self, client, params):
        code = AuthorizationCode(
            code=secrets.token_urlsafe(32), client_id=client.client_id, scopes=params.scopes or [], subject="alice",
            expires_at=time.time() + LIFETIME, code_challenge=params.code_challenge, redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly, resource=params.resource)
        self.grants.append(Grant(code))
        return construct_redirect_uri(str(params.redirect_uri), code=code.code, state=params.state, iss=self.issuer)

    async def load_authorization_code(self, client, code):
        return next((grant.code for grant in self.grants if grant.code.code == code and not grant.access), None)

    async def exchange_authorization_code(self, client, code):
        return self.issue(next(grant for grant in self.grants if grant.code is code), code.scopes)

    async def load_refresh_token(self, client, token):
        for grant in self.grants:
            if token in grant.used:
                self.grants.remove(grant)
                return None
            if grant.refresh and grant.refresh.token == token and grant.code.client_id == client.client_id:
                return grant.refresh
        return None

    async def exchange_refresh_token(self, client, token, scopes):
        grant = next((grant for grant in self.grants if grant.refresh is token), None)
        if grant is None: raise TokenError("invalid_grant", "refresh token does not exist")
        grant.used.add(token.token)
        return self.issue(grant, scopes)

    async def load_access_token(self, token):
        return next((grant.access for grant in self.grants if grant.access and grant.access.token == token), None)

    async def revoke_token(self, token):
        self.grants = [grant for grant in self.grants if token is not grant.access and token is not grant.refresh]

    def issue(self, grant, scopes):
        owner = dict(client_id=grant.code.client_id, subject=grant.code.subject, resource=grant.code.resource)
        grant.access = AccessToken(
            token=secrets.token_urlsafe(32), scopes=scopes, expires_at=int(time.time()) + LIFETIME, **owner)
        grant.refresh = RefreshToken(token=secrets.token_urlsafe(32), scopes=grant.code.scopes, **owner)
        return OAuthToken(
            access_token=grant.access.token, refresh_token=grant.refresh.token, expires_in=LIFETIME,
            scope=" ".join(scopes))


def server(issuer, is_open):
    if is_open: return MCPServer("tools", version="1.0")
    return MCPServer(
        "tools", version="1.0", auth_server_provider=Provider(issuer),
        auth=AuthSettings(
            issuer_url=issuer, resource_server_url=issuer + "/mcp", validate_token_resource=True,
            required_scopes=["tools"], revocation_options=RevocationOptions(enabled=True),
            # Without default scopes, as the package has it: a client gets only the scopes that it registers for.
            client_registration_options=ClientRegistrationOptions(enabled=True, valid_scopes=["tools", "more"])))


listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen()
issuer = f"http://127.0.0.1:{listener.getsockname()[1]}"
mcp = server(issuer, sys.argv[1:] == ["open"])


@mcp.tool()
def add(first: int, second: int) -> int:
    """Adds two numbers."""
    return first + second


@mcp.tool()
async def count(to: int, context: Context) -> str:
    """Counts, and reports progress before the answer."""
    for number in range(1, to + 1): await context.report_progress(number, to, f"{number} of {to}")
    return f"counted to {to}"


@mcp.tool()
def fail() -> str:
    """Fails."""
    raise ValueError("this tool always fails")


print(issuer, flush=True)
uvicorn.Server(uvicorn.Config(mcp.streamable_http_app(), log_level="warning")).run(sockets=[listener])
