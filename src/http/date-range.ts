import { registerDecorator } from 'class-validator';
import type { Rejection } from '../kernel/rejection.js';
import { refusedParameters } from './validation.js';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;
const YEAR = /^\d{4}-/;
const LAST_OF_THE_DAY = 'T23:59:59.999Z';

/** One end of a date filter: an ISO 8601 date or date-time. @param about what the document says of it */
export function IsDateOrTime(about: { readonly description?: string } = {}): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name: 'isDateOrTime',
      target: target.constructor,
      propertyName: String(property),
      options: { context: { schema: { ...about, type: 'string', anyOf: [{ format: 'date' }, { format: 'date-time' }] } } },
      validator: {
        validate: (value) => typeof value === 'string' && isDateOrTime(value),
        defaultMessage: () => '$property must be an ISO 8601 date or time',
      },
    });
}

/** Both ends inclusive, null where nothing is filtered. A bare date as the upper end means the end of that day. @throws Rejection 400 */
export function rangeOf(from: string | undefined, to: string | undefined, names: readonly [string, string]) {
  if (from === undefined && to === undefined) return null;
  const range = {
    ...(from !== undefined && { from: new Date(from).toISOString() }),
    ...(to !== undefined && { to: new Date(endOf(to)).toISOString() }),
  };
  if (range.from !== undefined && range.to !== undefined && range.from > range.to) throw reversed(names);
  return range;
}

function reversed([lower, upper]: readonly [string, string]): Rejection {
  return refusedParameters([
    [lower, `${lower} is later than ${upper}.`],
    [upper, `${upper} is earlier than ${lower}.`],
  ]);
}

/** As the upper end of a range, a bare date is the last moment of its day in UTC. */
export function endOf(to: string): string {
  return DATE.test(to) ? to + LAST_OF_THE_DAY : to;
}

function isDateOrTime(text: string): boolean {
  const date = DATE.test(text) ? text : DATE_TIME.exec(text)?.[1];
  return date !== undefined && isInCalendar(date) && YEAR.test(inUtc(text));
}

/** In UTC the end of the year 9999 may lie in the next one, which would sort before all others. */
function inUtc(text: string): string {
  const at = Date.parse(text);
  return Number.isNaN(at) ? '' : new Date(at).toISOString();
}

/** Date.parse takes 30 February for 2 March. */
function isInCalendar(date: string): boolean {
  const at = Date.parse(`${date}T00:00:00.000Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date);
}
