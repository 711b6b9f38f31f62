"""Tests of the client. `POST /states` of the server sets up what they need; the client calls `CHAT_URL`, here the proxy."""

import importlib
import os
import unittest

import requests
from chat_client import ChatError

ChatClient = importlib.import_module(os.environ.get("CLIENT", "chat_client")).ChatClient
chat_url = os.environ.get("CHAT_URL", "http://127.0.0.1:4015/api/v1")
states_url = os.environ.get("STATES_URL", "http://127.0.0.1:4011/states")


def set_up(state, **params):
    response = requests.post(states_url, json={"state": state, "params": params, "action": "setup"}, timeout=30)
    response.raise_for_status()
    return response.json()


class ChatClientTest(unittest.TestCase):
    def setUp(self):
        channel = set_up("channel", name="social", subscribers=["member", "other"])
        self.organization = channel["organization"]
        self.member = channel["credentials"]["member"]
        self.client = ChatClient(chat_url, self.member["email"], self.member["api_key"])

    def send(self, content):
        params = {"channel": "social", "topic": "lunch", "content": content}
        return set_up("message", organization=self.organization, **params)["message_id"]

    def test_reads_messages_as_written(self):
        ids = [self.send("*soup*"), self.send("*stew*")]
        messages = self.client.messages([{"operator": "channel", "operand": "social"}])
        self.assertEqual([message["id"] for message in messages], ids)
        self.assertEqual([message["content"] for message in messages], ["*soup*", "*stew*"])

    def test_edits_a_message(self):
        message_id = self.send("soup")
        self.client.edit(message_id, "stew", previous="soup")
        with self.assertRaises(ChatError):
            self.client.edit(message_id, "salad", previous="soup")

    def test_leaves_a_channel(self):
        self.assertEqual(self.client.leave(["social"]), ["social"])
        self.assertEqual(self.client.leave(["social"]), [])

    def test_reads_a_status(self):
        set_up("user-status", organization=self.organization, of="member", status_text="at lunch")
        self.assertEqual(self.client.status(self.member["user_id"])["status_text"], "at lunch")
