// Generated from spec/ by `npm run generate`. Do not edit.

/** The contract: its title, its version, and the SHA-256 of the wire document that was generated with this file. */
export const contract = {
  "title": "Books",
  "version": "1.2.0",
  "hash": "4ae9fe6dfad79f28538e1dc052fecf2bce6cc9dfd52dff08b0cf31ecf153c4f5"
} as const;

/** Every problem code, with the status it is sent with (RFC 9457). */
export const problems = {
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
    "detail": "On POST, `@` belongs only into the body; it was in the query as well."
  },
  "malformed-json": {
    "status": 400,
    "title": "Malformed JSON",
    "detail": "The body must be one JSON object in UTF-8, without a byte order mark and not nested deeper than allowed."
  },
  "credential-conflict": {
    "status": 400,
    "title": "Credentials contradict each other",
    "detail": "A credential was sent as a header and as a query parameter with different values."
  },
  "invalid-cursor": {
    "status": 400,
    "title": "Invalid cursor",
    "detail": "The cursor is not one that this operation gave out."
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
    "detail": "The API key does not have the scope of this operation."
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
    "title": "Request time-out",
    "detail": "The request did not arrive in time."
  },
  "book-exists": {
    "status": 409,
    "title": "The book exists",
    "detail": "A book with this number exists already."
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
    "detail": "The body must be application/json in UTF-8, without a content coding."
  },
  "expectation-failed": {
    "status": 417,
    "title": "Expectation failed",
    "detail": "Only the expectation 100-continue can be met."
  },
  "invalid-input": {
    "status": 422,
    "title": "Invalid input",
    "detail": "The input does not fit the operation; see errors."
  },
  "headers-too-large": {
    "status": 431,
    "title": "Headers too large",
    "detail": "The header fields are larger, or more, than allowed."
  },
  "internal-error": {
    "status": 500,
    "title": "Internal error",
    "detail": "The service failed; the request id leads to the log entry."
  },
  "shutting-down": {
    "status": 503,
    "title": "Shutting down",
    "detail": "The service is shutting down; see the header Retry-After."
  },
  "storage-unavailable": {
    "status": 503,
    "title": "Storage unavailable",
    "detail": "The storage cannot be used at the moment; see the header Retry-After."
  }
} as const;

export type ProblemCode = keyof typeof problems;

/** Every scope that an operation asks for. */
export const scopes = [
  "books:write"
] as const;

export type Scope = (typeof scopes)[number];

/** How a member of an input is carried: `strings` and `integers` are comma-separated lists, `json` is any JSON. */
export type MemberType = "string" | "integer" | "number" | "boolean" | "strings" | "integers" | "json";

/** A query parameter of a GET, or a member of `data` of a POST. */
export interface InputMember {
  readonly type: MemberType;
  readonly required: boolean;
}

/** What the protocol has to know of an operation. */
export interface Operation {
  /** The name without the parts of a template: `docs.get`. */
  readonly id: string;
  readonly method: "GET" | "POST";
  /** The name as one calls it; a part that varies stands in braces: `docs.get.{name}`. */
  readonly name: string;
  /** For a name with parts: the regular expression of the names, with a group for each part. */
  readonly pattern: string | null;
  readonly parts: readonly string[];
  /** What it does, in a few words. */
  readonly summary: string;
  /** Whether it needs a key and a platform. */
  readonly auth: boolean;
  readonly scope: string | null;
  readonly input: Readonly<Record<string, InputMember>>;
  /** The answers with a body that are no problems. */
  readonly answers: readonly { readonly status: number; readonly mediaTypes: readonly string[] }[];
  readonly problems: readonly ProblemCode[];
  /** A valid input: parts and query members, or the members of `data`. */
  /** Names of a template that every deployment serves. */
  readonly known: readonly string[];
  readonly example: Readonly<Record<string, unknown>>;
  /** Where values of the input are found that exist: in the answer of another operation, by a JSON pointer; the first that is there. */
  readonly exampleFrom: Readonly<Record<string, readonly { readonly operation: string; readonly pointer: string }[]>>;
  readonly deprecation: { readonly since: string; readonly sunset: string; readonly link: string } | null;
}

