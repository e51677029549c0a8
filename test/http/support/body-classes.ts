import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fieldsOf, type BodyClass } from '../../../src/http/body-fields.js';

const SRC = join(import.meta.dirname, '../../../src');

/** Every class of src that describes a body, a part of one, or a query. The validator's own list has those of other specs too. */
export async function bodyClasses(): Promise<BodyClass[]> {
  const files = (await readdir(SRC, { recursive: true })).filter((file) => file.endsWith('.controller.ts'));
  const modules = await Promise.all(files.map((file) => import(join(SRC, file)) as Promise<object>));
  const found = new Set(modules.flatMap((module) => Object.values(module)).flatMap(argumentsOf));
  // A set that grows while it is walked is walked to its end.
  for (const type of found) for (const { type: part } of fieldsOf(type).values()) if (part !== null) found.add(part);
  return [...found].filter((type) => fieldsOf(type).size > 0);
}

/** The classes of what the methods of a controller take. */
function argumentsOf(controller: unknown): BodyClass[] {
  if (typeof controller !== 'function') return [];
  const prototype = controller.prototype as object;
  const methods = Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor');
  return methods.flatMap((name) => (Reflect.getMetadata('design:paramtypes', prototype, name) ?? []) as BodyClass[]);
}
