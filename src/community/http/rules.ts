import { ValidateBy } from 'class-validator';

/** For values of the caller's own making: so many bytes of JSON at most. */
export function MaxJsonBytes(bytes: number): PropertyDecorator {
  const validate = (value: unknown) => value === undefined || bytesOf(value) <= bytes;
  const defaultMessage = () => `$property may have ${bytes} bytes of JSON`;
  return ValidateBy(
    { name: 'maxJsonBytes', validator: { validate, defaultMessage } },
    { context: { code: 'too_large', schema: { type: 'object', additionalProperties: true } } },
  );
}

export function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
