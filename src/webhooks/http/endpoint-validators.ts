import { applyDecorators } from '@nestjs/common';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsString, registerDecorator } from 'class-validator';
import { IsDeclared } from '../../http/validation/validators.js';
import { findUrlError, MAX_URL_LENGTH } from '../domain/endpoint-url.js';
import { findEventTypeErrors, listEventTypeIds } from '../event-catalogue.js';

const MAX_EVENT_TYPES = 100;
const URL_SCHEMA = {
  type: 'string',
  format: 'uri',
  maxLength: MAX_URL_LENGTH,
  description:
    'The URL to which the service posts the events. It needs https and a public address, unless the operator allows others.',
  examples: ['https://example.com/hooks'],
};

/** Checks the syntax of a URL. The command checks the address against the rules of the deployment. */
export function IsEndpointUrl(): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name: 'isEndpointUrl',
      target: target.constructor,
      propertyName: String(property),
      options: {
        context: { code: 'url_not_allowed', schema: URL_SCHEMA },
      },
      validator: {
        validate: (value) => findUrlError(value) === null,
        defaultMessage: (asked) => findUrlError(asked!.value)!,
      },
    });
}

/** Checks subscribed event types. An error names the index in the caller's list. */
export function IsEventTypes(): PropertyDecorator {
  return applyDecorators(
    IsArray(),
    ArrayMinSize(1),
    ArrayMaxSize(MAX_EVENT_TYPES),
    IsString({ each: true }),
    AreOpenEventTypes(),
  );
}

/** Accepts any type of the catalogue, also one without subscriptions. */
export function IsEventType(): PropertyDecorator {
  return IsDeclared(listEventTypeIds, { code: 'event_type_unknown', message: 'The event type does not exist.' });
}

function AreOpenEventTypes(): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name: 'areTaken',
      target: target.constructor,
      propertyName: String(property),
      options: { context: { schema: {}, faults: findEventTypeErrors } },
      validator: {
        validate: (value) => !Array.isArray(value) || findEventTypeErrors(value as readonly string[]).length === 0,
        defaultMessage: (asked) => `${asked!.property} accepts only known event types that are open to subscriptions`,
      },
    });
}
