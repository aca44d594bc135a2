import { type Database, Problem, type Transaction, UniqueViolation } from "atpoint-server";
import type { Category, ProblemCode } from "./generated/contract.ts";

export type Categories = ReturnType<typeof openCategories>;

export function openCategories({ pageReader }: Database) {
  const categories = pageReader<Category>("categories", { id: "id", name: "name" });
  return {
    list: categories.with({ orderBy: ["name"] }),

    async create(category: Category, tx: Transaction): Promise<Category> {
      const row = { ...category, name_key: category.name.toLowerCase() };
      await tx
        .write((knex) => knex("categories").insert(row))
        .catch((error: unknown) => {
          throw error instanceof UniqueViolation
            ? new Problem<ProblemCode>("category-taken")
            : error;
        });
      return category;
    },
  };
}
