import { shellWord } from "../../src/base/shell-word.js";
import type { RpcCase } from "../../src/contract/rpc/cases.js";
import { daemonMethods } from "../../src/daemon/daemon-methods.js";
import { pathOfRpc } from "../../src/daemon/service-names.js";
import { shortName } from "../../src/runtime/rpc/services.js";
import type { Sample } from "./chat-samples.js";
import { literal } from "./typescript-sample.js";

/** The address in samples: the mock on this machine. */
export const daemonSampleOrigin = "http://127.0.0.1:4020";

/** The call of a case as `buf curl`, TypeScript, and JSON over Connect. */
export function daemonSamples({ rpc, request }: Pick<RpcCase, "rpc" | "request">): Sample[] {
  const json = shellWord(JSON.stringify(request));
  const path = pathOfRpc(rpc);
  const [service = ""] = rpc.split("/");
  const method = daemonMethods.find((one) => one.rpc === rpc)?.localName ?? "";
  const client = shortName(service);
  return [
    {
      language: "buf",
      title: "buf curl",
      code: `buf curl --schema proto --protocol grpc --http2-prior-knowledge \\\n  --data ${json} \\\n  ${daemonSampleOrigin}/${path}`,
    },
    {
      language: "typescript",
      title: "TypeScript",
      code: `import { createDaemonClient } from "accord-contracts/daemon";

const daemon = createDaemonClient({ address: "${daemonSampleOrigin}" });

const reply = await daemon.${client}.${method}(${literal(request)});
console.log(reply);
daemon.close();`,
    },
    {
      language: "json",
      title: "JSON",
      code: `curl -H 'Content-Type: application/json' \\\n  -d ${json} \\\n  ${daemonSampleOrigin}/${path}`,
    },
  ];
}
