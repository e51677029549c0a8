import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  buildMessage,
  IsArray,
  IsString,
  IsUrl,
  Length,
  MaxLength,
  ValidateBy,
  ValidateIf,
} from 'class-validator';
import { hasDisplayControl, hasHidden, hasInvisible, isBlank, MAX_EMAIL_CHARACTERS } from '../../kernel/text.js';
import { hasCredentials } from '../../kernel/url.js';
import { isEmailAddress } from '../../mail/email-address.js';

const MAX_ID_CHARACTERS = 128;

const MAX_URL_CHARACTERS = 2048;

/** Patterns for JSON schemas. The rules also know the characters that not every language can name in a pattern. */
const VISIBLE = String.raw`\S`;
const NO_CONTROL = String.raw`^[^\x00-\x1f\x7f-\x9f]*$`;
const ONE_LINE = String.raw`^[^\x00-\x1f\x7f]*[^\x00-\x20\x7f][^\x00-\x1f\x7f]*$`;

/** Makes a field optional. Null is invalid. */
export function OptionalNotNull(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined);
}

/** Trims a string. Other values are left for the other rules to reject. */
export function Trimmed(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));
}

/** Refuses a text of which a reader sees nothing. The rule of the length refuses an empty one. @param code of the error */
export function NotBlank(code = 'invalid_format'): PropertyDecorator {
  return RefuseText('notBlank', (text) => text !== '' && isBlank(text), {
    message: '$property must not be blank',
    context: { code, schema: { pattern: VISIBLE } },
  });
}

/** Refuses characters that change how other text is shown, such as ESC or a right-to-left override. */
function WithoutDisplayControl(): PropertyDecorator {
  return RefuseText('withoutDisplayControl', hasDisplayControl, {
    message: '$property must not contain control characters or text direction overrides',
    context: { code: 'invalid_format', schema: { pattern: ONE_LINE } },
  });
}

/** Refuses the texts for which the function returns true. Other values are left for the other rules to reject. */
function RefuseText(
  name: string,
  isRefused: (text: string) => boolean,
  { message, context }: { readonly message: string; readonly context: object },
): PropertyDecorator {
  const validate = (value: unknown) => typeof value !== 'string' || !isRefused(value);
  return ValidateBy({ name, validator: { validate, defaultMessage: () => message } }, { context });
}

/** Refuses characters that nobody sees, in a text that is compared or used as a key. */
export function WithoutHidden(): PropertyDecorator {
  return RefuseText('withoutHidden', (text) => hasHidden(text.trim()), {
    message: '$property must not contain control characters or invisible characters',
    context: { code: 'invalid_format', schema: { pattern: NO_CONTROL } },
  });
}

/** Validates a text that is compared or used as a key: a code, or a reference of the caller. Free text has `IsText`. */
export function IsIdentifier(maxCharacters: number, minCharacters = 1): PropertyDecorator {
  return applyDecorators(IsString(), Length(minCharacters, maxCharacters), WithoutHidden());
}

/** Validates a trimmed text, possibly of several lines, that is not blank. */
export function IsText(maxCharacters: number): PropertyDecorator {
  return applyDecorators(Trimmed(), IsString(), Length(1, maxCharacters), NotBlank());
}

/** Validates a name or a title: a trimmed text of one line. */
export function IsName(maxCharacters: number): PropertyDecorator {
  return applyDecorators(IsText(maxCharacters), WithoutDisplayControl());
}

/** Validates what a member has written. It is kept as it was sent. */
export function IsContent(maxCharacters: number): PropertyDecorator {
  return applyDecorators(IsString(), Length(1, maxCharacters), NotBlank('content_required'));
}

/** Validates a trimmed e-mail address in which every character is visible. */
export function IsEmailAddress(): PropertyDecorator {
  return applyDecorators(Trimmed(), IsString(), MaxLength(MAX_EMAIL_CHARACTERS), IsVisibleEmail());
}

/** Validates a list of addresses like those of `IsEmailAddress`. It is not changed: who stores them trims them. */
export function IsEmailAddresses(maxAddresses: number): PropertyDecorator {
  const each = { each: true };
  const elements = [IsString(each), MaxLength(MAX_EMAIL_CHARACTERS, each), IsVisibleEmail(each)];
  return applyDecorators(IsArray(), ArrayMaxSize(maxAddresses), ...elements);
}

function IsVisibleEmail(options: { readonly each?: boolean } = {}): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isEmail',
      validator: {
        validate: (text: unknown) => isEmailAddress(typeof text === 'string' ? text.trim() : text),
        defaultMessage: buildMessage(
          (prefix) => `${prefix}$property must be an e-mail address without invisible characters`,
          options,
        ),
      },
    },
    { ...options, context: { schema: { type: 'string', format: 'email' } } },
  );
}

/**
 * Like `IsIn`, for the values that the areas declare: they are complete when the service starts.
 * @param options `code`: the problem code of another value
 */
export function IsDeclared(
  list: () => readonly string[],
  { code, ...options }: { readonly each?: boolean; readonly code?: string; readonly message?: string } = {},
): PropertyDecorator {
  const context = {
    code,
    get schema() {
      return { type: 'string', enum: list() };
    },
  };
  const text = (prefix: string) => `${prefix}$property must be one of the following values: ${list().join(', ')}`;
  return ValidateBy(
    {
      name: 'isIn',
      validator: { validate: (value) => list().includes(value as string), defaultMessage: buildMessage(text, options) },
    },
    { ...options, context },
  );
}

/** https, without a password, and with visible characters alone. */
export function IsHttpsUrl(): PropertyDecorator {
  return applyDecorators(
    IsString(),
    MaxLength(MAX_URL_CHARACTERS),
    IsUrl({ protocols: ['https'], require_protocol: true }, { message: '$property must be an https URL' }),
    RefuseText('isVisibleUrl', hasInvisible, {
      message: '$property must not contain white space, control characters or invisible characters',
      context: { code: 'invalid_format', schema: { pattern: NO_CONTROL } },
    }),
    RefuseText('isUrlWithoutCredentials', hasCredentials, {
      message: '$property must not contain a user name or a password',
      context: { code: 'invalid_url', schema: {} },
    }),
  );
}

/** The id of a resource. Its form is not checked: a malformed id is handled as an unknown id. */
export function IsId(): PropertyDecorator {
  return applyDecorators(IsString(), Length(1, MAX_ID_CHARACTERS));
}
