import type { JsonSchema } from '../../kernel/schema.js';

/** The JSON schemas of the rules of class-validator. The rules of this project carry their schema in their context. */
const RULES: Readonly<Record<string, (...constraints: never[]) => JsonSchema>> = {
  isString: () => ({ type: 'string' }),
  isInt: () => ({ type: 'integer' }),
  isNumber: () => ({ type: 'number' }),
  isBoolean: () => ({ type: 'boolean' }),
  isObject: () => ({ type: 'object', additionalProperties: true }),
  isArray: () => ({ type: 'array' }),
  min: (minimum: number) => ({ minimum }),
  max: (maximum: number) => ({ maximum }),
  minLength: (minLength: number) => ({ minLength }),
  maxLength: (maxLength: number) => ({ maxLength }),
  isLength: (minLength: number, maxLength: number) => ({ minLength, maxLength }),
  arrayMinSize: (minItems: number) => ({ minItems }),
  arrayMaxSize: (maxItems: number) => ({ maxItems }),
  arrayUnique: () => ({ uniqueItems: true }),
  isIn: (values: readonly unknown[]) => ({
    ...(values.every((value) => typeof value === 'string') && { type: 'string' }),
    enum: values,
  }),
  matches: ({ source }: RegExp) => ({ type: 'string', pattern: source }),
  isEmail: () => ({ type: 'string', format: 'email' }),
  isUrl: () => ({ type: 'string', format: 'uri' }),
  // A date or a date with a time. Two formats of one text would be a union to generators of clients.
  isISO8601: () => ({ type: 'string' }),
  isISO4217CurrencyCode: () => ({}),
};

export function schemaForRule(name: string, constraints: readonly unknown[] = []): JsonSchema | null {
  return Object.hasOwn(RULES, name) ? RULES[name]!(...(constraints as never[])) : null;
}
