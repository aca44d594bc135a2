// Runs in the browser, on the reference page: Swagger UI for the document by operation. The key stays in its memory.
/* global SwaggerUIBundle */
import { SNIPPETS } from "./reference-snippets.js";

const domNode = document.getElementById("reference");

const PROBLEM = "application/problem+json";
const spec = await (await fetch("openapi.operations.json")).json();
// Requests go to the deployment that served the page, whatever addresses it publishes.
if (domNode.dataset.calls === "here") spec.servers = [{ url: new URL(".", location.href).href.replace(/\/$/, "") }];
const last = (reference) => reference.split("/").at(-1);

// Key and platform once each, as headers: here nothing is gained by putting them in the query.
const schemes = Object.fromEntries(
  Object.entries(spec.components.securitySchemes ?? {}).filter(([, scheme]) => scheme.in === "header"),
);
spec.components.securitySchemes = schemes;
// What the document says of its paths is about generators: they are not shown here.
spec.info.description = spec.info.description
  .split("\n\n")
  .filter((paragraph) => !paragraph.includes("/../"))
  .join("\n\n");

/** By path: the name of the operation, since a path only separates it from the others, and its problems: `{ status, code, schema }`. */
const known = new Map();
for (const [path, operations] of Object.entries(spec.paths))
  for (const operation of Object.values(operations)) {
    const [name, summary] = operation.summary.split(/: (.*)/s);
    operation.summary = summary;
    operation.security = (operation.security ?? []).filter((needed) =>
      Object.keys(needed).every((id) => id in schemes),
    );
    if (operation["x-scope"]) operation.description += ` It needs a key with the scope \`${operation["x-scope"]}\`.`;
    const data = operation.requestBody?.content["application/json"].example.data;
    // An example that can be sent more than once.
    if (data?.email) data.email = data.email.replace("@", `.${Date.now().toString(36)}@`);
    known.set(path, { name, problems: takeProblems(operation) });
  }

/** Takes the problems out of the responses of an operation; a response that is nothing else stays, documented, and is not shown. */
function takeProblems(operation) {
  const problems = [];
  for (const [status, given] of Object.entries(operation.responses)) {
    const response = given.$ref ? spec.components.responses[last(given.$ref)] : given;
    const { [PROBLEM]: problem, ...content } = response.content ?? {};
    if (!problem) continue;
    for (const { $ref } of problem.schema.anyOf ?? [problem.schema])
      problems.push({ status, code: last($ref).replace("problem.", ""), schema: spec.components.schemas[last($ref)] });
    if (Object.keys(content).length === 0) operation.responses[status] = { description: PROBLEM };
    else {
      const [{ schema }] = Object.values(content);
      const { description } = schema.$ref ? spec.components.schemas[last(schema.$ref)] : schema;
      operation.responses[status] = { ...response, content, description };
    }
  }
  return problems;
}
const all = [...known.values()];
const isShared = ({ code }) => all.every(({ problems }) => problems.some((one) => one.code === code));
for (const name of Object.keys(spec.components.schemas))
  if (name.startsWith("problem.")) delete spec.components.schemas[name];

/** The call that the fields of an operation describe now. */
function callOf({ path, method }, { specSelectors, oas3Selectors, authSelectors }) {
  const operation = spec.paths[path][method];
  const base = (oas3Selectors.selectedServer() || spec.servers[0].url).replace(/\/$/, "");
  const values = specSelectors.parameterValues([path, method]).toJS();
  const given = (operation.parameters ?? []).flatMap((parameter) => {
    const value = values[`${parameter.in}.${parameter.name}`];
    return value === undefined || value === null || value === "" ? [] : [{ ...parameter, value: String(value) }];
  });
  const those = (place) => given.filter((parameter) => parameter.in === place);
  const texts = (parameters) => Object.fromEntries(parameters.map(({ name, value }) => [name, value]));
  const typed = ({ name, value, schema }) => [
    name,
    /integer|number/.test(schema.type) && value.trim() !== "" && !Number.isNaN(Number(value)) ? Number(value) : value,
  ];
  const accept = oas3Selectors.responseContentType(path, method);
  const common = {
    base,
    platform: operation.security.some((needed) => Object.keys(needed).length > 0)
      ? (authSelectors.authorized().getIn(["PlatformInHeader", "value"]) ?? "")
      : undefined,
    accept: accept === "application/json" || !accept ? undefined : accept,
    headers: texts(those("header")),
  };
  if (method !== "post") {
    const query = texts(those("query"));
    const { "@": name, ...input } = Object.fromEntries(those("query").map(typed));
    return { ...common, query, name: String(name ?? ""), input };
  }
  const example = JSON.stringify(operation.requestBody.content["application/json"].example, null, 2);
  const body = String(oas3Selectors.requestBodyValue(path, method) ?? example);
  try {
    const { "@": name = "", data = {} } = JSON.parse(body);
    return { ...common, body, name, input: data };
  } catch {
    return { ...common, body, name: known.get(path).name };
  }
}

