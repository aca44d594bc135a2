import type { Defect } from "./defect.ts";

/** Nine of them are about records. */
export const defects: readonly Defect[] = [
  {
    what: "a text is found only where a name begins",
    file: "products.ts",
    text: "{ contains: text }",
    by: "{ startsWith: text }",
    requirement: "effects/filter",
  },
  {
    what: "categories have one name in two cases",
    file: "categories.ts",
    text: "category.name.toLowerCase()",
    by: "category.name",
    requirement: "effects/unique",
  },
  {
    what: "a product that is not there is deleted",
    file: "products.ts",
    text: 'if (count === 0) throw problem("product-not-found");',
    by: "void count;",
    requirement: "effects/deleted",
  },
  {
    what: "products are in the order of their names",
    file: "products.ts",
    text: 'orderBy: ["price"]',
    by: 'orderBy: ["name"]',
    requirement: "effects/order",
  },
  {
    what: "null in free JSON is lost",
    file: "products.ts",
    text: "JSON.stringify(value));",
    by: "JSON.stringify(value, (_, one) => one ?? undefined));",
    requirement: "effects/created",
  },
  {
    what: "attributes that are sent are added to those that are stored",
    file: "products.ts",
    text: "const product = { ...(await get(id, tx)), ...change };",
    by: `const stored = await get(id, tx);
        const product = { ...stored, ...change };
        if (change.attributes)
          product.attributes = { ...stored.attributes, ...change.attributes };`,
    requirement: "effects/updated",
  },
  {
    what: "null leaves a member as it is",
    file: "products.ts",
    text: "...change };",
    by: "...withoutNull(change) };",
    requirement: "effects/updated",
  },
  {
    what: "a product has another id when it is read",
    file: "handlers.ts",
    text: "services.products.get(id),",
    by: "services.products.get(id).then((product) => ({ ...product, id: newId() })),",
    requirement: "effects/read",
  },
  {
    what: "a product may be in no category",
    file: "migrations.ts",
    text: '.references("categories.id")',
    by: "",
    requirement: "effects/requires",
  },
  {
    what: "a price is a text",
    file: "products.ts",
    text: 'price: "price",',
    by: "price: \"price || ''\",",
    requirement: "answers/schema",
  },
];
