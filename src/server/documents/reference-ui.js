// Runs in the browser, on the reference page: Swagger UI for the document by operation. The key stays in its memory.
/* global SwaggerUIBundle */
const domNode = document.getElementById("reference");
const spec = await (await fetch("openapi.operations.json")).json();
// Requests go to the deployment that served the page, whatever addresses it publishes.
if (domNode.dataset.calls === "here")
  spec.servers = [{ url: new URL(".", location.href).href.replace(/\/$/, "") }];
// Key and platform once each, as headers: here nothing is gained by putting them in the query.
const { securitySchemes } = spec.components;
for (const [id, scheme] of Object.entries(securitySchemes))
  if (scheme.in !== "header") delete securitySchemes[id];
for (const operation of Object.values(spec.paths).flatMap(Object.values))
  operation.security = operation.security?.filter((needed) =>
    Object.keys(needed).every((id) => id in securitySchemes),
  );

// Swagger UI has a style for the dark, which a class of the page selects.
const dark = matchMedia("(prefers-color-scheme: dark)");
const paint = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", paint);
paint();

/** Names what Swagger UI leaves without a name, out of order, or unreachable by keyboard; React does not touch what it has not set. */
const mend = () => {
  const each = (selector, change) => domNode.querySelectorAll(selector).forEach(change);
  const name = (selector, label) =>
    each(`${selector}:not([aria-label])`, (element) => {
      element.ariaLabel = typeof label === "string" ? label : label(element);
    });
  name("#servers", "Server");
  name(
    ":is(select, textarea)",
    (field) => field.closest("[data-param-name]")?.dataset.paramName ?? "Body",
  );
  name(".responses-table", ({ id }) => `Responses of ${id}`);
  name(".close-modal", "Close");
  // "Apply credentials" on a button that reads "Authorize".
  each(".modal-btn[aria-label]", (button) => button.removeAttribute("aria-label"));
  each("pre.microlight", (code) => {
    code.tabIndex = 0;
  });
  each(":is(h3, h4, h5):not([aria-level])", (heading) => {
    heading.ariaLevel = String(Number(heading.localName[1]) - 1);
  });
  name(".information-container", "About");
  name(".scheme-container", "Server and credentials");
  each(":is(.information-container, .scheme-container)", (part) => {
    part.role = "region";
  });
};
new MutationObserver(mend).observe(domNode, { childList: true, subtree: true });
// It has its own landmark.
domNode.closest("main").replaceWith(domNode);

SwaggerUIBundle({
  spec,
  domNode,
  deepLinking: true,
  tryItOutEnabled: true,
  persistAuthorization: false,
  validatorUrl: null,
  syntaxHighlight: false,
  defaultModelsExpandDepth: 0,
  // Nothing that can be pressed is in the button that opens an operation: it could not be reached by keyboard.
  plugins: [{ components: { authorizeOperationBtn: () => null, DeepLink: ({ text }) => text } }],
  requestInterceptor: (request) => {
    // As it is sent: without the dot segments (RFC 3986, 5.2.4).
    request.url = new URL(request.url, location.href).href;
    return request;
  },
});
