// Generated from spec/ by `npm run generate`. Do not edit.

import { validators } from "./validators.ts";

export const contract = {
  "title": "Atpoint",
  "version": "3.0.3",
  "hash": "159666d0e2c7bf381fa75aa5b00ca33adfbd63e8ae2329979fb8a902e808162b",
  "limits": {
    "targetBytes": 8192,
    "headBytes": 16384,
    "headFields": 100,
    "bodyBytes": 65536,
    "bodyDepth": 16,
    "bodyParts": 1024,
    "faults": 20
  },
  "keys": {
    "realm": "atpoint",
    "prefix": "atp_"
  },
  "problems": {
    "malformed-request": {
      "status": 400,
      "title": "Malformed request",
      "detail": "What was received is not a well-formed HTTP request."
    },
    "operation-missing": {
      "status": 400,
      "title": "No operation is named",
      "detail": "Name an operation with `@`: a query parameter on GET, a member of the JSON body on POST."
    },
    "parameter-repeated": {
      "status": 400,
      "title": "A parameter is repeated",
      "detail": "A query parameter or a credential header was sent more than once."
    },
    "malformed-query": {
      "status": 400,
      "title": "Malformed query",
      "detail": "The query has a broken percent-escape or is not UTF-8."
    },
    "operation-ambiguous": {
      "status": 400,
      "title": "The operation is named twice",
      "detail": "On POST, `@` belongs only in the body; it was in the query too."
    },
    "malformed-json": {
      "status": 400,
      "title": "Malformed JSON",
      "detail": "The body must be one JSON object in UTF-8, without a byte order mark, and with no more levels and parts than allowed."
    },
    "credential-conflict": {
      "status": 400,
      "title": "Credentials contradict each other",
      "detail": "A credential was sent as a header and as a query parameter with different values."
    },
    "invalid-cursor": {
      "status": 400,
      "title": "Invalid cursor",
      "detail": "The cursor is not one that this operation issued."
    },
    "invalid-idempotency-key": {
      "status": 400,
      "title": "Invalid idempotency key",
      "detail": "An Idempotency-Key is 1 to 255 visible ASCII characters, sent once."
    },
    "credentials-missing": {
      "status": 401,
      "title": "Credentials are missing",
      "detail": "Send an API key and a platform: X-API-KEY and X-PLATFORM, each as a header or as a query parameter."
    },
    "credentials-invalid": {
      "status": 401,
      "title": "Credentials are invalid",
      "detail": "The API key is not valid."
    },
    "scope-missing": {
      "status": 403,
      "title": "The scope is missing",
      "detail": "The API key lacks the scope of this operation. Ask the operator for a key that has it."
    },
    "platform-not-allowed": {
      "status": 403,
      "title": "The platform is not allowed",
      "detail": "The API key may not be used on this platform."
    },
    "operation-not-found": {
      "status": 404,
      "title": "No such operation",
      "detail": "No operation has this name; docs.get.reference lists them."
    },
    "path-not-found": {
      "status": 404,
      "title": "No such path",
      "detail": "Nothing is served at this path; every operation is at /api/."
    },
    "document-not-found": {
      "status": 404,
      "title": "No such document",
      "detail": "No document has this name; docs.list lists them."
    },
    "method-not-allowed": {
      "status": 405,
      "title": "Method not allowed",
      "detail": "This method is not allowed here; see the header Allow."
    },
    "not-acceptable": {
      "status": 406,
      "title": "Not acceptable",
      "detail": "The operation has no representation that Accept allows."
    },
    "request-timeout": {
      "status": 408,
      "title": "Request timeout",
      "detail": "The request did not arrive in time."
    },
    "email-taken": {
      "status": 409,
      "title": "The e-mail address is taken",
      "detail": "A user with this e-mail address exists already."
    },
    "content-too-large": {
      "status": 413,
      "title": "Content too large",
      "detail": "The body is larger than allowed."
    },
    "uri-too-long": {
      "status": 414,
      "title": "URI too long",
      "detail": "The request target is longer than allowed."
    },
    "unsupported-media-type": {
      "status": 415,
      "title": "Unsupported media type",
      "detail": "The body must be JSON in UTF-8. Send the header Content-Type: application/json."
    },
    "expectation-failed": {
      "status": 417,
      "title": "Expectation failed",
      "detail": "Only the expectation 100-continue can be met."
    },
    "invalid-input": {
      "status": 422,
      "title": "Invalid input",
      "detail": "The input does not match the operation; see errors."
    },
    "idempotency-key-reused": {
      "status": 422,
      "title": "The idempotency key was used before",
      "detail": "The Idempotency-Key was used with other data."
    },
    "rate-limited": {
      "status": 429,
      "title": "Too many calls",
      "detail": "Too many calls in a short time; see the header Retry-After."
    },
    "headers-too-large": {
      "status": 431,
      "title": "Headers too large",
      "detail": "The header fields are larger, or more, than allowed."
    },
    "internal-error": {
      "status": 500,
      "title": "Internal error",
      "detail": "The service failed; the request id identifies the log entry."
    },
    "shutting-down": {
      "status": 503,
      "title": "Shutting down",
      "detail": "The service is shutting down; see the header Retry-After."
    },
    "overloaded": {
      "status": 503,
      "title": "Overloaded",
      "detail": "The service is overloaded; see the header Retry-After."
    },
    "deadline-exceeded": {
      "status": 503,
      "title": "Deadline exceeded",
      "detail": "The operation took too long and was given up; see the header Retry-After."
    },
    "storage-unavailable": {
      "status": 503,
      "title": "Storage unavailable",
      "detail": "The storage cannot be used at the moment; see the header Retry-After."
    }
  },
  "scopes": [
    "system:health",
    "users:read",
    "users:write"
  ],
  "steps": [
    {
      "step": "readHead",
      "does": "It is an HTTP/1.x request whose head arrived in time and is not too large: HTTP itself rejects\nthe rest.",
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
      "does": "The query can be decoded, and has no parameter twice. From here on: only at `/api/`; of other\npaths, only the body is counted.",
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
      "does": "The body arrives completely, in time, and is not too large; only then does the request count as\nbeing in flight.",
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
      "does": "Header and query agree about the credentials. From here to the platform: only where the\noperation needs credentials.",
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
      "does": "The operation is carried out. Any failure that is not a rejection, in any step, is an\n`internal-error`.",
      "problems": [
        "invalid-cursor",
        "invalid-idempotency-key",
        "document-not-found",
        "idempotency-key-reused",
        "internal-error",
        "storage-unavailable",
        "deadline-exceeded",
        "shutting-down",
        "email-taken"
      ]
    }
  ],
  "operations": {
    "sysinfo": {
      "id": "sysinfo",
      "method": "GET",
      "name": "sysinfo",
      "pattern": null,
      "parts": [],
      "known": [],
      "summary": "System information",
      "auth": false,
      "scope": null,
      "input": {},
      "headers": {},
      "answers": [
        {
          "status": 200,
          "mediaTypes": [
            "application/json"
          ]
        }
      ],
      "problems": [
        "malformed-request",
        "operation-missing",
        "parameter-repeated",
        "malformed-query",
        "operation-not-found",
        "path-not-found",
        "method-not-allowed",
        "not-acceptable",
        "request-timeout",
        "content-too-large",
        "uri-too-long",
        "expectation-failed",
        "invalid-input",
        "rate-limited",
        "headers-too-large",
        "internal-error",
        "shutting-down",
        "overloaded",
        "deadline-exceeded"
      ],
      "example": {},
      "exampleFrom": {},
      "deprecation": null,
      "takesIdempotencyKey": false,
      "ownProblems": []
    },
    "test.health": {
      "id": "test.health",
      "method": "GET",
      "name": "test.health",
      "pattern": null,
      "parts": [],
      "known": [],
      "summary": "Health of the deployment",
      "auth": true,
      "scope": "system:health",
      "input": {},
      "headers": {},
      "answers": [
        {
          "status": 200,
          "mediaTypes": [
            "application/json"
          ]
        },
        {
          "status": 503,
          "mediaTypes": [
            "application/json"
          ]
        }
      ],
      "problems": [
        "credential-conflict",
        "malformed-request",
        "operation-missing",
        "parameter-repeated",
        "malformed-query",
        "credentials-missing",
        "credentials-invalid",
        "scope-missing",
        "platform-not-allowed",
        "operation-not-found",
        "path-not-found",
        "method-not-allowed",
        "not-acceptable",
        "request-timeout",
        "content-too-large",
        "uri-too-long",
        "expectation-failed",
        "invalid-input",
        "rate-limited",
        "headers-too-large",
        "internal-error",
        "storage-unavailable",
        "shutting-down",
        "overloaded",
        "deadline-exceeded"
      ],
      "example": {},
      "exampleFrom": {},
      "deprecation": null,
      "takesIdempotencyKey": false,
      "ownProblems": []
    },
    "user.list": {
      "id": "user.list",
      "method": "GET",
      "name": "user.list",
      "pattern": null,
      "parts": [],
      "known": [],
      "summary": "List users",
      "auth": true,
      "scope": "users:read",
      "input": {
        "limit": {
          "type": "integer",
          "required": false
        },
        "cursor": {
          "type": "string",
          "required": false
        }
      },
      "headers": {},
      "answers": [
        {
          "status": 200,
          "mediaTypes": [
            "application/json"
          ]
        }
      ],
      "problems": [
        "invalid-cursor",
        "credential-conflict",
        "malformed-request",
        "operation-missing",
        "parameter-repeated",
        "malformed-query",
        "credentials-missing",
        "credentials-invalid",
        "scope-missing",
        "platform-not-allowed",
        "operation-not-found",
        "path-not-found",
        "method-not-allowed",
        "not-acceptable",
        "request-timeout",
        "content-too-large",
        "uri-too-long",
        "expectation-failed",
        "invalid-input",
        "rate-limited",
        "headers-too-large",
        "internal-error",
        "storage-unavailable",
        "shutting-down",
        "overloaded",
        "deadline-exceeded"
      ],
      "example": {
        "limit": 1
      },
      "exampleFrom": {},
      "deprecation": null,
      "takesIdempotencyKey": false,
      "ownProblems": [
        "invalid-cursor"
      ]
    },
    "user.create": {
      "id": "user.create",
      "method": "POST",
      "name": "user.create",
      "pattern": null,
      "parts": [],
      "known": [],
      "summary": "Create a user",
      "auth": true,
      "scope": "users:write",
      "input": {
        "name": {
          "type": "string",
          "required": true
        },
        "email": {
          "type": "string",
          "required": true
        }
      },
      "headers": {},
      "answers": [
        {
          "status": 201,
          "mediaTypes": [
            "application/json"
          ]
        }
      ],
      "problems": [
        "invalid-idempotency-key",
        "credential-conflict",
        "malformed-request",
        "operation-missing",
        "parameter-repeated",
        "malformed-query",
        "operation-ambiguous",
        "malformed-json",
        "credentials-missing",
        "credentials-invalid",
        "scope-missing",
        "platform-not-allowed",
        "operation-not-found",
        "path-not-found",
        "method-not-allowed",
        "not-acceptable",
        "request-timeout",
        "email-taken",
        "content-too-large",
        "uri-too-long",
        "unsupported-media-type",
        "expectation-failed",
        "idempotency-key-reused",
        "invalid-input",
        "rate-limited",
        "headers-too-large",
        "internal-error",
        "storage-unavailable",
        "shutting-down",
        "overloaded",
        "deadline-exceeded"
      ],
      "example": {
        "name": "Grace Hopper",
        "email": "grace@example.com"
      },
      "exampleFrom": {},
      "deprecation": null,
      "takesIdempotencyKey": true,
      "ownProblems": [
        "invalid-idempotency-key",
        "email-taken",
        "idempotency-key-reused"
      ]
    },
    "docs.list": {
      "id": "docs.list",
      "method": "GET",
      "name": "docs.list",
      "pattern": null,
      "parts": [],
      "known": [],
      "summary": "List the documents",
      "auth": false,
      "scope": null,
      "input": {},
      "headers": {},
      "answers": [
        {
          "status": 200,
          "mediaTypes": [
            "application/json"
          ]
        }
      ],
      "problems": [
        "malformed-request",
        "operation-missing",
        "parameter-repeated",
        "malformed-query",
        "operation-not-found",
        "path-not-found",
        "method-not-allowed",
        "not-acceptable",
        "request-timeout",
        "content-too-large",
        "uri-too-long",
        "expectation-failed",
        "invalid-input",
        "rate-limited",
        "headers-too-large",
        "internal-error",
        "shutting-down",
        "overloaded",
        "deadline-exceeded"
      ],
      "example": {},
      "exampleFrom": {},
      "deprecation": null,
      "takesIdempotencyKey": false,
      "ownProblems": []
    },
    "docs.get": {
      "id": "docs.get",
      "method": "GET",
      "name": "docs.get.{name}",
      "pattern": "^docs\\.get\\.([A-Za-z0-9][A-Za-z0-9_-]{0,63})$",
      "parts": [
        "name"
      ],
      "known": [
        "docs.get.README",
        "docs.get.quickstart",
        "docs.get.reference",
        "docs.get.problems",
        "docs.get.contract",
        "docs.get.changelog"
      ],
      "summary": "Read a document",
      "auth": false,
      "scope": null,
      "input": {},
      "headers": {
        "If-None-Match": {
          "type": "string",
          "required": false
        }
      },
      "answers": [
        {
          "status": 200,
          "mediaTypes": [
            "application/json",
            "text/markdown",
            "text/plain",
            "text/html"
          ]
        }
      ],
      "problems": [
        "malformed-request",
        "operation-missing",
        "parameter-repeated",
        "malformed-query",
        "document-not-found",
        "operation-not-found",
        "path-not-found",
        "method-not-allowed",
        "not-acceptable",
        "request-timeout",
        "content-too-large",
        "uri-too-long",
        "expectation-failed",
        "invalid-input",
        "rate-limited",
        "headers-too-large",
        "internal-error",
        "shutting-down",
        "overloaded",
        "deadline-exceeded"
      ],
      "example": {
        "name": "README"
      },
      "exampleFrom": {},
      "deprecation": null,
      "takesIdempotencyKey": false,
      "ownProblems": [
        "document-not-found"
      ]
    }
  },
  validators,
} as const;

