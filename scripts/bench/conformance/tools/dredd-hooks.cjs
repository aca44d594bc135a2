// Read by dredd: puts a transaction for each probe in the place of those of the document.
const { readFileSync } = require("node:fs");
const hooks = require("hooks");

const wanted = JSON.parse(readFileSync("transactions.json", "utf8"));

hooks.beforeAll((transactions) => {
  const documented = transactions.splice(0);
  for (const { name, like, fullPath, request, expected } of wanted) {
    const [path, method, status] = like;
    const template = documented.find(
      ({ origin, ...one }) =>
        origin.resourceName === path &&
        one.request.method === method.toUpperCase() &&
        one.expected.statusCode === status,
    );
    if (!template) throw new Error(`no transaction like ${like.join(" ")}`);
    const headers = { ...template.request.headers, ...request.headers };
    transactions.push({
      ...template,
      id: name,
      name,
      fullPath,
      request: { ...template.request, ...request, headers },
      expected,
      skip: false,
    });
  }
});
