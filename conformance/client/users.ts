import { Stopped } from "./expectation.ts";
import { decided } from "./leeway.ts";

/** Users that one run may create, unless it has its own budget: no operation deletes them. */
export const MAX_USERS = 120;

/**
 * The e-mail addresses that a run uses, and which of them became users. An address counts before it is sent, so that a run that
 * dies has reported it; it is removed if the target rejects it.
 */
export class Users {
  private issued = 0;
  private readonly known = new Map<string, "issued" | "sent" | "created">();

  private readonly told = new Set<string>();

  constructor(
    readonly runId: string,
    /** Called before an address is sent for the first time. */
    private readonly onSend: (email: string) => void = () => {},
    /** `{id}` marks where an address carries the run's id. */
    private readonly template = decided.email,
    private readonly most = MAX_USERS,
  ) {}

  /** A word that this run has not used before. */
  mark(): string {
    this.issued += 1;
    return `${this.runId}-${this.issued}`;
  }

  /** A new address that carries the run's id; `shape` builds it around its own local part. */
  email(shape?: (local: string) => string): string {
    const own = this.template.replace("{id}", this.mark());
    const email = shape ? shape(own.slice(0, own.lastIndexOf("@"))) : own;
    this.known.set(email, "issued");
    return email;
  }

  /**
   * The addresses of this run in the bytes of a request about to be sent; throws `Stopped` if they would be too many users: a
   * target may accept what it must reject, or never respond.
   */
  sending(request: Buffer): string[] {
    // In a query an address may be percent-encoded.
    const text = request.toString("latin1").toLowerCase().replaceAll("%2b", "+").replaceAll("%40", "@");
    if (!text.includes(`${this.runId}-`)) return [];
    const emails = [...this.known.keys()].filter((email) => text.includes(email.toLowerCase()));
    const fresh = emails.filter((email) => this.known.get(email) === "issued");
    if (this.list().length + fresh.length > this.most)
      throw new Stopped(`this run would create more than ${this.most} users`);
    for (const email of fresh) {
      this.known.set(email, "sent");
      if (!this.told.has(email)) this.onSend(email);
      this.told.add(email);
    }
    return emails;
  }

  /**
   * The outcome for the addresses of a request: `created` on 2xx, `refused` on any other status; without a response it is
   * unknown.
   */
  settled(emails: readonly string[], outcome: "created" | "refused"): void {
    for (const email of emails) {
      if (outcome === "created") this.known.set(email, "created");
      else if (this.known.get(email) === "sent") this.known.set(email, "issued");
    }
  }

  /** How many more users this run may create. */
  get left(): number {
    return this.most - this.list().length;
  }

  /** The addresses that are, or may be, users now. */
  list(): string[] {
    return [...this.known].filter(([, state]) => state !== "issued").map(([email]) => email);
  }
}