export type OperationId = keyof typeof contract.operations;
export type ProblemCode = keyof typeof contract.problems;

/** Of each operation: its input, its header parameters, its answers that are no problems, and the codes of its own problems. */
export interface Types {
  "sysinfo": {
    input: schemas["sysinfo.input"];
    headers: Record<string, never>;
    answer: { status: 200; mediaType: "application/json"; body: schemas["SystemInformation"] };
    problem: never;
  };
  "test.health": {
    input: schemas["test.health.input"];
    headers: Record<string, never>;
    answer: { status: 200; mediaType: "application/json"; body: schemas["Health"] } | { status: 503; mediaType: "application/json"; body: schemas["Health"] };
    problem: never;
  };
  "user.list": {
    input: schemas["user.list.input"];
    headers: Record<string, never>;
    answer: { status: 200; mediaType: "application/json"; body: schemas["UserList"] };
    problem: "invalid-cursor";
  };
  "user.create": {
    input: schemas["user.create.input"];
    headers: Record<string, never>;
    answer: { status: 201; mediaType: "application/json"; body: schemas["User"] };
    problem: "invalid-idempotency-key" | "email-taken" | "idempotency-key-reused";
  };
  "docs.list": {
    input: schemas["docs.list.input"];
    headers: Record<string, never>;
    answer: { status: 200; mediaType: "application/json"; body: schemas["DocumentList"] };
    problem: never;
  };
  "docs.get": {
    input: schemas["docs.get.input"];
    headers: schemas["docs.get.headers"];
    answer: { status: 200; mediaType: "application/json"; body: schemas["Document"] } | { status: 200; mediaType: "text/markdown"; body: schemas["docs.get.200.text/markdown"] } | { status: 200; mediaType: "text/plain"; body: schemas["docs.get.200.text/plain"] } | { status: 200; mediaType: "text/html"; body: schemas["docs.get.200.text/html"] };
    problem: "document-not-found";
  };
}

