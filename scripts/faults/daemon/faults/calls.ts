import { Code, ConnectError } from "@connectrpc/connect";
import type { DaemonBehaviour, Handlers } from "../behaviour.js";
import type { DaemonFault } from "../fault.js";

const selecting = ["case select-second-node", "case select-ordinal-of-preview"];
const selection = ["select-node.preview-ordinals"];

/** SelectNode fails with a code, before or after its work. */
function selectFails(code: Code, when: "before" | "after" = "before"): DaemonBehaviour {
  return {
    handlers: (honest) => ({
      ...honest,
      selectNode: async (request, context) => {
        if (when === "after") await honest.selectNode(request, context);
        throw new ConnectError("The node cannot be selected", code);
      },
    }),
  };
}

function lacks(rpc: keyof Handlers): DaemonBehaviour {
  return { handlers: ({ [rpc]: _, ...others }) => others };
}

/** Calls that fail although the contract guarantees their success, and missing RPCs. */
export const callFaults: readonly DaemonFault[] = [
  {
    name: "select-internal",
    family: "calls",
    summary: "returns INTERNAL for every SelectNode",
    breaks: selection,
    checkedBy: selecting,
    behaviour: selectFails(Code.Internal),
  },
  {
    name: "select-fails-after-work",
    family: "calls",
    summary: "selects the node and returns UNAVAILABLE",
    breaks: selection,
    checkedBy: selecting,
    behaviour: selectFails(Code.Unavailable, "after"),
  },
  {
    name: "select-already-exists",
    family: "calls",
    summary: "returns ALREADY_EXISTS instead of a success",
    breaks: selection,
    checkedBy: selecting,
    behaviour: selectFails(Code.AlreadyExists, "after"),
  },
  {
    name: "select-crashes",
    family: "calls",
    summary: "throws in SelectNode, so that the caller receives an internal error",
    breaks: selection,
    checkedBy: selecting,
    behaviour: {
      handlers: (honest) => ({
        ...honest,
        selectNode: () => {
          throw new TypeError("undefined is not a function");
        },
      }),
    },
  },
  {
    name: "select-never-responds",
    family: "calls",
    summary: "never responds to SelectNode",
    breaks: selection,
    checkedBy: selecting,
    behaviour: {
      callTimeoutMs: 4_000,
      handlers: (honest) => ({ ...honest, selectNode: () => new Promise(() => {}) }),
    },
  },
  {
    name: "select-refuses-higher-ordinals",
    family: "calls",
    summary: "accepts only the first node of a subscription",
    breaks: selection,
    checkedBy: selecting,
    behaviour: {
      handlers: (honest) => ({
        ...honest,
        selectNode: (request, context) => {
          if (request.selectedOrdinal > 1) throw new ConnectError("There is no such node", Code.OutOfRange);
          return honest.selectNode(request, context);
        },
      }),
    },
  },
  {
    name: "select-unimplemented",
    family: "calls",
    summary: "lacks SelectNode",
    breaks: ["service.proxy-subscriptions"],
    checkedBy: selecting,
    behaviour: lacks("selectNode"),
  },
  {
    name: "preview-unimplemented",
    family: "calls",
    summary: "lacks PreviewImport",
    breaks: ["service.proxy-subscriptions"],
    checkedBy: ["case preview-trojan-list"],
    behaviour: lacks("previewImport"),
  },
  {
    name: "apply-unimplemented",
    family: "calls",
    summary: "lacks ApplyImport",
    breaks: ["service.proxy-subscriptions"],
    checkedBy: ["case apply-new-network"],
    behaviour: lacks("applyImport"),
  },
  {
    name: "login-cancel-unimplemented",
    family: "calls",
    summary: "lacks LoginCancel",
    breaks: ["service.mesh-control"],
    checkedBy: ["case login-cancel"],
    behaviour: lacks("loginCancel"),
  },
  {
    name: "mesh-service-renamed",
    family: "calls",
    summary: "has LoginCancel in a service of another name",
    breaks: ["service.mesh-control"],
    checkedBy: ["case login-cancel"],
    behaviour: {
      contract: (_, mesh) => {
        for (const service of mesh.service) service.name = "MeshControl";
      },
    },
  },
  {
    name: "subscriptions-in-other-package",
    family: "calls",
    summary: "has ProxySubscriptions in another package",
    breaks: ["service.proxy-subscriptions"],
    checkedBy: ["case preview-trojan-list"],
    behaviour: {
      protocol: "connect",
      contract: (subscriptions) => {
        subscriptions.package = "daemon";
        for (const { method } of subscriptions.service) {
          for (const one of method) {
            one.inputType = one.inputType.replace(".proxydaemon.v1.", ".daemon.");
            one.outputType = one.outputType.replace(".proxydaemon.v1.", ".daemon.");
          }
        }
        for (const { field } of subscriptions.messageType) {
          for (const one of field) one.typeName = one.typeName.replace(".proxydaemon.v1.", ".daemon.");
        }
      },
    },
  },
  {
    name: "select-renamed",
    family: "calls",
    summary: "has SelectNode under another name",
    breaks: ["service.proxy-subscriptions"],
    checkedBy: selecting,
    behaviour: {
      protocol: "grpc-web",
      contract: ({ service: [service] }) => {
        const select = service?.method.find(({ name }) => name === "SelectNode");
        if (select !== undefined) select.name = "Select";
      },
    },
  },
  {
    name: "login-cancel-refused-when-idle",
    family: "calls",
    summary: "returns FAILED_PRECONDITION from LoginCancel if no login is pending",
    breaks: ["login-cancel.idle"],
    checkedBy: ["case cancel-without-login"],
    behaviour: {
      handlers: (honest) => ({
        ...honest,
        loginCancel: () => {
          throw new ConnectError("No login is pending", Code.FailedPrecondition);
        },
      }),
    },
  },
];
