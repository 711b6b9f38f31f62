import { create } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FieldDescriptorProto_Type as Type } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import type { DaemonBehaviour, Handlers } from "../../../scripts/faults/daemon/behaviour.js";
import { runDaemonBehaviour } from "../../../scripts/faults/daemon/run-daemon-behaviour.js";
import { findShowableRules } from "../../../src/contract/rpc/evidence.js";
import { loadDaemonContract } from "../../../src/daemon/daemon-contract.js";
import {
  type ProxySubscriptionPreviewResponse,
  ProxySubscriptionPreviewResponseSchema,
} from "../../../src/daemon/index.js";
import { toJsonReport } from "../../../src/report/model/to-json-report.js";

/** A daemon whose author misread the requirements, and the expected result of its verification. */
interface WrongDaemon {
  /** Finishes the sentence "a daemon that …". */
  readonly does: string;
  readonly behaviour: DaemonBehaviour;
  /** The checks that are run. Defaults to those that can show the rules below. */
  readonly only?: readonly string[];
  /** Rules that must be reported as broken. */
  readonly broken?: readonly string[];
  /** Recommendations that must be reported as deviating. */
  readonly deviates?: readonly string[];
  /** Rules that must not count as kept, although the requirements are too vague to call them broken. */
  readonly notKept?: readonly string[];
}

function previews(change: (preview: ProxySubscriptionPreviewResponse) => void): DaemonBehaviour {
  return {
    handlers: (honest) => ({
      ...honest,
      previewImport: async (...call) => {
        const preview = create(ProxySubscriptionPreviewResponseSchema, await honest.previewImport(...call));
        change(preview);
        return preview;
      },
    }),
  };
}

function answers<Rpc extends "applyImport" | "selectNode">(
  rpc: Rpc,
  change: (reply: { id: number; selectedOrdinal: number; importedCount: number }) => object,
): DaemonBehaviour {
  return {
    handlers: (honest) => ({
      ...honest,
      [rpc]: async (...call: Parameters<Handlers[Rpc]>) => {
        const handler = honest[rpc] as (...given: unknown[]) => Promise<object>;
        const reply = { id: 0, selectedOrdinal: 0, importedCount: 0, ...(await handler(...call)) };
        return { id: reply.id, selectedOrdinal: reply.selectedOrdinal, ...change(reply) };
      },
    }),
  };
}

function renumbered(message: string, numbers: Readonly<Record<string, number>>): DaemonBehaviour {
  return built(message, (field) => {
    field.number = numbers[field.name] ?? field.number;
  });
}

function built(
  message: string,
  change: (field: FileDescriptorProto["messageType"][number]["field"][number]) => void,
): DaemonBehaviour {
  return {
    contract: ({ messageType }) => {
      for (const field of messageType.find(({ name }) => name === message)?.field ?? []) change(field);
    },
  };
}

const response = "ProxySubscriptionPreviewResponse";
const node = "ProxySubscriptionNodePreview";
const entry = "ProxySubscriptionRejectedEntry";

