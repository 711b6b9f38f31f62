"""A client of five operations of the chat API."""

import json
import time
from hashlib import sha256

import requests


class ChatError(Exception):
    """An error response. `body` holds its code, its message and the fields of its code."""

    def __init__(self, status, body):
        super().__init__(f"{body.get('code')}: {body.get('msg')}")
        self.status, self.body, self.code = status, body, body.get("code")


class ChatClient:
    def __init__(self, base_url, email, api_key):
        self.base_url = base_url
        self.session = requests.Session()
        self.session.auth = (email, api_key)

    def call(self, method, path, **options):
        while True:
            response = self.session.request(method, self.base_url + path, timeout=30, **options)
            if response.status_code != 429:
                break
            wait = response.headers.get("Retry-After", "")
            time.sleep(max(int(wait), 1) if wait.isdecimal() else 1)
        body = response.json()
        if body["result"] == "error":
            raise ChatError(response.status_code, body)
        return body

    def feature_level(self):
        return self.call("GET", "/server_settings").get("service_feature_level", 0)

    def messages(self, narrow, count=100):
        """Returns the newest messages of a narrow, in the order in which they are displayed."""
        params = {
            "anchor": "newest",
            "num_before": count,
            "num_after": 0,
            "narrow": json.dumps(narrow),
            "apply_markdown": "false",
        }
        return sorted(self.call("GET", "/messages", params=params)["messages"], key=lambda message: message["id"])

    def edit(self, message_id, content, previous):
        """Replaces the content of a message, unless it has changed meanwhile."""
        data = {"content": content}
        if self.feature_level() > 379:
            data["prev_content_sha256"] = sha256(previous.encode()).hexdigest()
        self.call("PATCH", f"/messages/{message_id}", data=data)

    def leave(self, channels):
        """Leaves channels. Returns the names of those that the caller was subscribed to."""
        return self.call("DELETE", "/users/me/subscriptions", data={"subscriptions": json.dumps(channels)})["removed"]

    def status(self, user_id):
        return self.call("GET", f"/users/{user_id}/status")["status"]
