import { type Golden, golden, invalid, rejected, success } from "../../../golden/table.ts";

/** With which credentials an operation is called (D16 to D20). */

const target = "/api/?@=test.health";
const operation = "test.health";
const isServed = success(operation);
const isMissing = (id: string) => rejected(401, "credentials-missing", { operation: id });
const isUnknown = rejected(401, "credentials-invalid", { operation });
const isForbidden = rejected(403, "platform-not-allowed", { operation });

export const credentials: readonly Golden[] = [
  golden("test.health/placements", isServed, {
    "Both in the query": `${target}&X-API-KEY={key}&X-PLATFORM={platform}`,
  }),
  golden("credentials/header-case", isServed, {
    "The names of headers in any letter case": {
      target,
      fields: [
        ["x-api-key", "{key}"],
        ["x-Platform", "{platform}"],
      ],
    },
  }),
  golden("credentials/query-case", invalid(operation, "#"), {
    "The names of parameters exactly: another one is unknown, and reported at the whole input": {
      key: "full",
      target: `${target}&x-api-key={key}`,
    },
  }),
  golden("credentials/same-twice", isServed, {
    "Twice the same": { key: "full", target: `${target}&X-API-KEY={key}` },
  }),
  golden("credentials/conflict", rejected(400, "credential-conflict", { operation }), {
    "Twice, and not the same: it comes before all else": {
      target: `${target}&X-API-KEY={key}`,
      fields: [["X-API-KEY", "another"]],
    },
  }),
  golden("credentials/empty", isServed, {
    "An empty one was not sent, and contradicts nothing": {
      target: `${target}&X-API-KEY={key}&X-PLATFORM=`,
      fields: [
        ["X-API-KEY", ""],
        ["X-PLATFORM", "{platform}"],
      ],
    },
  }),
  golden("credentials/missing", isMissing(operation), {
    "No platform; that the key is unknown comes later": {
      target,
      fields: [["X-API-KEY", "unknown"]],
    },
  }),
  golden("credentials/invalid", isUnknown, {
    "An unknown key; that the platform is unknown comes later": {
      target,
      fields: [
        ["X-API-KEY", "unknown"],
        ["X-PLATFORM", "unknown"],
      ],
    },
  }),
  golden("credentials/whole", isUnknown, {
    "A key with a blank before it is another key": {
      target: `${target}&X-API-KEY=+{key}`,
      fields: [["X-PLATFORM", "{platform}"]],
    },
  }),
  golden("credentials/expired", isUnknown, {
    "A key that has expired": { target, key: "expired" },
  }),
  golden("credentials/revoked", isUnknown, {
    "A key that was revoked": { target, key: "revoked" },
  }),
  golden("credentials/scope", rejected(403, "scope-missing", { operation }), {
    "A key without the scope; that the platform is unknown comes later": {
      target,
      key: "noScopes",
      platform: "unknown",
    },
  }),
  golden("credentials/platform", isForbidden, {
    "An unknown platform; the rest of the request comes later": {
      target: `${target}&x=1`,
      key: "full",
      platform: "unknown",
      fields: [["Accept", "text/html"]],
    },
  }),
  golden("credentials/platform-of-key", isForbidden, {
    "A platform that is not one of the key": { target, key: "otherPlatform" },
  }),
  golden("credentials/public", success("sysinfo"), {
    "On a public operation they are not checked, and are no unknown parameters": {
      target: "/api/?@=sysinfo&X-API-KEY=one",
      fields: [["X-API-KEY", "another"]],
    },
  }),
  golden("credentials/nowhere-else", isMissing("user.create"), {
    "A key in the body is none; what is wrong with the body comes later": {
      fields: [["X-PLATFORM", "{platform}"]],
      body: '{"@":"user.create","X-API-KEY":"{key}"}',
    },
  }),
].flat();
