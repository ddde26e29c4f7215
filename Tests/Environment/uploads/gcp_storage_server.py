"""Serves Google's JSON API for storage at http://127.0.0.1:PORT, with the package `gcp-storage-emulator`. Prints that
address once it listens, and serves until it is killed.

The bucket `uploads` exists, and everything is kept in memory. Of requests with an Authorization header, those whose
token was used for three requests before are refused.

The package keeps what arrived of a chunk that breaks, and has no way to give up an upload: DELETE is answered with 501.
If the last response is lost, the session is unknown, unlike Google's.
"""
import collections, functools, http.server

from gcp_storage_emulator.handlers import buckets
from gcp_storage_emulator.server import RequestHandler
from gcp_storage_emulator.storage import Storage

uses = collections.Counter()


class Handler(RequestHandler):
    def parse_request(self):
        """Reads the head of a request. False ends the connection."""
        if not super().parse_request(): return False
        token = self.headers.get("Authorization")
        if token is None: return True
        uses[token] += 1
        if uses[token] <= 3: return True
        # What is not read would reset the connection, and the response with it.
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_error(401)
        return False


storage = Storage(use_memory_fs=True)
buckets.create_bucket("uploads", storage)
# One thread for each connection: an open one would otherwise keep all others waiting.
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, storage))
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
