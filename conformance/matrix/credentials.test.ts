import { describe } from "vitest";
import { groups } from "../broken/defects.ts";
import { catchEach } from "./judge.test-kit.ts";

describe("broken servers: credentials", () => catchEach(groups.credentials));
