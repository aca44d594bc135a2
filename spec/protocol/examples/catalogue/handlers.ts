import {
  documentHandlers,
  type Handlers,
  newId,
  pageOf,
  type ServerServices,
} from "atpoint-server";
import type { Categories } from "./categories.ts";
import type { Types } from "./generated/contract.ts";
import type { Products } from "./products.ts";

interface Services extends ServerServices {
  readonly categories: Categories;
  readonly products: Products;
}

export const handlers: Handlers<Types, Services> = {
  "category.list": (input, { services, deadline }) =>
    pageOf("category.list", input, services.categories.list, deadline),

  "category.create": (input, { services, once }) => {
    const category = { id: newId(), ...input };
    return once({ record: category.id }, (tx) => services.categories.create(category, tx));
  },

  "product.list": (input, { services, deadline }) =>
    pageOf("product.list", input, services.products.list(input), deadline),

  "product.get": ({ id }, { services }) => services.products.get(id),

  "product.create": (input, { services, once }) => {
    const product = { id: newId(), ...input };
    return once({ record: product.id }, (tx) => services.products.create(product, tx));
  },

  "product.update": (input, { services, once }) =>
    once({ record: input.id }, (tx) => services.products.update(input, tx)),

  "product.delete": ({ id }, { services, once }) =>
    once({ record: id }, (tx) => services.products.remove(id, tx)),

  ...documentHandlers,
};
