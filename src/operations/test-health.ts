import { contract } from "../../generated/operations.ts";
import { Answer } from "../protocol/answer.ts";
import type { Handler } from "./handler.ts";

const { version } = contract;

/** D28: 200 when the storage answers, 503 with the same document when it does not; why it does not stays inside. */
export const testHealth: Handler<"test.health"> = async (_, { ping }) => {
  try {
    await ping();
    return new Answer({
      status: 200,
      mediaType: "application/json",
      body: { status: "pass", version, checks: { storage: "pass" } },
    });
  } catch {
    return new Answer({
      status: 503,
      mediaType: "application/json",
      body: { status: "fail", version, checks: { storage: "fail" } },
    });
  }
};