type schemas = components["schemas"];
export type RequestId = schemas["RequestId"];
export type Version = schemas["Version"];
export type Instant = schemas["Instant"];
export type SystemInformation = schemas["SystemInformation"];
export type InputFault = schemas["InputFault"];
export type CheckResult = schemas["CheckResult"];
export type HealthChecks = schemas["HealthChecks"];
export type Health = schemas["Health"];
export type Uuid = schemas["Uuid"];
export type PersonName = schemas["PersonName"];
export type EmailAddress = schemas["EmailAddress"];
export type User = schemas["User"];
export type UserList = schemas["UserList"];
export type NewUser = schemas["NewUser"];
export type DocumentName = schemas["DocumentName"];
export type DocumentEntry = schemas["DocumentEntry"];
export type DocumentList = schemas["DocumentList"];
export type Document = schemas["Document"];

interface components {
    schemas: {
        /**
         * @description The id of this request: the caller's `X-Request-Id` if it is valid, otherwise a new one.
         * @example 6f1c9c0e-3a55-4b43-9d2b-0d1f5a3c7e21
         */
        RequestId: string;
        /**
         * @description The version of the interface (semantic versioning). Both deployments report the same version.
         * @example 3.0.3
         */
        Version: string;
        /**
         * Format: date-time
         * @description A time in UTC (RFC 3339, ending in `Z`).
         * @example 2026-01-31T12:00:00.000Z
         */
        Instant: string;
        /** @description The information on the landing page, and the time. */
        SystemInformation: {
            /**
             * @description `Operational` while the process can serve.
             * @enum {string}
             */
            status: "Operational";
            /** @description The version of the interface. */
            version: components["schemas"]["Version"];
            /** @description The name of the server software. */
            server: string;
            /** @description Name and version of the runtime. */
            runtime: string;
            /** @description The address that this request came from. */
            clientAddress: string;
            /**
             * @description The method of this request.
             * @enum {string}
             */
            requestMethod: "GET" | "HEAD";
            /** @description The time of the response. */
            time: components["schemas"]["Instant"];
        };
        /** @description One fault of an input. Exactly one of `pointer` and `parameter` locates it. */
        InputFault: {
            /** @description Where in the body: a JSON pointer (RFC 6901) as a URI fragment. `#` is also a query as a whole. */
            pointer?: string;
            /** @description Which query parameter, or which header that the operation declares. */
            parameter?: string;
            /** @description What is wrong with it. */
            detail: string;
        };
        /**
         * @description The result of a check.
         * @enum {string}
         */
        CheckResult: "pass" | "fail";
        /** @description The results of all checks. */
        HealthChecks: {
            /** @description Whether the storage would accept a write. */
            storage: components["schemas"]["CheckResult"];
        };
        /** @description The health of a deployment. */
        Health: {
            /** @description `pass` when every check passes. */
            status: components["schemas"]["CheckResult"];
            /** @description The version of the interface. */
            version: components["schemas"]["Version"];
            /** @description The result of each check. */
            checks: components["schemas"]["HealthChecks"];
        };
        /**
         * Format: uuid
         * @description A UUID, version 7 (RFC 9562): in the order of creation.
         * @example 019c1395-e200-7000-8000-0123456789ab
         */
        Uuid: string;
        /**
         * @description A name of 1 to 200 code points, stored as sent. It has no leading or trailing whitespace, no
         *     control characters, no bidirectional controls (U+202A–202E, U+2066–2069) and no lone surrogates.
         * @example Ada Lovelace
         */
        PersonName: string;
        /**
         * Format: email
         * @description An e-mail address as the HTML standard defines it, in ASCII, with at most 64 characters before
         *     the `@` and 254 in total. It is stored as sent.
         * @example ada@example.com
         */
        EmailAddress: string;
        /** @description A user. */
        User: {
            /** @description The user's id. */
            readonly id: components["schemas"]["Uuid"];
            /** @description The name, as sent. */
            name: components["schemas"]["PersonName"];
            /** @description The e-mail address, as sent. It is unique, compared case-insensitively. */
            email: components["schemas"]["EmailAddress"];
            /** @description When the user was created. */
            readonly createdAt: components["schemas"]["Instant"];
        };
        /** @description One page of the users. */
        UserList: {
            /** @description The items of this page. */
            items: components["schemas"]["User"][];
            /** @description The `cursor` of the next page; absent on the last. */
            nextCursor?: string;
        };
        /** @description The input that creates a user. */
        NewUser: {
            /** @description The name, as sent. */
            name: components["schemas"]["PersonName"];
            /** @description The e-mail address, as sent. It is unique, compared case-insensitively. */
            email: components["schemas"]["EmailAddress"];
        };
        /** @description The body of a POST. */
        "user.create.body": {
            /**
             * Operation
             * @description The name of the operation.
             * @enum {string}
             */
            "@": "user.create";
            /** @description Its input. */
            data: components["schemas"]["NewUser"];
        };
        /**
         * @description The name of a documentation entry.
         * @example README
         */
        DocumentName: string;
        /** @description A documentation entry in the list. */
        DocumentEntry: {
            /** @description Its name. */
            name: components["schemas"]["DocumentName"];
            /** @description Its title. */
            title: string;
            /**
             * @description The media type it is written in.
             * @enum {string}
             */
            mediaType: "text/markdown";
            /**
             * Format: int32
             * @description The number of bytes of its Markdown.
             */
            size: number;
            /** @description The operation that returns it: `docs.get.README`. */
            operation: string;
        };
        /** @description The documentation entries. */
        DocumentList: {
            /** @description All of them. */
            items: components["schemas"]["DocumentEntry"][];
        };
        /** @description A documentation entry with its content. */
        Document: {
            /** @description Its name. */
            name: components["schemas"]["DocumentName"];
            /** @description Its title. */
            title: string;
            /**
             * @description The media type of `content`.
             * @enum {string}
             */
            mediaType: "text/markdown";
            /** @description The Markdown. */
            content: string;
        };
        "sysinfo.input": Record<string, never>;
        "test.health.input": Record<string, never>;
        "user.list.input": {
            /**
             * Format: int32
             * @description The maximum number of items.
             * @default 50
             */
            limit: number;
            /**
             * @description The `nextCursor` of the page before, of the same operation with the same other parameters. It
             *     is opaque: nothing but the service reads it.
             */
            cursor?: string;
        };
        /** @description Its input. */
        "user.create.input": components["schemas"]["NewUser"];
        "docs.list.input": Record<string, never>;
        "docs.get.input": {
            /** @description The name of the entry. */
            name: components["schemas"]["DocumentName"];
        };
        "docs.get.headers": {
            /** @description The `ETag` of the copy that the caller has. */
            "If-None-Match"?: string;
        };
        "docs.get.200.text/markdown": string;
        "docs.get.200.text/plain": string;
        "docs.get.200.text/html": string;
    };
}
