// Generated from spec/ by `npm run generate`. Do not edit.

/** The order of checks: every step, its condition, and the codes that it rejects with. */
export const order = [
  {
    "step": "readHead",
    "does": "It is an HTTP/1.x request whose head arrived in time and is not too large: HTTP itself rejects the rest.",
    "problems": [
      "malformed-request",
      "request-timeout",
      "uri-too-long",
      "expectation-failed",
      "headers-too-large",
      "shutting-down",
      "overloaded"
    ]
  },
  {
    "step": "findPath",
    "does": "The path is one that is served.",
    "problems": [
      "path-not-found"
    ]
  },
  {
    "step": "allowMethod",
    "does": "The path has the method; OPTIONS is answered here, and `/api` redirects.",
    "problems": [
      "method-not-allowed"
    ]
  },
  {
    "step": "readQuery",
    "does": "The query can be decoded, and has no parameter twice. From here on: only at `/api/`; of other paths, only the body is counted.",
    "problems": [
      "malformed-query",
      "parameter-repeated"
    ]
  },
  {
    "step": "readHeaders",
    "does": "No credential header was sent twice.",
    "problems": [
      "parameter-repeated"
    ]
  },
  {
    "step": "checkMediaType",
    "does": "The body of a POST is JSON by its headers.",
    "problems": [
      "unsupported-media-type"
    ]
  },
  {
    "step": "readBody",
    "does": "The body arrives completely, in time, and is not too large; only then does the request count as being in flight.",
    "problems": [
      "malformed-request",
      "request-timeout",
      "content-too-large",
      "headers-too-large",
      "shutting-down",
      "overloaded"
    ]
  },
  {
    "step": "parseBody",
    "does": "The body of a POST is a JSON object.",
    "problems": [
      "malformed-json"
    ]
  },
  {
    "step": "nameOperation",
    "does": "`@` is present once.",
    "problems": [
      "operation-missing",
      "operation-ambiguous"
    ]
  },
  {
    "step": "findOperation",
    "does": "There is such an operation.",
    "problems": [
      "operation-not-found"
    ]
  },
  {
    "step": "checkMethod",
    "does": "It is called with its method.",
    "problems": [
      "method-not-allowed"
    ]
  },
  {
    "step": "readCredentials",
    "does": "Header and query agree about the credentials. From here to the platform: only where the operation needs credentials.",
    "problems": [
      "credential-conflict"
    ]
  },
  {
    "step": "requireCredentials",
    "does": "Key and platform are present.",
    "problems": [
      "credentials-missing",
      "rate-limited"
    ]
  },
  {
    "step": "authenticate",
    "does": "The key is known, neither expired nor revoked.",
    "problems": [
      "credentials-invalid",
      "rate-limited",
      "storage-unavailable"
    ]
  },
  {
    "step": "checkScope",
    "does": "The key has the scope of the operation.",
    "problems": [
      "scope-missing"
    ]
  },
  {
    "step": "checkPlatform",
    "does": "The platform is one of the deployment and of the key.",
    "problems": [
      "platform-not-allowed"
    ]
  },
  {
    "step": "limitRate",
    "does": "The caller has calls left: the key, or on a public operation the address.",
    "problems": [
      "rate-limited"
    ]
  },
  {
    "step": "negotiate",
    "does": "One of the representations is acceptable.",
    "problems": [
      "not-acceptable"
    ]
  },
  {
    "step": "validateInput",
    "does": "The input matches the schema of the operation.",
    "problems": [
      "invalid-input"
    ]
  },
  {
    "step": "handle",
    "does": "The operation is carried out. Any failure that is not a rejection, in any step, is an `internal-error`.",
    "problems": [
      "invalid-cursor",
      "invalid-idempotency-key",
      "document-not-found",
      "idempotency-key-reused",
      "internal-error",
      "storage-unavailable",
      "deadline-exceeded",
      "email-taken"
    ]
  }
] as const;

export type Step = (typeof order)[number]["step"];
