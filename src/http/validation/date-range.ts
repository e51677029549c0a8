import { applyDecorators } from '@nestjs/common';
import { Matches, registerDecorator } from 'class-validator';
import type { Rejection } from '../../kernel/rejection.js';
import { createParameterRejection } from './validation.js';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;
const YEAR = /^\d{4}-/;
const TIME_OF_DAY = /T/;
const END_OF_DAY = 'T23:59:59.999Z';

/** Validates one end of a date filter: an ISO 8601 date or date-time. */
export function IsDateOrTime(): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name: 'isDateOrTime',
      target: target.constructor,
      propertyName: String(property),
      options: {
        // Two formats of one text would be a union to generators of clients.
        context: { schema: { type: 'string' } },
      },
      validator: {
        validate: (value) => typeof value === 'string' && isDateOrTime(value),
        defaultMessage: (details) =>
          lacksOffset(details?.value)
            ? '$property must end with an offset from UTC, such as Z or +01:00'
            : '$property must be an ISO 8601 date or time',
      },
    });
}

/** Validates an ISO 8601 date-time: a date without a time would be ambiguous. */
export function IsTime(): PropertyDecorator {
  const missing = { message: '$property must include a time of day', context: { code: 'invalid_time' } };
  return applyDecorators(IsDateOrTime(), Matches(TIME_OF_DAY, missing));
}

/**
 * Returns the inclusive range, or null without a filter. A date without a time as the upper end includes that day.
 * @throws Rejection 400
 */
export function parseDateRange(from: string | undefined, to: string | undefined, names: readonly [string, string]) {
  if (from === undefined && to === undefined) return null;
  const range = {
    ...(from !== undefined && { from: new Date(from).toISOString() }),
    ...(to !== undefined && { to: new Date(toEndOfDay(to)).toISOString() }),
  };
  if (range.from !== undefined && range.to !== undefined && range.from > range.to) throw createRangeRejection(names);
  return range;
}

function createRangeRejection([lower, upper]: readonly [string, string]): Rejection {
  return createParameterRejection([
    [lower, `${lower} is later than ${upper}.`],
    [upper, `${upper} is earlier than ${lower}.`],
  ]);
}

/** Returns the last moment of the day in UTC for a date without a time; other values are returned unchanged. */
export function toEndOfDay(to: string): string {
  return DATE.test(to) ? to + END_OF_DAY : to;
}

/** Whether the text would be a time with an offset from UTC, without which it is no certain time. */
function lacksOffset(text: unknown): boolean {
  return typeof text === 'string' && text.includes('T') && !isDateOrTime(text) && isDateOrTime(`${text}Z`);
}

export function isDateOrTime(text: string): boolean {
  const date = DATE.test(text) ? text : DATE_TIME.exec(text)?.[1];
  return date !== undefined && isCalendarDate(date) && YEAR.test(toUtc(text));
}

/** In UTC the end of the year 9999 may be in the year 10000, whose text sorts before all others. */
function toUtc(text: string): string {
  const at = Date.parse(text);
  return Number.isNaN(at) ? '' : new Date(at).toISOString();
}

/** Date.parse accepts 30 February as 2 March. */
function isCalendarDate(date: string): boolean {
  const at = Date.parse(`${date}T00:00:00.000Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date);
}
