"""Four operations of the chat API, and nothing that tests need."""

import json
import sys
from hmac import compare_digest

from flask import Flask, g, request
from model import find, organizations
from states import states
from werkzeug.exceptions import HTTPException
from werkzeug.routing import PathConverter


class FragmentConverter(PathConverter):
    """The rest of the path, also if it begins with a slash or has line breaks."""

    regex = r"[\s\S]*"


app = Flask(__name__)
app.url_map.merge_slashes = False
app.url_map.converters["fragment"] = FragmentConverter


class Refusal(Exception):
    def __init__(self, msg, code="BAD_REQUEST", status=400, **fields):
        self.body, self.status = {"result": "error", "msg": msg, "code": code, **fields}, status


@app.errorhandler(Refusal)
def refuse(refusal):
    return refusal.body, refusal.status, {"WWW-Authenticate": 'Basic realm="chat"'} if refusal.status == 401 else {}


@app.errorhandler(HTTPException)
def refuse_by_framework(error):
    return {"result": "error", "msg": error.description, "code": "BAD_REQUEST"}, error.code


def succeed(parameters=(), **fields):
    ignored = sorted(set(request.values) - set(parameters))
    if ignored:
        fields["ignored_parameters_unsupported"] = ignored
    return {"result": "success", "msg": "", **fields}


def read(name, is_valid, default=None):
    """Returns a field of the form, which holds JSON text."""
    if default is not None and name not in request.form:
        return default
    try:
        value = json.loads(request.form.getlist(name)[-1])
    except (IndexError, ValueError, RecursionError):
        value = None
    if not is_valid(value):
        raise Refusal(f"{name} is missing or invalid")
    return value


def is_id(value):
    return type(value) is int and 0 <= value < 2**63


def is_list_of(*types):
    return lambda value: isinstance(value, list) and any(all(type(item) is one for item in value) for one in types)


@app.before_request
def log_in():
    if not request.path.startswith("/api/"):
        return
    login = request.authorization
    email, key = (login.username or "", login.password or "") if login else ("", "")
    for organization in organizations.values():
        user = find(organization.users, email=email.lower(), is_active=True)
        if user and compare_digest(user.api_key.encode(), key.encode()):
            g.organization, g.caller = organization, user
            return
    raise Refusal("Invalid credentials", "UNAUTHORIZED", 401)


@app.post("/api/v1/default_streams")
@app.delete("/api/v1/default_streams")
def change_default_channels():
    if not g.caller.is_administrator:
        raise Refusal("Must be an organization administrator")
    channel = find(g.organization.channels, id=read("stream_id", is_id))
    if channel is None:
        raise Refusal("Invalid channel ID")
    if request.method == "POST" and channel.is_private:
        raise Refusal("Private channels cannot be made default")
    channel.is_default = request.method == "POST"
    return succeed(["stream_id"])


@app.delete("/api/v1/navigation_views/<fragment:fragment>")
def remove_navigation_view(fragment):
    if fragment not in g.caller.views:
        raise Refusal("Navigation view does not exist")
    g.caller.views.remove(fragment)
    return succeed()


@app.delete("/api/v1/users/me/subscriptions")
def unsubscribe():
    names = dict.fromkeys(read("subscriptions", is_list_of(str)))
    principals = read("principals", is_list_of(str, int), default=[g.caller.id])
    channels = [find_channel(name) for name in names]
    users = [find_principal(principal) for principal in principals]
    for channel in channels:
        if not all(may_remove(channel, user) for user in users):
            raise Refusal("Insufficient permission")
    removed, not_removed = [], []
    for channel in channels:
        leaving = channel.subscribers & {user.id for user in users}
        channel.subscribers -= leaving
        (removed if leaving else not_removed).append(channel.name)
    return succeed(["subscriptions", "principals"], removed=removed, not_removed=not_removed)


def find_channel(name):
    channel = find(g.organization.channels, name=name)
    if channel is None or not (g.caller.is_administrator or channel.is_visible_to(g.caller)):
        raise Refusal(f"Channel '{name}' does not exist", "STREAM_DOES_NOT_EXIST", stream=name)
    return channel


def find_principal(principal):
    key = "email" if isinstance(principal, str) else "id"
    user = find(g.organization.users, is_active=True, **{key: principal})
    if user is None:
        raise Refusal("No such user")
    return user


def may_remove(channel, user):
    return g.caller in (user, user.owner) or g.caller.is_administrator or g.caller.id in channel.removers


if __name__ == "__main__":
    app.register_blueprint(states)
    app.run(port=int(sys.argv[1]) if len(sys.argv) > 1 else 4014, threaded=False)
