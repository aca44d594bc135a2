import { operations } from "../../../generated/operations.ts";
import type { RequirementId } from "../../../generated/requirements.ts";
import type { Api } from "../../client/api.ts";
import type { CredentialName } from "../../client/credentials.ts";
import { expectStatus } from "../../client/expect.ts";
import { type Check, check } from "../check.ts";
import { inCase } from "../probe.ts";
import { type Case, closed, eachPlace, keyAs, platformAs, sent } from "./probe.ts";

/** What is refused for its credentials, to HEAD; there the status is all that tells. */
interface Refused {
  readonly requirement: RequirementId;
  readonly status: number;
  readonly needs?: CredentialName;
  readonly cases: (api: Api) => readonly Case[];
}

const special =
  (name: CredentialName): Refused["cases"] =>
  (api) => {
    const { key, platform } = api.credentials.special[name] ?? { key: "", platform: "" };
    return eachPlace(`the key ${name}`, key, (placement) => ({ key: placement, platform: { header: platform } }));
  };

const refused: readonly Refused[] = [
  {
    requirement: "credentials/invalid",
    status: 401,
    cases: (api) => eachPlace("a made-up key", "not-one-of-yours", (placement) => keyAs(api, placement)),
  },
  {
    requirement: "credentials/platform",
    status: 403,
    cases: (api) => eachPlace("an unknown platform", "no-platform", (placement) => platformAs(api, placement)),
  },
  {
    requirement: "credentials/conflict",
    status: 400,
    cases: (api) => [
      sent("two keys", keyAs(api, { header: api.key, query: "another" })),
      sent("two platforms", platformAs(api, { header: api.platform, query: "another" })),
    ],
  },
  { requirement: "credentials/expired", status: 401, needs: "expired", cases: special("expired") },
  { requirement: "credentials/revoked", status: 401, needs: "revoked", cases: special("revoked") },
  { requirement: "credentials/scope", status: 403, needs: "noScopes", cases: special("noScopes") },
  { requirement: "credentials/platform-of-key", status: 403, needs: "otherPlatform", cases: special("otherPlatform") },
];

const readers = closed.filter((id) => operations[id].method === "GET");

/** D5: HEAD is no way past what GET is refused for. */
export const heads: readonly Check[] = readers.flatMap((id) =>
  refused
    .filter(({ requirement }) => requirement !== "credentials/scope" || operations[id].scope !== null)
    .map(({ requirement, status, needs, cases }) =>
      check(`${requirement}#head-${id}`, needs ? { needs: [needs] } : {}, async (api) => {
        const input = api.example(id);
        expectStatus(await api.call(id, { method: "HEAD", input }), 200);
        for (const { what, options } of cases(api)) {
          await inCase(`HEAD with ${what}`, async () =>
            expectStatus(await api.call(id, { method: "HEAD", input, ...options }), status),
          );
        }
      }),
    ),
);
