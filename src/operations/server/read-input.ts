import { Rejection } from '../../kernel/rejection.js';
import type { GivenValues } from './route.js';

/** Returns the value, or undefined for an invalid text. */
type Parse<T> = (text: string) => T | undefined;
/* eslint-disable-next-line @typescript-eslint/no-explicit-any -- parsers of different types side by side */
type Parsers = Readonly<Record<string, Parse<any>>>;
type Parsed<P extends Parsers> = { readonly [K in keyof P]?: P[K] extends Parse<infer T> ? T : never };

/** Reads the named values of a request. A missing value stays missing. @throws Rejection for an unknown or invalid one */
export function readInput<P extends Parsers>(given: GivenValues, parsers: P): Parsed<P> {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(parsers, name));
  if (unknown !== undefined) throw new Rejection('unknown_parameter', `${unknown} is not a known parameter.`, unknown);
  const present = Object.entries(parsers).filter(([name]) => given[name] !== undefined);
  return Object.fromEntries(present.map(([name, parse]) => [name, parseValue(name, given[name], parse)])) as Parsed<P>;
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

function parseValue<T>(name: string, value: unknown, parse: Parse<T>): T {
  const parsed = ['string', 'number', 'boolean'].includes(typeof value) ? parse(String(value)) : undefined;
  if (parsed === undefined) throw new Rejection('invalid_parameter', `${name} has a value that is not allowed.`, name);
  return parsed;
}
