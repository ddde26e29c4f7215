"""Serves uploads at http://127.0.0.1:PORT/files, with the package `tuspyserver`. Prints that address once it listens,
and serves until it is killed. Usage: tuspyserver_server.py FOLDER

The package speaks tus 1.0 with creation, creation-with-upload, expiration and termination; it needs the metadata
`filename` and `filetype`. An upload is stored in FOLDER/tuspyserver, with the end of its URL as its name. Of requests
with an Authorization header, it refuses those whose token was used for three requests before; like any application of
this package, it asks for the token after it has stored the body.
"""
import collections, os, socket, sys

import uvicorn
from fastapi import FastAPI, Header, HTTPException
from tuspyserver import create_tus_router

listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen()
uses = collections.Counter()


def check(authorization: str = Header(None)):
    if authorization is None: return
    uses[authorization] += 1
    if uses[authorization] > 3: raise HTTPException(401, headers={"WWW-Authenticate": "Bearer"})


app = FastAPI()
app.include_router(create_tus_router(
    prefix="files", files_dir=os.path.join(sys.argv[1], "tuspyserver"), auth=check))
print(f"http://127.0.0.1:{listener.getsockname()[1]}/files", flush=True)
uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])
