import { describe, expect, it } from "vitest";
import { type Asset, chooseVariant, createAsset, matches } from "./assets.ts";

const content = "# Title\n\nThe same words, é, again and again.\n".repeat(20);
const asset = createAsset({ mediaType: "text/markdown", content });
const variantsOf = ({ identity, compressed }: Asset) => [identity(), ...compressed()];

describe("createAsset", () => {
  it("compresses once", () => {
    expect(asset.compressed()).toBe(asset.compressed());
  });

  it("gives each coding a strong entity tag of its own, the same at every start", () => {
    const tags = variantsOf(asset).map(({ etag }) => etag);
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]+"$/);
    expect(new Set(tags).size).toBe(3);
    expect(variantsOf(createAsset({ mediaType: "text/markdown", content })).map(({ etag }) => etag)).toEqual(tags);
  });

  it("keeps only codings that save something", () => {
    const tiny = createAsset({ mediaType: "image/png", content: Buffer.from([1, 2, 3]) });
    expect(variantsOf(tiny).map(({ coding }) => coding)).toEqual(["identity"]);
    expect(chooseVariant(tiny, "br, gzip, identity;q=0").coding).toBe("identity");
  });
});

describe("chooseVariant", () => {
  it.each([
    [undefined, "identity"],
    ["", "identity"],
    ["gzip", "gzip"],
    ["GZIP", "gzip"],
    ["gzip, deflate, br", "br"],
    ["gzip;q=1, br;q=0.9", "gzip"],
    ["gzip; q=0.5 , br ; q=0.5", "br"],
    ["gzip;q=0, br;q=0", "identity"],
    ["*", "br"],
    ["*, br;q=0", "gzip"],
    ["*;q=0", "identity"],
    ["gzip, *;q=0", "gzip"],
    ["identity;q=0", "identity"],
    ["identity;q=0, gzip;q=0.1", "gzip"],
    ["identity, gzip;q=0.5", "identity"],
    ["gzip;q=0.001", "gzip"],
    ["zstd, deflate", "identity"],
    ["gzip;q=2, br;level=1", "identity"],
  ])("for Accept-Encoding: %s sends %s", (acceptEncoding, coding) => {
    expect(chooseVariant(asset, acceptEncoding).coding).toBe(coding);
  });
});

describe("matches", () => {
  const etag = '"abc-br"';

  it.each(['"abc-br"', 'W/"abc-br"', '"x", "abc-br"', ' W/"x" ,W/"abc-br"', "*", " * "])(
    "%s holds the tag",
    (header) => {
      expect(matches(header, etag)).toBe(true);
    },
  );

  it.each([undefined, "", "abc-br", '"abc"', '"abc-gzip"', 'W/"x"', '"*"'])("%s does not", (header) => {
    expect(matches(header, etag)).toBe(false);
  });
});
