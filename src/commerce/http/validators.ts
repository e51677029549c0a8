import { applyDecorators } from '@nestjs/common';
import { IsInt, IsOptional, IsString, Matches, Max, Min, registerDecorator } from 'class-validator';
import { IsIdentifier, IsName } from '../../http/validation/validators.js';
import { hasCredentials } from '../../kernel/url.js';
import { isCurrency, isCurrencyInUse } from '../domain/currencies.js';
import { MAX_CENTS } from '../domain/money.js';

const MAX_URL_CHARACTERS = 1500;
const NAME_CHARACTERS = 200;
const REFERENCE_CHARACTERS = 255;
const TOKEN_CHARACTERS = 255;
const CURRENCY_MESSAGE = { message: '$property must be a three-letter ISO 4217 code in upper case' };

export function IsCents(min = 0): PropertyDecorator {
  return applyDecorators(IsInt(), Min(min), Max(MAX_CENTS));
}

/** The currency of money that exists already, as of a past sale: in use, or replaced since. */
export function IsCurrency(): PropertyDecorator {
  return IsCurrencyOf(isCurrency, 'a currency of ISO 4217');
}

/** A currency in which something can be sold: money in use. */
export function IsCurrencyInUse(): PropertyDecorator {
  return IsCurrencyOf(isCurrencyInUse, 'a currency of ISO 4217 that is in use as money');
}

function IsCurrencyOf(isKnown: (code: string) => boolean, what: string): PropertyDecorator {
  return (target, property) => {
    IsCurrencyText()(target, property);
    registerDecorator({
      name: 'isCurrency',
      target: target.constructor,
      propertyName: String(property),
      options: { context: { schema: {} } },
      validator: {
        validate: (value) => typeof value === 'string' && isKnown(value),
        defaultMessage: () => `${String(property)} must be ${what}`,
      },
    });
  };
}

function IsCurrencyText(): PropertyDecorator {
  return applyDecorators(IsString(), Matches(/^[A-Z]{3}$/, CURRENCY_MESSAGE));
}

export function IsDisplayName(): PropertyDecorator {
  return IsName(NAME_CHARACTERS);
}

/** Null clears the field. */
export function IsExternalReference(): PropertyDecorator {
  return applyDecorators(IsOptional(), IsIdentifier(REFERENCE_CHARACTERS));
}

/** The token of a payment method at the gateway. */
export function IsMethodToken(): PropertyDecorator {
  return IsIdentifier(TOKEN_CHARACTERS);
}

/**
 * https, without control characters or a password, and at most 1,500 characters, also after normalization, because the thank-you URL
 * has its own limit.
 */
export function IsRedirectUrl(): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name: 'isRedirectUrl',
      target: target.constructor,
      propertyName: String(property),
      options: { context: { schema: { type: 'string', format: 'uri', maxLength: MAX_URL_CHARACTERS } } },
      validator: {
        validate: (value) => typeof value === 'string' && isRedirectUrl(value),
        defaultMessage: () =>
          `redirect_url must be an https URL of at most ${MAX_URL_CHARACTERS} characters, without control characters and without a user name or a password`,
      },
    });
}

function isRedirectUrl(text: string): boolean {
  if (text.length > MAX_URL_CHARACTERS || /\p{Cc}/u.test(text) || !URL.canParse(text) || hasCredentials(text))
    return false;
  const { protocol, href } = new URL(text);
  return protocol === 'https:' && href.length <= MAX_URL_CHARACTERS;
}
