import { ValidateBy } from 'class-validator';

/** Limits a free-form value to this number of bytes of JSON. */
export function MaxJsonBytes(bytes: number): PropertyDecorator {
  const validate = (value: unknown) => value === undefined || countJsonBytes(value) <= bytes;
  const defaultMessage = () => `$property must have at most ${bytes} bytes of JSON`;
  return ValidateBy(
    { name: 'maxJsonBytes', validator: { validate, defaultMessage } },
    { context: { code: 'too_large', schema: { type: 'object', additionalProperties: true } } },
  );
}

export function countJsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
