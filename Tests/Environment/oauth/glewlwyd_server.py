"""Serves an OpenID provider at http://127.0.0.1:PORT/api/oidc, with Debian's package `glewlwyd`. Prints the issuer once
it is set up, and serves until it is killed.
Usage: glewlwyd_server.py FOLDER; the folder gets a configuration and a database.

The user is `alice`, with the password `password`; scopes are `openid` and `read`. Access tokens last for 120 seconds;
each refresh replaces both tokens; a refresh token that is used twice ends the chain. These clients exist:
    machine  client credentials and revocation, with the secret `secret`
    tv       public; device code and refresh
Others can be registered by anyone, which is the way to the authorization code, since redirect URIs are compared with
their ports.
"""
import http.cookiejar, json, os, signal, socket, sqlite3, subprocess, sys, time, urllib.error, urllib.request

folder = os.path.abspath(sys.argv[1])
schema = "/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3"
modules = "/usr/lib/glewlwyd"

with socket.socket() as one:
    one.bind(("127.0.0.1", 0))
    port = one.getsockname()[1]
origin = f"http://127.0.0.1:{port}"

database = sqlite3.connect(folder + "/glewlwyd.sqlite")
database.executescript("PRAGMA journal_mode = MEMORY; BEGIN;" + open(schema).read() + "COMMIT;")
database.close()
with open(folder + "/glewlwyd.conf", "w") as configuration:
    configuration.write(f"""
        port = {port} bind_address = "127.0.0.1" external_url = "{origin}" login_url = "login.html" api_prefix = "api"
        log_mode = "console" log_level = "WARNING" cookie_secure = 0 session_expiration = 3600
        session_key = "session" admin_scope = "g_admin" profile_scope = "g_profile" hash_algorithm = "SHA512"
        user_module_path = "{modules}/user" client_module_path = "{modules}/client"
        user_auth_scheme_module_path = "{modules}/scheme" plugin_module_path = "{modules}/plugin"
        database = {{ type = "sqlite3" path = "{folder}/glewlwyd.sqlite" }}
        """)
server = subprocess.Popen(["glewlwyd", "--config-file=" + folder + "/glewlwyd.conf"], stdout=sys.stderr)
signal.signal(signal.SIGTERM, lambda *_: server.terminate())

browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))


def send(path, body, method="POST"):
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"{origin}/api/{path}", json.dumps(body).encode(), headers, method=method)
    browser.open(request).close()


def add_client(name, *grants, **others):
    send("client/", {"client_id": name, "name": name, "enabled": True, "authorization_type": grants, **others})


for attempt in range(200):
    try:
        send("auth/", {"username": "admin", "password": "password"})
        break
    except urllib.error.URLError as error:
        if isinstance(error, urllib.error.HTTPError) or server.poll() is not None: raise
        time.sleep(0.05)

send("mod/plugin/", {
    "module": "oidc", "name": "oidc", "display_name": "OpenID", "enabled": True, "parameters": {
        "iss": origin + "/api/oidc", "oauth-as-iss-id": True, "jwt-type": "sha", "jwt-key-size": "256", "key": "secret",
        "access-token-duration": 120, "refresh-token-duration": 3600, "code-duration": 60,
        "refresh-token-one-use": "always", "refresh-token-rolling": True, "allow-non-oidc": True,
        "auth-type-code-enabled": True, "auth-type-client-enabled": True, "auth-type-refresh-enabled": True,
        "auth-type-device-enabled": True, "device-authorization-expiration": 60, "device-authorization-interval": 1,
        "auth-type-token-enabled": False, "auth-type-implicit-enabled": False, "auth-type-password-enabled": False,
        "pkce-allowed": True, "pkce-required": True, "introspection-revocation-allowed": True,
        "introspection-revocation-allow-target-client": True, "register-client-allowed": True,
    }})
send("scope/", {"name": "read", "display_name": "Read", "password_required": False})
send("user/", {"username": "alice", "password": "password", "enabled": True, "scope": ["g_profile", "openid", "read"]})
send("scope/openid", {"display_name": "OpenID", "password_required": False, "password_max_age": 0}, method="PUT")
add_client("machine", "client_credentials", confidential=True, client_secret="secret", scope=["read"],
           token_endpoint_auth_method=["client_secret_basic", "client_secret_post"])
add_client("tv", "device_authorization", "refresh_token", confidential=False)

print(origin + "/api/oidc", flush=True)
sys.exit(server.wait())
