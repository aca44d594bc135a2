import { expect, it } from "vitest";
import { chooseVariant, createAsset, matches } from "./assets.ts";

const create = () =>
  createAsset("text/markdown", "# Title\n\nThe same words, é, again and again.\n".repeat(20));
const asset = create();

it("compresses once, with tags that are the same at every start", () => {
  expect(asset.compressed()).toBe(asset.compressed());
  const tags = (of: typeof asset) => [of.identity(), ...of.compressed()].map(({ etag }) => etag);
  expect(tags(create())).toEqual(tags(asset));
});

it("keeps only codings that save something", () => {
  const tiny = createAsset("image/png", Buffer.from([1, 2, 3]));
  expect(tiny.compressed()).toEqual([]);
  expect(chooseVariant(tiny, "br, gzip, identity;q=0").coding).toBe("identity");
});

it.each([
  ["br", "gzip, deflate, br|gzip; q=0.5 , br ; q=0.5|*"],
  [
    "gzip",
    "gzip|GZIP|gzip;q=1, br;q=0.9|*, br;q=0|gzip, *;q=0|identity;q=0, gzip;q=0.1|gzip;q=0.001",
  ],
  [
    "identity",
    "|gzip;q=0, br;q=0|*;q=0|identity;q=0|identity, gzip;q=0.5|zstd, deflate|gzip;q=2, br;level=1",
  ],
])("sends %s for any Accept-Encoding of %s", (coding, accepted) => {
  for (const header of accepted.split("|"))
    expect([header, chooseVariant(asset, header).coding]).toEqual([header, coding]);
});

// Lists, weak tags and those of other variants are sent to the running service by
// `docs.get/not-modified`.
it.each([
  [" * ", true],
  [' W/"x" ,W/"abc-br"', true],
  ["abc-br", false],
  ['"*"', false],
])("the copies of If-None-Match: %s are current: %s", (header, expected) => {
  expect(matches(header, '"abc-br"')).toBe(expected);
});
