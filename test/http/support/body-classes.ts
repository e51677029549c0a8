import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type BodyClass, fieldsFor } from '../../../src/http/validation/body-fields.js';

const SRC = join(import.meta.dirname, '../../../src');

/** Finds every class in src of a body, a part of a body, or a query. */
export async function findBodyClasses(): Promise<BodyClass[]> {
  const files = (await readdir(SRC, { recursive: true })).filter((file) => file.endsWith('.controller.ts'));
  const modules = await Promise.all(files.map((file) => import(join(SRC, file)) as Promise<object>));
  const found = new Set(modules.flatMap((module) => Object.values(module)).flatMap(findArguments));
  // The iteration also visits the classes that it adds to the set.
  for (const type of found) for (const { type: part } of fieldsFor(type).values()) if (part !== null) found.add(part);
  return [...found].filter((type) => fieldsFor(type).size > 0);
}

/** Returns the classes of the arguments of the controller's methods. */
function findArguments(controller: unknown): BodyClass[] {
  if (typeof controller !== 'function') return [];
  const prototype = controller.prototype as object;
  const methods = Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor');
  return methods.flatMap((name) => (Reflect.getMetadata('design:paramtypes', prototype, name) ?? []) as BodyClass[]);
}
