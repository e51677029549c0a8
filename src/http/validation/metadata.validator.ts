import { registerDecorator } from 'class-validator';
import { hasForbiddenKey, NO_FORBIDDEN_KEY } from './forbidden-key.js';
import { isJsonObject } from './json-body.js';

const MAX_BYTES = 16 * 1024;
const MAX_DEPTH = 5;
const MAX_KEYS = 50;
const MAX_KEY_CHARACTERS = 40;

/** Validates a free-form object: at most 16 KiB, 5 levels, and 50 keys of 1 to 40 characters. */
export function IsMetadata(): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name: 'isMetadata',
      target: target.constructor,
      propertyName: String(property),
      options: {
        context: {
          schema: {
            type: 'object',
            description: 'Values of your own, which are stored with the object and returned unchanged.',
            maxProperties: MAX_KEYS,
            propertyNames: { minLength: 1, maxLength: MAX_KEY_CHARACTERS },
            additionalProperties: true,
          },
        },
      },
      validator: {
        validate: (value) => isJsonObject(value) && describeViolation(value) === null,
        defaultMessage: (fault) =>
          `${fault!.property} ${isJsonObject(fault!.value) ? describeViolation(fault!.value) : 'must be an object'}`,
      },
    });
}

function describeViolation(metadata: Record<string, unknown>): string | null {
  if (Object.keys(metadata).length > MAX_KEYS) return `must have at most ${MAX_KEYS} keys`;
  if (hasForbiddenKey(metadata)) return NO_FORBIDDEN_KEY;
  if (!hasValidKeys(metadata)) return `must have keys of 1 to ${MAX_KEY_CHARACTERS} characters`;
  if (measureDepth(metadata) > MAX_DEPTH) return `must not be deeper than ${MAX_DEPTH}`;
  return Buffer.byteLength(JSON.stringify(metadata)) > MAX_BYTES ? `must not be larger than ${MAX_BYTES} bytes` : null;
}

function hasValidKeys(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  const keys = Array.isArray(value) ? [] : Object.keys(value);
  return (
    keys.every((key) => key !== '' && [...key].length <= MAX_KEY_CHARACTERS) && Object.values(value).every(hasValidKeys)
  );
}

function measureDepth(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(measureDepth));
}
