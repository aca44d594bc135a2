import {
  type Database,
  ForeignKeyViolation,
  forgetResponses,
  Problem,
  type Transaction,
} from "atpoint-server";
import type { ProblemCode, Product, Types } from "./generated/contract.ts";

type Filter = Types["product.list"]["input"];
type Change = Types["product.update"]["input"];

interface ProductRow {
  id: string;
  category_id: string;
  name: string;
  version: string | null;
  price: number;
}

const MOST_BYTES = 32_768;

const problem = (code: ProblemCode) => new Problem<ProblemCode>(code);

/** Free JSON is stored as its text. */
const textOf = (value: unknown) => (value === undefined ? null : JSON.stringify(value));

function rowOf({ categoryId, maker, attributes, origin, ...columns }: Product) {
  const json = { maker: textOf(maker), attributes: textOf(attributes), origin: textOf(origin) };
  const row = { version: null, ...columns, category_id: categoryId, ...json };
  if (Buffer.byteLength(JSON.stringify(row)) > MOST_BYTES) throw problem("too-large");
  return row;
}

/** Without the members that are null: those have no value. */
const withoutNull = (members: object) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));

export type Products = ReturnType<typeof openProducts>;

export function openProducts({ pageReader, jsonSql }: Database) {
  const products = pageReader<Product, ProductRow>("products", {
    id: "id",
    categoryId: "category_id",
    name: "name",
    version: "version",
    price: "price",
    maker: jsonSql("maker"),
    attributes: jsonSql("attributes"),
    origin: jsonSql("origin"),
  });

  async function get(id: string, tx?: Transaction): Promise<Product> {
    const product = await products.find(id, tx);
    if (!product) throw problem("product-not-found");
    return product;
  }

  return {
    get,

    list: ({ text, categoryId, versions, maxPrice }: Filter) =>
      products.with({
        where: {
          name: { contains: text },
          category_id: { equal: categoryId },
          version: { oneOf: versions },
          price: { atMost: maxPrice },
        },
        orderBy: ["price"],
      }),

    async create(product: Product, tx: Transaction): Promise<Product> {
      const row = rowOf(product);
      await tx
        .write((knex) => knex("products").insert(row))
        .catch((error: unknown) => {
          throw error instanceof ForeignKeyViolation ? problem("category-not-found") : error;
        });
      return get(product.id, tx);
    },

    update: (change: Change, tx: Transaction): Promise<Product> =>
      tx.transaction(async (tx) => {
        const { id } = change;
        // Nobody else changes it until the transaction ends.
        await tx.write((knex) => knex("products").where({ id }).update({ id }));
        const product = { ...(await get(id, tx)), ...change };
        const row = rowOf(withoutNull(product) as Product);
        await tx.write((knex) => knex("products").where({ id }).update(row));
        return get(id, tx);
      }),

    remove: (id: string, tx: Transaction): Promise<{ id: string }> =>
      tx.transaction(async ({ write }) => {
        const count = await write((knex) => knex("products").where({ id }).delete());
        if (count === 0) throw problem("product-not-found");
        await write(forgetResponses([id]));
        return { id };
      }),
  };
}
