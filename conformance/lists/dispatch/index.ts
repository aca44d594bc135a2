import { checksOf } from "../list.ts";
import { dispatch } from "./list.ts";

export const dispatchLists = checksOf(
  [
    ...([
      "dispatch/case-sensitive",
      "dispatch/percent-encoded",
      "dispatch/unknown",
      "dispatch/prototype-names",
    ] as const),
    ...(["dispatch/no-echo", "dispatch/missing", "dispatch/missing-in-body", "dispatch/ambiguous"] as const),
    ...(["dispatch/no-batch", "dispatch/malformed-query", "dispatch/plus-is-space", "dispatch/repeated"] as const),
    ...(["dispatch/repeated-credential", "dispatch/wrong-method", "dispatch/no-method-override"] as const),
    ...(["dispatch/get-changes-nothing", "dispatch/unknown-method", "dispatch/body-on-get"] as const),
    ...(["dispatch/other-paths-methods", "dispatch/options", "dispatch/order", "dispatch/order-method-first"] as const),
    ...(["dispatch/order-credentials-first", "dispatch/order-accept-before-input", "credentials/order"] as const),
    "dispatch/x-operation",
  ],
  dispatch,
);
