"""The same client with a mistake in each method."""

import json
from hashlib import sha256

import chat_client


class ChatClient(chat_client.ChatClient):
    def feature_level(self):
        # The URL holds the key, so logs keep it.
        _, api_key = self.session.auth
        return self.call("GET", "/server_settings", params={"api_key": api_key}).get("service_feature_level", 0)

    def messages(self, narrow, count=100):
        # `apply_markdown` is misspelt, so the content arrives as HTML.
        params = {
            "anchor": "newest",
            "num_before": count,
            "num_after": 0,
            "narrow": json.dumps(narrow),
            "aply_markdown": "false",
        }
        return self.call("GET", "/messages", params=params)["messages"]

    def edit(self, message_id, content, previous):
        # The body is JSON instead of a form.
        body = {"content": content}
        if self.feature_level() > 379:
            body["prev_content_sha256"] = sha256(previous.encode()).hexdigest()
        self.call("PATCH", f"/messages/{message_id}", json=body)

    def leave(self, channels):
        # The list is sent as repeated fields instead of JSON text.
        return self.call("DELETE", "/users/me/subscriptions", data={"subscriptions": channels})["removed"]

    def status(self, user_id):
        # The path is that of no operation.
        return self.call("GET", f"/user/{user_id}/status")["status"]
