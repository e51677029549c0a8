import { Rejection, type RejectionCode } from '../../kernel/rejection.js';
import type { GivenValues } from './route.js';

/** Returns the value, or undefined for an invalid text. */
type Parse<T> = (text: string) => T | undefined;
/* eslint-disable-next-line @typescript-eslint/no-explicit-any -- parsers of different types side by side */
type Parsers = Readonly<Record<string, Parse<any>>>;
type Parsed<P extends Parsers> = { readonly [K in keyof P]?: P[K] extends Parse<infer T> ? T : never };

/** The problem codes of an unknown name and of an invalid value. */
interface Codes {
  readonly unknown: RejectionCode;
  readonly invalid: RejectionCode;
}

/** Reads the named values of a query. A missing value stays missing. @throws Rejection for an unknown or invalid one */
export function readQuery<P extends Parsers>(given: GivenValues, parsers: P): Parsed<P> {
  return readInput(given, parsers, { unknown: 'invalid_parameter', invalid: 'invalid_parameter' });
}

/** The same for a JSON body. */
export function readBody<P extends Parsers>(given: GivenValues, parsers: P): Parsed<P> {
  return readInput(given, parsers, { unknown: 'unknown_parameter', invalid: 'validation_failed' });
}

function readInput<P extends Parsers>(given: GivenValues, parsers: P, codes: Codes): Parsed<P> {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(parsers, name));
  if (unknown !== undefined) throw new Rejection(codes.unknown, `${unknown} is not a known parameter.`, unknown);
  const present = Object.entries(parsers).filter(([name]) => given[name] !== undefined);
  const parsed: Record<string, unknown> = {};
  for (const [name, parse] of present) parsed[name] = parseValue(name, given[name], parse, codes);
  return parsed as Parsed<P>;
}

/** @throws Rejection when the value is missing */
export function requireInput<T>(name: string, value: T | undefined): T {
  if (value === undefined) throw new Rejection('validation_failed', `${name} is required.`, name);
  return value;
}

/** Accepts 1 to `max` characters. */
export function textUpTo(max: number): Parse<string> {
  return (text) => (text.trim() !== '' && text.length <= max ? text : undefined);
}

function parseValue<T>(name: string, value: unknown, parse: Parse<T>, { invalid }: Codes): T {
  const parsed = ['string', 'number', 'boolean'].includes(typeof value) ? parse(String(value)) : undefined;
  if (parsed === undefined) throw new Rejection(invalid, `${name} has a value that is not allowed.`, name);
  return parsed;
}
