"""Serves MCP at http://127.0.0.1:PORT/mcp, and an OAuth authorization server at http://127.0.0.1:PORT, with the package
`fastmcp`. Prints the address, which is the issuer without the slash at its end, once it listens, and serves until it is
killed.

Everything is the package's own, with its provider for tests, which keeps clients and tokens in memory and approves
every authorization request without asking. Access tokens last for an hour; each refresh replaces both tokens. Anyone
can register clients. Scopes are `tools`, which MCP needs, and `more`.
"""
import socket

import uvicorn
from fastmcp import FastMCP
from fastmcp.server.auth.auth import ClientRegistrationOptions, RevocationOptions
from fastmcp.server.auth.providers.in_memory import InMemoryOAuthProvider

listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen()
origin = f"http://127.0.0.1:{listener.getsockname()[1]}"
provider = InMemoryOAuthProvider(
    base_url=origin, required_scopes=["tools"], revocation_options=RevocationOptions(enabled=True),
    client_registration_options=ClientRegistrationOptions(enabled=True, valid_scopes=["tools", "more"]))
mcp = FastMCP("tools", auth=provider)


@mcp.tool
def add(first: int, second: int) -> int:
    """Adds two numbers."""
    return first + second


print(origin, flush=True)
uvicorn.Server(uvicorn.Config(mcp.http_app(), log_level="warning")).run(sockets=[listener])