/** Every operation, by its id. */
export const operations = {
  "book.find": {
    "id": "book.find",
    "method": "GET",
    "name": "book.find",
    "pattern": null,
    "parts": [],
    "known": [],
    "summary": "Find books",
    "auth": false,
    "scope": null,
    "input": {
      "isbns": {
        "type": "strings",
        "required": false
      },
      "years": {
        "type": "integers",
        "required": false
      },
      "title": {
        "type": "string",
        "required": false
      },
      "audio": {
        "type": "boolean",
        "required": false
      },
      "weight": {
        "type": "number",
        "required": false
      },
      "count": {
        "type": "integer",
        "required": false
      }
    },
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
      "headers-too-large",
      "internal-error",
      "shutting-down"
    ],
    "example": {
      "isbns": [
        "1",
        "2"
      ]
    },
    "exampleFrom": {},
    "deprecation": null
  },
  "book.read": {
    "id": "book.read",
    "method": "GET",
    "name": "book.read.{isbn}",
    "pattern": "^book\\.read\\.([0-9]{1,9})$",
    "parts": [
      "isbn"
    ],
    "known": [],
    "summary": "Read a book",
    "auth": false,
    "scope": null,
    "input": {},
    "answers": [
      {
        "status": 200,
        "mediaTypes": [
          "application/json",
          "text/plain"
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
      "headers-too-large",
      "internal-error",
      "shutting-down"
    ],
    "example": {
      "isbn": "7"
    },
    "exampleFrom": {
      "isbn": [
        {
          "operation": "book.find",
          "pointer": "/items/0/isbn"
        },
        {
          "operation": "book.add",
          "pointer": "/isbn"
        }
      ]
    },
    "deprecation": null
  },
  "book.add": {
    "id": "book.add",
    "method": "POST",
    "name": "book.add",
    "pattern": null,
    "parts": [],
    "known": [],
    "summary": "Add a book",
    "auth": true,
    "scope": "books:write",
    "input": {
      "title": {
        "type": "string",
        "required": true
      },
      "isbn": {
        "type": "string",
        "required": true
      },
      "tags": {
        "type": "json",
        "required": false
      }
    },
    "answers": [
      {
        "status": 201,
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
      "book-exists",
      "content-too-large",
      "uri-too-long",
      "unsupported-media-type",
      "expectation-failed",
      "invalid-input",
      "headers-too-large",
      "internal-error",
      "storage-unavailable",
      "shutting-down"
    ],
    "example": {
      "title": "Sums",
      "isbn": "7"
    },
    "exampleFrom": {},
    "deprecation": null
  },
  "book.remove": {
    "id": "book.remove",
    "method": "POST",
    "name": "book.remove",
    "pattern": null,
    "parts": [],
    "known": [],
    "summary": "Remove a book",
    "auth": true,
    "scope": "books:write",
    "input": {
      "isbn": {
        "type": "string",
        "required": true
      },
      "forGood": {
        "type": "boolean",
        "required": false
      }
    },
    "answers": [
      {
        "status": 200,
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
      "content-too-large",
      "uri-too-long",
      "unsupported-media-type",
      "expectation-failed",
      "invalid-input",
      "headers-too-large",
      "internal-error",
      "storage-unavailable",
      "shutting-down"
    ],
    "example": {
      "isbn": "7"
    },
    "exampleFrom": {
      "isbn": [
        {
          "operation": "book.add",
          "pointer": "/isbn"
        }
      ]
    },
    "deprecation": {
      "since": "2026-01-31",
      "sunset": "2027-01-31",
      "link": "https://books.invalid/removal"
    }
  }
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;

/** The input of each operation, and each of its answers that is no problem. */
export interface Types {
  "book.find": {
    input: schemas["book.find.input"];
    answer: { status: 200; mediaType: "application/json"; body: schemas["BookList"] };
  };
  "book.read": {
    input: schemas["book.read.input"];
    answer: { status: 200; mediaType: "application/json"; body: schemas["Book"] } | { status: 200; mediaType: "text/plain"; body: schemas["book.read.200.text/plain"] };
  };
  "book.add": {
    input: schemas["book.add.input"];
    answer: { status: 201; mediaType: "application/json"; body: schemas["Paper"] };
  };
  "book.remove": {
    input: schemas["book.remove.input"];
    answer: { status: 200; mediaType: "application/json"; body: schemas["Done"] };
  };
}

type schemas = components["schemas"];
export type Isbn = schemas["Isbn"];
export type RequestId = schemas["RequestId"];
export type Paper = schemas["Paper"];
export type Audio = schemas["Audio"];
export type Book = schemas["Book"];
export type BookList = schemas["BookList"];
export type InputFault = schemas["InputFault"];
export type NewBook = schemas["NewBook"];
export type Done = schemas["Done"];
export type Removal = schemas["Removal"];

interface components {
    schemas: {
        /** @description The number of a book. */
        Isbn: string;
        /**
         * @description The id of this request: the caller's `X-Request-Id` when it has the form, else a new one.
         * @example 6f1c9c0e-3a55-4b43-9d2b-0d1f5a3c7e21
         */
        RequestId: string;
        /** @description A book on paper. */
        Paper: {
            /** @enum {string} */
            kind: "paper";
            isbn: components["schemas"]["Isbn"];
            /** Format: int32 */
            pages: number;
        };
        /** @description A book to listen to. */
        Audio: {
            /** @enum {string} */
            kind: "audio";
            isbn: components["schemas"]["Isbn"];
            /** Format: double */
            minutes: number;
        };
        Book: components["schemas"]["Paper"] | components["schemas"]["Audio"];
        /** @description A list of books. */
        BookList: {
            items: components["schemas"]["Book"][];
        };
        /** @description One fault of an input. Exactly one of `pointer` and `parameter` says where it is. */
        InputFault: {
            /** @description Where in the body: a JSON pointer (RFC 6901) as a URI fragment. */
            pointer?: string;
            /** @description Which query parameter. */
            parameter?: string;
            /** @description What is wrong with it. */
            detail: string;
        };
        /** @description What makes a book. */
        NewBook: {
            title: string;
            isbn: components["schemas"]["Isbn"];
            tags?: string[];
        };
        /** @description The body of a POST. */
        "book.add.body": {
            /**
             * @description The name of the operation.
             * @enum {string}
             */
            "@": "book.add";
            /** @description Its input. */
            data: components["schemas"]["NewBook"];
        };
        /** @description It is done. */
        Done: {
            done: boolean;
        };
        /** @description What removes a book. */
        Removal: {
            isbn: components["schemas"]["Isbn"];
            forGood?: boolean;
        };
        /** @description The body of a POST. */
        "book.remove.body": {
            /**
             * @description The name of the operation.
             * @enum {string}
             */
            "@": "book.remove";
            /** @description Its input. */
            data: components["schemas"]["Removal"];
        };
        "book.find.input": {
            /** @description Their numbers. */
            isbns?: components["schemas"]["Isbn"][];
            /** @description Their years. */
            years?: number[];
            /** @description A part of the title. */
            title?: string;
            /** @description With audio books. */
            audio?: boolean;
            /**
             * Format: double
             * @description How heavy at most, in kilograms.
             */
            weight?: number;
            /**
             * Format: int32
             * @description How many.
             * @default 3
             */
            count: number;
        };
        "book.read.input": {
            /** @description Its number. */
            isbn: components["schemas"]["Isbn"];
        };
        /** @description Its input. */
        "book.add.input": components["schemas"]["NewBook"];
        /** @description Its input. */
        "book.remove.input": components["schemas"]["Removal"];
        "book.read.200.text/plain": string;
    };
}
