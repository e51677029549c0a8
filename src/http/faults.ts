import type { ValidationError } from 'class-validator';
import type { Fault } from '../kernel/rejection.js';
import { faultsOfElements } from './element-faults.js';
import { codeOfRule, isOfKind } from './rule-codes.js';

/** Returns one error per field, with the path of the field: `plans[1].amount_cents`. */
export function faultsOf(errors: readonly ValidationError[], parent = ''): Fault[] {
  return errors.flatMap((error) => {
    const path = pathOf(parent, error.property);
    const inner = faultsOf(error.children ?? [], path);
    return error.constraints === undefined ? inner : [...faultsOfField(error, path), ...inner];
  });
}

/**
 * A rule of a free-form value may return errors with their own paths:
 * `@ValidateBy(…, { context: { faults: (value, path) => [...] } })`.
 */
function faultsOfField(error: ValidationError, path: string): readonly Fault[] {
  const within = Object.values((error.contexts ?? {}) as Contexts)
    .find(({ faults }) => faults !== undefined)
    ?.faults?.(error.value, path);
  return faultsOfElements(error, path, within ?? []) ?? within ?? [faultOf(error, path)];
}

type Contexts = Readonly<Record<string, { readonly code?: string; readonly faults?: (value: unknown, path: string) => readonly Fault[] }>>;

/** A rule may set its own code: `@IsUrl({}, { context: { code: 'url_not_allowed' } })`. */
function faultOf({ constraints = {}, contexts = {}, value, property }: ValidationError, path: string): Fault {
  const broken = Object.keys(constraints);
  const named = broken.find((name) => (contexts as Contexts)[name]?.code !== undefined);
  if (named === undefined && value === undefined) return { code: 'required', detail: `${path} is required.`, param: path };

  const rule = named ?? broken.find(isOfKind) ?? broken.at(-1)!;
  const code = (contexts as Contexts)[rule]?.code ?? codeOfRule(rule);
  return { code, detail: sentence(constraints[rule]!, property, path), param: path };
}

function pathOf(parent: string, property: string): string {
  if (parent === '') return property;
  return /^\d+$/.test(property) ? `${parent}[${property}]` : `${parent}.${property}`;
}

/** Replaces the name of the field by its path: class-validator knows only the name. */
function sentence(message: string, property: string, path: string): string {
  const named = message.startsWith(`${property} `) ? path + message.slice(property.length) : message;
  return named.endsWith('.') ? named : `${named}.`;
}
