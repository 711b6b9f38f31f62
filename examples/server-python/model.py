"""The data of the service, in memory."""

from dataclasses import dataclass, field
from itertools import count

new_id = count(1).__next__


@dataclass
class User:
    email: str
    api_key: str
    role: int = 400  # from the owner (100) down to guests (600)
    is_active: bool = True
    owner: "User | None" = None  # Set if the user is a bot.
    views: set[str] = field(default_factory=set)  # The fragments of the navigation views.
    id: int = field(default_factory=new_id)

    @property
    def is_administrator(self):
        return self.role <= 200


@dataclass
class Channel:
    name: str
    is_private: bool = False
    is_default: bool = False
    subscribers: set[int] = field(default_factory=set)
    removers: set[int] = field(default_factory=set)  # The can_remove_subscribers_group.
    id: int = field(default_factory=new_id)

    def is_visible_to(self, user):
        return user.id in self.subscribers or (not self.is_private and user.role != 600)


@dataclass
class Organization:
    users: list[User]
    channels: list[Channel] = field(default_factory=list)


organizations: dict[str, Organization] = {}


def find(items, **wanted):
    """Returns the first item with these attributes, or None."""
    return next((item for item in items if all(getattr(item, name) == value for name, value in wanted.items())), None)