const page = ({ React: { createElement: h } }) => {
  const code = (text) => h("code", { key: text }, text);
  /** A sentence of the contract, with code in backticks. */
  const prose = (text) => text.split("`").map((part, index) => (index % 2 === 1 ? code(part) : part));

  /** One form for all operations. What it has is sent with each call. */
  const Credentials = ({ authActions, authSelectors }) => {
    const authorized = authSelectors.authorized();
    const field = ([id, schema]) => {
      const isKey = schema.name.endsWith("KEY");
      const onChange = ({ target: { value } }) =>
        value === "" ? authActions.logout([id]) : authActions.authorize({ [id]: { name: id, schema, value } });
      return h(
        "label",
        { key: id },
        h("span", null, id.replace("InHeader", " "), code(schema.name)),
        h("input", {
          ...{ name: id, onChange, value: authorized.getIn([id, "value"]) ?? "" },
          ...{ type: isKey ? "password" : "text", autoComplete: "off", spellCheck: false },
        }),
      );
    };
    return h(
      "form",
      { className: "credentials", "aria-label": "Credentials", onSubmit: (event) => event.preventDefault() },
      Object.entries(schemes).map(field),
      h("p", null, "For every call of this page, which keeps them in its memory only."),
    );
  };

  /** The call as code: the language chosen for one operation is that of all. */
  const Snippets = ({ path, method, layoutSelectors, layoutActions, ...selectors }) => {
    const language = layoutSelectors.whatMode("snippets", "curl");
    const call = callOf({ path, method }, selectors);
    const text = language === "curl" || call.input ? SNIPPETS[language](call) : "The body is not JSON.";
    const copy = ({ currentTarget }) => {
      // Without https there is no `navigator.clipboard`.
      getSelection().selectAllChildren(currentTarget.closest(".snippets").querySelector("pre"));
      currentTarget.textContent = document.execCommand("copy") ? "Copied" : "Selected";
    };
    return h(
      "section",
      { className: "snippets" },
      h(
        "div",
        { className: "opblock-section-header" },
        h("h4", null, "As code"),
        Object.keys(SNIPPETS).map((name) =>
          h(
            "button",
            {
              ...{ key: name, type: "button", "aria-pressed": name === language },
              onClick: () => layoutActions.changeMode("snippets", name),
            },
            name,
          ),
        ),
        // A new text is a new button, which says "Copy" again.
        h("button", { key: text, type: "button", className: "copy", onClick: copy }, "Copy"),
      ),
      h("pre", { className: "microlight" }, text),
    );
  };

  const problem = ({ status, code: name, schema: { description, examples } }) =>
    h(
      "details",
      { key: name },
      h("summary", null, h("b", null, status), " ", code(name), " ", h("span", null, prose(description))),
      h("p", null, prose(description)),
      h("p", null, h("a", { href: examples[0].type }, `What to do about ${name}`)),
      h("pre", { className: "microlight" }, JSON.stringify(examples[0], null, 2)),
    );

  /** A line for each, those that every operation can have in one fold. */
  const Problems = ({ path }) => {
    const { problems } = known.get(path);
    const [shared, own] = [problems.filter(isShared), problems.filter((one) => !isShared(one))];
    return h(
      "section",
      { className: "problems" },
      h("div", { className: "opblock-section-header" }, h("h4", null, `Problems (${problems.length})`)),
      own.map(problem),
      h(
        "details",
        null,
        h("summary", null, `${shared.length}${own.length > 0 ? " more" : ""} that every operation can have`),
        shared.map(problem),
      ),
    );
  };

  return {
    components: {
      AuthorizeBtnContainer: Credentials,
      authorizeOperationBtn: () => null,
      TryItOutButton: () => null,
      // The code of the call is there before it is sent, and without the key.
      curl: () => null,
    },
    wrapComponents: {
      OperationSummaryPath: () => (props) =>
        h("span", { className: "opblock-summary-path" }, known.get(props.operationProps.get("path")).name),
      ServersContainer: (Original) => (props) => spec.servers.length > 1 && h(Original, props),
      responses: (Original) => (props) => [
        h(Snippets, { key: "code", ...props }),
        h(Original, {
          ...{ key: "responses", ...props },
          responses: props.responses.filter((response) => response.get("description") !== PROBLEM),
        }),
        h(Problems, { key: "problems", ...props }),
      ],
    },
  };
};

/** Mends what Swagger UI leaves without a name, out of order, or unreachable by keyboard; React does not touch what it has not set. */
const mend = () => {
  const each = (selector, change) => domNode.querySelectorAll(selector).forEach(change);
  each(":is(select, textarea):not([aria-label])", (field) => {
    field.ariaLabel =
      field.closest("[data-param-name]")?.dataset.paramName ?? (field.id === "servers" ? "Server" : "Body");
  });
  each("pre.microlight:not([tabindex])", (code) => {
    code.tabIndex = 0;
  });
  each(".responses-table:not([aria-label])", (table) => {
    table.ariaLabel = `Responses of ${table.id}`;
  });
  each(":is(h3, h4, h5):not([aria-level])", (heading) => {
    heading.ariaLevel = String(Number(heading.localName[1]) - 1);
  });
  for (const [part, name] of [
    ["information", "About"],
    ["schemes-server", "Server"],
  ])
    each(`.${part}-container:not([role])`, (element) => {
      element.role = "region";
      element.ariaLabel = name;
    });
};
new MutationObserver(mend).observe(domNode, { childList: true, subtree: true });
// It has its own landmark.
domNode.closest("main").replaceWith(domNode);

const ui = SwaggerUIBundle({
  spec,
  domNode,
  plugins: [page],
  deepLinking: true,
  tryItOutEnabled: true,
  persistAuthorization: false,
  validatorUrl: null,
  syntaxHighlight: false,
  defaultModelsExpandDepth: 0,
  onComplete: () => {
    // The platform that the contract names, so that a key is enough.
    for (const [name, schema] of Object.entries(schemes)) {
      const value = /`(\w+)`/.exec(schema.description)?.[1];
      if (value) ui.authActions.authorize({ [name]: { name, schema, value } });
    }
  },
  requestInterceptor: (request) => {
    // As it is sent: without the dot segments (RFC 3986, 5.2.4).
    request.url = new URL(request.url, location.href).href;
    return request;
  },
});
