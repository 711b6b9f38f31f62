import { Code, ConnectError } from "@connectrpc/connect";
import { ofFamily } from "../../fault.js";
import { renamePackage } from "../changed-fields.js";
import { changesRpc, refuses } from "../changed-handlers.js";
import { fault } from "../describe.js";
import type { DaemonFault } from "../fault.js";

const selecting = ["case select-second-node", "case select-ordinal-of-preview"];
const selection = ["select-node.preview-ordinals"];

/** Calls that fail although the contract guarantees their success, and missing RPCs. */
export const callFaults: readonly DaemonFault[] = ofFamily("calls", [
  fault("select-internal", "returns INTERNAL for every SelectNode")
    .breaks(...selection)
    .checkedBy(...selecting)
    .by(refuses("selectNode", Code.Internal)),
  fault("select-fails-after-work", "selects the node and returns UNAVAILABLE")
    .breaks(...selection)
    .checkedBy(...selecting)
    .afterSelect(() => {
      throw new ConnectError("The node cannot be selected", Code.Unavailable);
    }),
  fault("select-already-exists", "returns ALREADY_EXISTS instead of a success")
    .breaks(...selection)
    .checkedBy(...selecting)
    .afterSelect(() => {
      throw new ConnectError("The node cannot be selected", Code.AlreadyExists);
    }),
  fault("select-crashes", "throws in SelectNode, so that the caller receives an internal error")
    .breaks(...selection)
    .checkedBy(...selecting)
    .by(
      changesRpc("selectNode", () => () => {
        throw new TypeError("undefined is not a function");
      }),
    ),
  fault("select-never-responds", "never responds to SelectNode")
    // That ordinals of previews succeed is a recommendation; that a call gets a response is not.
    .breaks("ProxySubscriptions/SelectNode")
    .checkedBy(...selecting)
    .by({ callTimeoutMs: 4_000, ...changesRpc("selectNode", () => () => new Promise(() => {})) }),
  fault("select-refuses-higher-ordinals", "accepts only the first node of a subscription")
    .breaks(...selection)
    .checkedBy(...selecting)
    .by(refuses("selectNode", Code.OutOfRange, ({ selectedOrdinal }) => selectedOrdinal > 1)),
  fault("select-unimplemented", "lacks SelectNode")
    .breaks("ProxySubscriptions/SelectNode")
    .checkedBy("operation ProxySubscriptions/SelectNode")
    .lacks("selectNode"),
  fault("preview-unimplemented", "lacks PreviewImport")
    .breaks("ProxySubscriptions/PreviewImport")
    .checkedBy("operation ProxySubscriptions/PreviewImport")
    .lacks("previewImport"),
  fault("apply-unimplemented", "lacks ApplyImport")
    .breaks("ProxySubscriptions/ApplyImport")
    .checkedBy("operation ProxySubscriptions/ApplyImport")
    .lacks("applyImport"),
  fault("login-cancel-unimplemented", "lacks LoginCancel")
    .breaks("MeshControlService/LoginCancel")
    .checkedBy("operation MeshControlService/LoginCancel")
    .lacks("loginCancel"),
  fault("mesh-service-renamed", "has LoginCancel in a service of another name")
    .breaks("MeshControlService/LoginCancel")
    .checkedBy("operation MeshControlService/LoginCancel")
    .by({
      contract: (_, mesh) => {
        for (const service of mesh.service) service.name = "MeshControl";
      },
    }),
  fault("subscriptions-in-other-package", "has ProxySubscriptions in another package")
    .breaks("ProxySubscriptions/PreviewImport")
    .checkedBy("operation ProxySubscriptions/PreviewImport")
    .by({ protocol: "connect", contract: (subscriptions) => renamePackage(subscriptions, "daemon") }),
  fault("select-renamed", "has SelectNode under another name")
    .breaks("ProxySubscriptions/SelectNode")
    .checkedBy("operation ProxySubscriptions/SelectNode")
    .by({
      protocol: "grpc-web",
      contract: ({ service: [service] }) => {
        const select = service?.method.find(({ name }) => name === "SelectNode");
        if (select !== undefined) select.name = "Select";
      },
    }),
  fault("login-cancel-refused-when-idle", "returns FAILED_PRECONDITION from LoginCancel if no login is pending")
    .breaks("login-cancel.idle")
    .by(refuses("loginCancel", Code.FailedPrecondition)),
]);
