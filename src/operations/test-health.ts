import { contract } from "../../generated/contract.ts";
import { HandlerResponse } from "../server/response/response.ts";
import type { Handler } from "./handler.ts";

const { version } = contract;

/**
 * D28: 200 when the storage would accept a write, 503 with the same document when it would not; the
 * reason is only logged.
 */
export const testHealth: Handler<"test.health"> = async (_, { services }) => {
  const isThere = await services.checkWritable().then(
    () => true,
    () => false,
  );
  const mediaType = "application/json";
  return isThere
    ? new HandlerResponse({
        status: 200,
        mediaType,
        body: { status: "pass", version, checks: { storage: "pass" } },
      })
    : new HandlerResponse({
        status: 503,
        mediaType,
        body: { status: "fail", version, checks: { storage: "fail" } },
      });
};
