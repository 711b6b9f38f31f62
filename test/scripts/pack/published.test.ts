import { describe, expect, it } from "vitest";
import { publishedLinks } from "../../../scripts/pack/published-links.js";
import { parseRepository, publishedManifest } from "../../../scripts/pack/published-manifest.js";

const repository = "https://git.example.org/acme/accord";
const files = ["README.md", "docs/verify.md", "proto/README.md"];

describe("publishedLinks", () => {
  it.each([
    ["a packed file", "README.md", "[`docs`](docs/verify.md#checks)", "[`docs`](docs/verify.md#checks)"],
    ["a packed folder", "docs/verify.md", "[proto](../proto/)", "[proto](../proto/)"],
    ["a missing file", "docs/verify.md", "see [the tests](../test/a.md#b).", "see the tests."],
    ["a URL", "README.md", "[web](https://example.org/a.md)", "[web](https://example.org/a.md)"],
    ["a heading", "README.md", "[above](#above)", "[above](#above)"],
  ])("makes a link to %s work without a repository", (_, path, text, expected) => {
    expect(publishedLinks(text, path, { files, version: "1.2.3" })).toBe(expected);
  });

  it.each([
    ["README.md", "[`docs`](docs/verify.md#checks)", `[\`docs\`](${repository}/blob/v1.2.3/docs/verify.md#checks)`],
    ["docs/verify.md", "[proto](../proto/README.md)", "[proto](../proto/README.md)"],
    ["docs/verify.md", "[tests](../test/a.md)", `[tests](${repository}/blob/v1.2.3/test/a.md)`],
  ])("points from %s to the repository, unless the file is beside it in the package", (path, text, expected) => {
    expect(publishedLinks(text, path, { files, version: "1.2.3", repository })).toBe(expected);
  });
});

describe("publishedManifest", () => {
  const manifest = { name: "accord-contracts", version: "1.2.3", private: true, scripts: { prepare: "x" }, bin: "a" };

  it("keeps what users need, and names no repository by default", () => {
    expect(publishedManifest(manifest)).toEqual({ name: "accord-contracts", version: "1.2.3", bin: "a" });
  });

  it("names the repository", () => {
    expect(publishedManifest(manifest, repository)).toMatchObject({
      repository: { type: "git", url: `git+${repository}.git` },
      homepage: `${repository}#readme`,
      bugs: `${repository}/issues`,
    });
  });
});

describe("parseRepository", () => {
  it.each([repository, `git+${repository}.git`, `${repository}/`])("reads %s", (text) => {
    expect(parseRepository(text)).toBe(repository);
  });

  it.each(["", "accord", "http://git.example.org/a", "git@git.example.org:a/b.git", "https://user@git.example.org/a"])(
    "rejects %j",
    (text) => {
      expect(() => parseRepository(text)).toThrow("is not the https URL of a repository");
    },
  );
});
