import { applyDecorators } from '@nestjs/common';
import {
  IsInt,
  IsISO4217CurrencyCode,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  Min,
  registerDecorator,
} from 'class-validator';
import { IsName } from '../../http/validation/validators.js';
import { hasCredentials } from '../../kernel/url.js';
import { isCurrencyInUse } from '../domain/currencies.js';
import { MAX_CENTS } from '../domain/money.js';

const MAX_URL_CHARACTERS = 1500;
const NAME_CHARACTERS = 200;
const REFERENCE_CHARACTERS = 255;
const TOKEN_CHARACTERS = 255;
const CURRENCY_MESSAGE = { message: '$property must be a three-letter ISO 4217 code in upper case' };

export function IsCents(min = 0): PropertyDecorator {
  return applyDecorators(IsInt(), Min(min), Max(MAX_CENTS));
}

/** Upper-case ISO 4217. A currency that was replaced since is valid, because past sales have it. */
export function IsCurrency(): PropertyDecorator {
  return applyDecorators(IsCurrencyText(), IsISO4217CurrencyCode(CURRENCY_MESSAGE));
}

/** A currency in which something can be sold: money in use. */
export function IsCurrencyInUse(): PropertyDecorator {
  return (target, property) => {
    IsCurrencyText()(target, property);
    registerDecorator({
      name: 'isCurrencyInUse',
      target: target.constructor,
      propertyName: String(property),
      options: { context: { schema: {} } },
      validator: {
        validate: (value) => typeof value === 'string' && isCurrencyInUse(value),
        defaultMessage: () => `${String(property)} must be a currency of ISO 4217 that is in use as money`,
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
  return applyDecorators(IsOptional(), IsString(), Length(1, REFERENCE_CHARACTERS));
}

/** The token of a payment method at the gateway. */
export function IsMethodToken(): PropertyDecorator {
  return applyDecorators(IsString(), Length(1, TOKEN_CHARACTERS));
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
