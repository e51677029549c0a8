import { ValidateBy } from 'class-validator';
import { hasHidden } from '../../kernel/text.js';

/** Parsers of receivers refuse this key, or take it for a prototype. */
const PROTOTYPE_KEY = '__proto__';
/** The end of the message about a free-form value with a forbidden key. */
export const NO_FORBIDDEN_KEY = `must not have the key ${PROTOTYPE_KEY}, nor a key with control or invisible characters`;

/** Whether a free-form value has a forbidden key, at any level. (Contract, conventions: Numbers.) */
export function hasForbiddenKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const isForbidden =
    !Array.isArray(value) && Object.keys(value).some((key) => key === PROTOTYPE_KEY || hasHidden(key));
  return isForbidden || Object.values(value).some(hasForbiddenKey);
}

export function WithoutForbiddenKey(): PropertyDecorator {
  const validate = (value: unknown) => !hasForbiddenKey(value);
  const defaultMessage = () => `$property ${NO_FORBIDDEN_KEY}`;
  return ValidateBy(
    { name: 'withoutForbiddenKey', validator: { validate, defaultMessage } },
    { context: { schema: {} } },
  );
}
