"""Serves an OAuth authorization server at http://127.0.0.1:PORT/o, with the package `django-oauth-toolkit`, and a
protected resource at http://127.0.0.1:PORT/resource. Prints the issuer once it listens, and serves until it is killed.
Usage: django_server.py FOLDER; the folder gets a database.

Every request comes from the user alice, as if she had signed in before, and forms need no CSRF token, so that a test
only has to send the form that approves. Access tokens last for 120 seconds; each refresh replaces both tokens; a
refresh token that is used twice revokes its successors. These clients exist:
    native   public; authorization code, http://127.0.0.1/callback at any port, and refresh
    web      the same with the secret `s e:c/r+et`
    machine  client credentials, with the same secret
    tv       public; device code
    box      device code, with the same secret
Others can be registered by anyone. Scopes are `read`, which the resource needs, and `write`.
"""
import socket, sys

import django, uvicorn
from django.conf import settings

SECRET = "s e:c/r+et"

listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen()
origin = f"http://127.0.0.1:{listener.getsockname()[1]}"


class SignedIn:
    """Middleware that signs alice in."""
    sync_capable, async_capable = True, False

    def __init__(self, respond): self.respond = respond

    def __call__(self, request):
        from django.contrib.auth.models import User
        request.user = User.objects.get(username="alice")
        return self.respond(request)


# DEBUG: failures are logged.
settings.configure(
    SECRET_KEY="test", DEBUG=True, ALLOWED_HOSTS=["127.0.0.1"], ROOT_URLCONF=__name__, USE_TZ=True,
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "oauth2_provider"],
    MIDDLEWARE=[__name__ + ".SignedIn"], PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
    # IMMEDIATE: a transaction waits for the one before it. Otherwise, it fails if both write.
    DATABASES={"default": {
        "ENGINE": "django.db.backends.sqlite3", "NAME": sys.argv[1] + "/django.sqlite",
        "OPTIONS": {"timeout": 20, "transaction_mode": "IMMEDIATE"}}},
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}],
    OAUTH2_PROVIDER={
        "OIDC_ISS_ENDPOINT": origin + "/o", "ALLOWED_SCHEMES": ["http", "https"],
        "SCOPES": {"read": "Read", "write": "Write"}, "DEFAULT_SCOPES": ["read"],
        "ACCESS_TOKEN_EXPIRE_SECONDS": 120, "ROTATE_REFRESH_TOKEN": True, "REFRESH_TOKEN_REUSE_PROTECTION": True,
        "OAUTH2_TOKEN_ENDPOINT_AUTH_METHODS_SUPPORTED": ["none", "client_secret_post", "client_secret_basic"],
        "COMPLIANT_BCP_RFC9700_AUTHZ_RESPONSE_ISS": True, "COMPLIANT_BCP_RFC9700_PKCE_METHOD": True,
        "COMPLIANT_BCP_RFC9700_IMPLICIT_GRANT": True, "COMPLIANT_BCP_RFC9700_PASSWORD_GRANT": True,
        "OAUTH_DEVICE_VERIFICATION_URI": origin + "/o/device/", "DEVICE_FLOW_INTERVAL": 1,
        "OAUTH_DEVICE_VERIFICATION_URI_COMPLETE": lambda code: f"{origin}/o/device/?user_code={code}",
        "DCR_ENABLED": True, "DCR_REGISTRATION_PERMISSION_CLASSES": ["oauth2_provider.dcr.AllowAllDCRPermission"],
    })
django.setup()

from django.contrib.auth.models import User
from django.core.asgi import get_asgi_application
from django.core.management import call_command
from django.http import JsonResponse
from django.urls import include, path
from oauth2_provider.decorators import protected_resource
from oauth2_provider.models import Application
from oauth2_provider.urls import metadata_urlpatterns


@protected_resource(
    scopes=["read"], advertise_metadata=True,
    resource_metadata_url=origin + "/.well-known/oauth-protected-resource/resource")
def resource(request):
    return JsonResponse({"user": request.resource_owner and request.resource_owner.username})


urlpatterns = [
    path("o/", include("oauth2_provider.urls")),
    path("", include((metadata_urlpatterns, "metadata"))),
    path("resource", resource),
]


def add_client(name, grant, is_public=False, **others):
    kind = Application.CLIENT_PUBLIC if is_public else Application.CLIENT_CONFIDENTIAL
    Application.objects.create(
        client_id=name, name=name, client_type=kind, client_secret="" if is_public else SECRET,
        authorization_grant_type=grant, **others)


call_command("migrate", verbosity=0)
User.objects.create_user("alice")
callback = "http://127.0.0.1/callback"
add_client("native", Application.GRANT_AUTHORIZATION_CODE, is_public=True, redirect_uris=callback)
add_client("web", Application.GRANT_AUTHORIZATION_CODE, redirect_uris=callback)
add_client("machine", Application.GRANT_CLIENT_CREDENTIALS)
add_client("tv", Application.GRANT_DEVICE_CODE, is_public=True)
add_client("box", Application.GRANT_DEVICE_CODE)

print(origin + "/o", flush=True)
uvicorn.Server(uvicorn.Config(get_asgi_application(), lifespan="off", log_level="warning")).run(sockets=[listener])
