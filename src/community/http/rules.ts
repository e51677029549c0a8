import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsString, IsUrl, MaxLength, ValidateBy } from 'class-validator';

const MAX_URL_CHARACTERS = 2048;

/** The text without the space around it; what is no text is left for the other rules to refuse. */
export function Trimmed(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));
}

export function IsHttpsUrl(): PropertyDecorator {
  return applyDecorators(IsString(), MaxLength(MAX_URL_CHARACTERS), IsUrl({ protocols: ['https'], require_protocol: true }));
}

/** For values of the caller's own making: so many bytes of JSON at most. */
export function MaxJsonBytes(bytes: number): PropertyDecorator {
  const validate = (value: unknown) => value === undefined || bytesOf(value) <= bytes;
  const defaultMessage = () => `$property may have ${bytes} bytes of JSON`;
  return ValidateBy({ name: 'maxJsonBytes', validator: { validate, defaultMessage } }, { context: { code: 'too_large' } });
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