const daemons: readonly WrongDaemon[] = [
  {
    does: "counts rejected entries and lists none",
    behaviour: previews((preview) => {
      preview.rejected = [];
    }),
    deviates: ["preview-import.counts"],
    notKept: ["preview-import.rejected"],
  },
  {
    does: "counts compatible entries and lists no node",
    behaviour: previews((preview) => {
      preview.node = [];
    }),
    deviates: ["preview-import.counts"],
    notKept: ["preview-import.nodes"],
  },
  {
    does: "counts compatible entries below zero",
    behaviour: previews((preview) => {
      preview.compatibleCount = -1;
    }),
    broken: ["preview-import.compatible-count"],
  },
  {
    does: "counts rejected entries below zero",
    behaviour: previews((preview) => {
      preview.rejectedCount = -preview.rejectedCount;
    }),
    broken: ["preview-import.rejected-count"],
  },
  {
    does: "counts what it imported below zero",
    behaviour: answers("applyImport", () => ({ importedCount: -1 })),
    broken: ["apply-import.returns-imported-count"],
  },
  {
    does: "writes runtime_supported at 8",
    behaviour: renumbered(node, { runtime_supported: 8 }),
    broken: ["preview-import.runtime-supported"],
  },
  {
    does: "writes the warnings of a node at 9",
    behaviour: renumbered(node, { warnings: 9 }),
    notKept: ["preview-import.node-warnings"],
  },
  {
    does: "writes the overall warnings at 8",
    behaviour: renumbered(response, { warnings: 8 }),
    notKept: ["preview-import.warnings"],
  },
  {
    does: "writes the rejected entries at 9",
    behaviour: renumbered(response, { rejected: 9 }),
    deviates: ["preview-import.counts"],
    notKept: ["preview-import.rejected"],
  },
  {
    does: "writes the nodes at 6 and the rejected entries at 5",
    behaviour: renumbered(response, { node: 6, rejected: 5 }),
    only: ["case preview-"],
    deviates: ["preview-import.counts"],
  },
  {
    does: "writes suggested_name as bytes that are not UTF-8",
    behaviour: {
      ...built(response, (field) => {
        if (field.name === "suggested_name") field.type = Type.BYTES;
      }),
      ...previews((preview) => {
        Object.assign(preview, { suggestedName: Uint8Array.of(0xff, 0xfe) });
      }),
    },
    broken: ["wire.proto3"],
  },
  {
    does: "writes the scheme of an entry at 1 and its ordinal at 3",
    behaviour: renumbered(entry, { scheme: 1, ordinal: 3 }),
    broken: ["wire.proto3"],
  },
  {
    does: "leaves the reason out of rejected entries",
    behaviour: previews(({ rejected }) => {
      for (const one of rejected) one.reason = "";
    }),
    notKept: ["preview-import.rejected-reason"],
  },
  {
    does: "previews nothing but a name",
    behaviour: previews((preview) => {
      Object.assign(preview, { detectedFormat: "", compatibleCount: 0, rejectedCount: 0 });
      Object.assign(preview, { node: [], rejected: [], warnings: [] });
    }),
    notKept: ["preview-import.previews", "preview-import.nodes", "preview-import.detected-format"],
  },
  {
    does: "reads the URL of a preview at 2",
    behaviour: renumbered("ProxySubscriptionImportRequest", { url: 2 }),
    notKept: ["preview-import.takes-url", "preview-import.previews"],
  },
  {
    does: "reads the requests of ApplyImport one number too low",
    behaviour: renumbered("ProxySubscriptionApplyRequest", { id: 5, url: 1, name: 2, selected_ordinal: 3 }),
    notKept: ["apply-import.takes-url", "apply-import.takes-selected-ordinal"],
  },
  {
    does: "selects a node other than the one that ApplyImport names",
    behaviour: answers("applyImport", ({ importedCount }) => ({ importedCount, selectedOrdinal: 1 })),
    notKept: ["apply-import.takes-selected-ordinal"],
  },
  {
    does: "makes a new network of each import, whatever the id",
    behaviour: {
      handlers: (honest) => ({
        ...honest,
        applyImport: (request, context) => honest.applyImport({ ...request, id: 0 }, context),
      }),
    },
    notKept: ["apply-import.takes-id"],
  },
  {
    does: "leaves the count out of what ApplyImport returns",
    behaviour: answers("applyImport", () => ({ importedCount: 0 })),
    notKept: ["apply-import.returns-imported-count", "apply-import.applies"],
  },
  {
    does: "returns the selection of the network before",
    behaviour: answers("selectNode", () => ({ selectedOrdinal: 1 })),
    broken: ["select-node.returns-selected-ordinal"],
  },
  {
    does: "swaps the id and the ordinal that SelectNode returns",
    behaviour: renumbered("ProxySubscriptionSelectResponse", { id: 2, selected_ordinal: 1 }),
    broken: ["select-node.returns-selected-ordinal"],
  },
  {
    does: "says yes to whatever SelectNode is asked without what it was asked",
    behaviour: answers("selectNode", () => ({ id: 0, selectedOrdinal: 0 })),
    broken: ["select-node.returns-id", "select-node.returns-selected-ordinal"],
  },
];

const contract = await loadDaemonContract();
const { cases } = contract;

/** The cases that can show some of these rules, and one whose answer has every list, which shows how messages are encoded. */
function casesOf(named: readonly string[]): string[] {
  const showing = cases.filter((one) => findShowableRules(one, contract).some((id) => named.includes(id)));
  return ["case preview-mixed-list", ...showing.map(({ name }) => `case ${name}`)];
}

describe.concurrent("verifyDaemon", () => {
  it.each(daemons.map((one) => [one.does, one] as const))(
    "does not count the broken rules as kept for a daemon that %s",
    async (_, { behaviour, broken = [], deviates = [], notKept = [], only }) => {
      const selected = only ?? casesOf([...broken, ...deviates, ...notKept]);
      const report = await runDaemonBehaviour(behaviour, { only: selected });
      const states = new Map(toJsonReport(report).rules.map(({ id, state }) => [id, state]));
      expect(broken.map((id) => [id, states.get(id)])).toEqual(broken.map((id) => [id, "broken"]));
      expect(deviates.map((id) => [id, states.get(id)])).toEqual(deviates.map((id) => [id, "deviating"]));
      expect(notKept.map((id) => [id, states.get(id)])).toEqual(notKept.map((id) => [id, "not-exercised"]));
    },
  );
});
