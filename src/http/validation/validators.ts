import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsString, IsUrl, Length, Matches, MaxLength, ValidateIf } from 'class-validator';

const MAX_ID_CHARACTERS = 128;

const MAX_URL_CHARACTERS = 2048;

/** Makes a field optional. Null is invalid. */
export function OptionalNotNull(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined);
}

/** Trims a string. Other values are left for the other rules to reject. */
export function Trimmed(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));
}

/** Validates a trimmed string that is not blank. */
export function IsName(maxCharacters: number): PropertyDecorator {
  const notBlank = Matches(/\S/, { message: '$property must not be blank' });
  return applyDecorators(Trimmed(), IsString(), Length(1, maxCharacters), notBlank);
}

export function IsHttpsUrl(): PropertyDecorator {
  return applyDecorators(
    IsString(),
    MaxLength(MAX_URL_CHARACTERS),
    IsUrl({ protocols: ['https'], require_protocol: true }),
  );
}

/** The id of a resource. Its form is not checked: a malformed id is handled as an unknown id. */
export function IsId(): PropertyDecorator {
  return applyDecorators(IsString(), Length(1, MAX_ID_CHARACTERS));
}
