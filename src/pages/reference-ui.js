// Runs in the browser, on the reference page: Swagger UI for the document by operation. The key stays in its memory.
/* global SwaggerUIBundle */
const root = document.documentElement;
const domNode = document.getElementById("reference");
const dark = matchMedia("screen and (prefers-color-scheme: dark)");
const paint = () => root.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", paint);
paint();

const spec = await (await fetch("openapi.operations.json")).json();
// Requests go to the deployment that served the page, whatever addresses it publishes.
if (domNode.dataset.calls === "here") spec.servers = [{ url: new URL(".", location.href).href.replace(/\/$/, "") }];

/** The name of the operation by its path, which only serves to separate the operation from the others. */
const names = new Map();
for (const [path, operations] of Object.entries(spec.paths))
  for (const operation of Object.values(operations)) {
    const [name, summary] = operation.summary.split(/: (.*)/s);
    names.set(path, name);
    operation.summary = summary;
    const data = operation.requestBody?.content["application/json"].example.data;
    // An example that can be sent more than once.
    if (data?.email) data.email = data.email.replace("@", `.${Date.now().toString(36)}@`);
  }

const named = ({ React }) => ({
  wrapComponents: {
    OperationSummaryPath: () => (props) =>
      React.createElement("span", { className: "opblock-summary-path" }, names.get(props.operationProps.get("path"))),
  },
});

/** Mends what Swagger UI leaves without a name, out of order, or unreachable by keyboard; React does not touch what it has not set. */
const mend = () => {
  const each = (selector, change) => domNode.querySelectorAll(selector).forEach(change);
  each(":is(select, textarea):not([aria-label])", (field) => {
    field.ariaLabel =
      field.closest("[data-param-name]")?.dataset.paramName ?? (field.id === "servers" ? "Server" : "Body");
  });
  each("pre:not([tabindex])", (code) => {
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

SwaggerUIBundle({
  spec,
  domNode,
  plugins: [named],
  deepLinking: true,
  tryItOutEnabled: true,
  showExtensions: true,
  persistAuthorization: false,
  validatorUrl: null,
  syntaxHighlight: false,
  defaultModelsExpandDepth: 0,
  requestInterceptor: (request) => {
    // As it is sent: without the dot segments (RFC 3986, 5.2.4).
    request.url = new URL(request.url, location.href).href;
    return request;
  },
});
