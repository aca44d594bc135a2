import { caught } from "../../caught.ts";
import type { Defect } from "../../defect.ts";
import { connect } from "../../upstream.ts";

const END = "\r\n\r\n";

/** Gives every request behind one with the good key the credentials of that one. */
export const callerDefects: readonly Defect[] = [
  caught(
    "credentials/remembered-by-connection",
    "Takes the first caller on a connection for every later one.",
    ["credentials/invalid#behind-a-caller"],
    /401|credentials-invalid/,
    {
      socket: (client, { target, credentials }) => {
        const upstream = connect(target).on("error", () => {});
        let isKnown = false;
        const withCaller = (head: string): string => {
          const isGood = credentials !== null && head.includes(credentials.key);
          if (head === "" || isGood || !isKnown) {
            isKnown ||= isGood;
            return head;
          }
          const bare = head.replace(/\r\nX-(?:API-KEY|PLATFORM):[^\r]*/gi, "");
          return `${bare}\r\nX-API-KEY: ${credentials?.key}\r\nX-PLATFORM: ${credentials?.platform}`;
        };
        client.on("data", (bytes: Buffer) => {
          upstream.write(bytes.toString("latin1").split(END).map(withCaller).join(END), "latin1");
        });
        client.on("close", () => upstream.destroy());
        upstream.on("data", (bytes: Buffer) => void client.write(bytes)).on("end", () => client.end());
        return true;
      },
    },
  ),
];
