import { describe, expect, it } from "vitest";
import { Users } from "./users.ts";

describe("Users", () => {
  it("tells of an address before it is sent for the first time, in whatever spelling", () => {
    const told: string[] = [];
    const users = new Users("r", (email) => told.push(email));
    const email = users.email();
    expect(users.sending(Buffer.from("nothing of ours"))).toEqual([]);
    expect(users.sending(Buffer.from(`?email=${encodeURIComponent(email)}`))).toEqual([email]);
    expect(users.sending(Buffer.from(email.toUpperCase()))).toEqual([email]);
    expect(told).toEqual([email]);
    expect(users.list()).toEqual([email]);
  });

  it("forgets what was refused, but not what was created before", () => {
    const users = new Users("r", () => {});
    const emails = users.sending(Buffer.from(users.email()));
    users.settled(emails, "refused");
    expect(users.list()).toEqual([]);
    users.settled(users.sending(Buffer.from(emails[0] ?? "")), "created");
    users.settled(emails, "refused");
    expect(users.list()).toEqual(emails);
  });
});
