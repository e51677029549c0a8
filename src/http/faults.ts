import type { ValidationError } from 'class-validator';
import type { Fault } from '../kernel/rejection.js';
import { undisguised, unknownField } from './hydrate.js';

const WHITELIST = 'whitelistValidation';
/** Rules of class-validator about the kind of a value. */
const TYPES = ['isString', 'isInt', 'isNumber', 'isBoolean', 'isArray', 'isObject', 'nestedValidation'];

const CODE_OF_RULE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(TYPES.map((name) => [name, 'invalid_type'])),
  minLength: 'too_short',
  maxLength: 'too_long',
  isLength: 'invalid_length',
  arrayMinSize: 'too_short',
  arrayMaxSize: 'too_long',
  min: 'too_small',
  max: 'too_large',
  isEmail: 'invalid_email',
  isUrl: 'invalid_url',
  matches: 'invalid_format',
  isISO8601: 'invalid_time',
  isDateOrTime: 'invalid_time',
};

/** One fault a field, under the dotted path that the caller would write: `plans[1].amount_cents`. */
export function faultsOf(errors: readonly ValidationError[], parent = ''): Fault[] {
  return errors.flatMap((error) => {
    const path = pathOf(parent, undisguised(error.property));
    const inner = faultsOf(error.children ?? [], path);
    return error.constraints === undefined ? inner : [...(faultsWithin(error, path) ?? [faultOf(error, path)]), ...inner];
  });
}

/** A rule of a free-form value may name what is refused inside it: `@ValidateBy(…, { context: { faults: (value, path) => [...] } })`. */
function faultsWithin({ contexts = {}, value }: ValidationError, path: string): Fault[] | undefined {
  const contextsWithFaults = Object.values(contexts) as { readonly faults?: (value: unknown, path: string) => Fault[] }[];
  return contextsWithFaults.find(({ faults }) => faults !== undefined)?.faults?.(value, path);
}

/** A rule may name its own code: `@IsUrl({}, { context: { code: 'url_not_allowed' } })`. */
function faultOf({ constraints = {}, contexts = {}, value }: ValidationError, path: string): Fault {
  const broken = Object.keys(constraints);
  if (broken.includes(WHITELIST)) return unknownField(path);

  const named = broken.find((name) => codeOfContext(contexts[name]) !== undefined);
  if (named !== undefined) return { code: codeOfContext(contexts[named])!, detail: sentence(constraints[named]!), param: path };
  if (value === undefined) return { code: 'required', detail: `${path} is required.`, param: path };

  const first = broken.find((name) => TYPES.includes(name)) ?? broken.at(-1)!;
  return { code: CODE_OF_RULE[first] ?? 'invalid_value', detail: sentence(constraints[first]!), param: path };
}

function codeOfContext(context: unknown): string | undefined {
  return (context as { readonly code?: string } | undefined)?.code;
}

function pathOf(parent: string, property: string): string {
  if (parent === '') return property;
  return /^\d+$/.test(property) ? `${parent}[${property}]` : `${parent}.${property}`;
}

function sentence(message: string): string {
  return message.endsWith('.') ? message : `${message}.`;
}
