"""Serves uploads at http://127.0.0.1:PORT/files, with the package `resumable-upload` and uvicorn. Prints that
address once it listens, and serves until it is killed. Usage: resumable_upload_server.py FOLDER

The package speaks tus 1.0 with creation, creation-with-upload, checksum, expiration and termination. It keeps nothing
of a request that breaks. An upload is stored in FOLDER/resumable-upload, with the end of its URL as its name. Of
requests with an Authorization header, those whose token was used for three requests before are refused.
"""
import collections, os, socket, sys

import uvicorn
from resumable_upload import SQLiteStorage, TusHookError, TusServer
from resumable_upload.asgi import TusASGIApp

listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen()
folder = sys.argv[1]
uses = collections.Counter()


def check(method, path, headers):
    token = {name.lower(): value for name, value in headers.items()}.get("authorization")
    if token is None: return
    uses[token] += 1
    if uses[token] > 3: raise TusHookError("expired", 401)


server = TusServer(
    storage=SQLiteStorage(
        db_path=os.path.join(folder, "resumable-upload.db"), upload_dir=os.path.join(folder, "resumable-upload")),
    base_path="/files", upload_expiry=3600, checksum_algorithms=("sha1", "sha256", "md5"), on_incoming_request=check)
print(f"http://127.0.0.1:{listener.getsockname()[1]}/files", flush=True)
uvicorn.Server(uvicorn.Config(TusASGIApp(server), log_level="warning")).run(sockets=[listener])
