import type { ContractDocument } from "../../src/contract/chat/document.js";
import { docsProfile } from "../../src/contract/chat/profiles/docs-profile.js";

/** The file with Redoc, in the folder of the page. */
export const redocFile = "redoc.standalone.js";

/** The documentation page. Works without a network, because it loads only Redoc, from a file in the same folder. */
export function docsPage(document: ContractDocument): string {
  // In a script element, `<` could begin a closing tag.
  const json = JSON.stringify(docsProfile(document)).replaceAll("<", "\\u003c");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${document.info.title}</title>
<style>body { margin: 0 }</style>
</head>
<body>
<main id="docs"></main>
<script src="${redocFile}"></script>
<script>
Redoc.init(${json}, { hideDownloadButton: true, sortTagsAlphabetically: false }, document.getElementById("docs"));
</script>
</body>
</html>
`;
}
