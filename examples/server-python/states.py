"""`POST /states`, by which `accord verify` puts the server into the state that a check starts from. Never offer it to strangers."""

from secrets import token_hex

from flask import Blueprint, request
from model import Channel, Organization, User, find, organizations

states = Blueprint("states", __name__)

# What distinguishes the callers, which every organization has (`x-callers` of openapi/states.yaml).
callers = {
    "owner": {"role": 100},
    "administrator": {"role": 200},
    "moderator": {"role": 300},
    "member": {},
    "other": {},
    "guest": {"role": 600},
    "bot": {},
    "deactivated": {"is_active": False},
}


@states.post("/states")
def set_up():
    body = request.get_json()
    if body["action"] == "teardown":
        return {}
    params = body.get("params", {})
    key = params.pop("organization", None) or create_organization()
    organization = organizations[key]
    users = dict(zip(callers, organization.users))
    enter = entries.get(body["state"])
    if enter is None or "settings" in params:
        return {"msg": f"{body['state']} is not implemented"}, 501  # The checks that need it are skipped.
    values = enter(organization, users, **params)
    credentials = {name: {"user_id": one.id, "email": one.email, "api_key": one.api_key} for name, one in users.items()}
    return {"organization": key, "credentials": credentials, **values}


def create_organization():
    key = token_hex(4)
    users = [User(f"{name}@{key}.example", token_hex(16), **fields) for name, fields in callers.items()]
    find(users, email=f"bot@{key}.example").owner = find(users, email=f"member@{key}.example")
    organizations[key] = Organization(users)
    return key


def enter_channel(organization, users, name, subscribers=(), can_remove_subscribers_group=(), private=False, default=False):
    subscriber_ids = {users[caller].id for caller in subscribers}
    remover_ids = {users[caller].id for caller in can_remove_subscribers_group}
    channel = Channel(name, private, default, subscriber_ids, remover_ids)
    organization.channels.append(channel)
    return {"stream_id": channel.id}


def enter_navigation_view(organization, users, fragment, of="member"):
    users[of].views.add(fragment)
    return {}


def enter_user(organization, users):
    user = User(f"{token_hex(4)}@newcomers.example", token_hex(16))
    organization.users.append(user)
    for channel in organization.channels:
        if channel.is_default:
            channel.subscribers.add(user.id)
    return {"user_id": user.id, "email": user.email, "dummy_email": f"user{user.id}@newcomers.example"}


# The states, with the parameters and values that openapi/states.yaml gives them.
entries = {
    "organization": lambda organization, users: {},
    "missing": lambda organization, users: {"stream_id": 2**31 - 1, "user_id": 2**31 - 1, "email": "nobody@nowhere.example"},
    "channel": enter_channel,
    "navigation-view": enter_navigation_view,
    "user": enter_user,
}
