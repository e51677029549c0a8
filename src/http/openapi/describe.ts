import type { JsonSchema } from '../../kernel/schema.js';

const DESCRIPTION = 'openapi:description';

/**
 * Describes a field of a body or a query for the OpenAPI document, beside its declaration.
 *
 * @param description one sentence; it says the unit, and what null means
 * @param value an example, where the rules of the field do not make a good one
 */
export const Describe = (description: string, value?: unknown): PropertyDecorator =>
  Reflect.metadata(DESCRIPTION, { description, ...(value !== undefined && { examples: [value] }) });

/** Returns the description and the example of a field; nothing for a field without `@Describe`. */
export function readDescription(type: new () => object, name: string): JsonSchema {
  return (Reflect.getMetadata(DESCRIPTION, type.prototype as object, name) as JsonSchema | undefined) ?? {};
}
