import { ValidateBy } from 'class-validator';

/** Parsers of receivers refuse this key, or take it for a prototype. */
export const FORBIDDEN_KEY = '__proto__';

/** Whether a free-form value has the forbidden key, at any level. (Contract, conventions: Numbers.) */
export function hasForbiddenKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, FORBIDDEN_KEY) || Object.values(value).some(hasForbiddenKey);
}

export function WithoutForbiddenKey(): PropertyDecorator {
  const validate = (value: unknown) => !hasForbiddenKey(value);
  const defaultMessage = () => `$property must not have the key ${FORBIDDEN_KEY}`;
  return ValidateBy(
    { name: 'withoutForbiddenKey', validator: { validate, defaultMessage } },
    { context: { schema: {} } },
  );
}
