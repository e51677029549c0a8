import type { ValidationError } from 'class-validator';
import type { FieldError } from '../../kernel/rejection.js';
import { toElementErrors } from './element-errors.js';
import { codeForRule, isTypeRule } from './rule-codes.js';

/** Returns one error per field, with the path of the field: `plans[1].amount_cents`. */
export function toFieldErrors(errors: readonly ValidationError[], parent = ''): FieldError[] {
  return errors.flatMap((error) => {
    const path = joinPath(parent, error.property);
    const inner = toFieldErrors(error.children ?? [], path);
    return error.constraints === undefined ? inner : [...toErrorsOfField(error, path), ...inner];
  });
}

/**
 * A rule of a free-form value may return errors with their own paths:
 * `@ValidateBy(…, { context: { faults: (value, path) => [...] } })`.
 */
function toErrorsOfField(error: ValidationError, path: string): readonly FieldError[] {
  const nested = Object.values((error.contexts ?? {}) as RuleContexts)
    .find(({ faults }) => faults !== undefined)
    ?.faults?.(error.value, path);
  return toElementErrors(error, path, nested ?? []) ?? nested ?? [toFieldError(error, path)];
}

type RuleContexts = Readonly<
  Record<string, { readonly code?: string; readonly faults?: (value: unknown, path: string) => readonly FieldError[] }>
>;

/** A rule may set its own code: `@IsUrl({}, { context: { code: 'url_not_allowed' } })`. */
function toFieldError({ constraints = {}, contexts = {}, value, property }: ValidationError, path: string): FieldError {
  const broken = Object.keys(constraints);
  const named = broken.find((name) => (contexts as RuleContexts)[name]?.code !== undefined);
  if (named === undefined && value === undefined)
    return { code: 'required', detail: `${path} is required.`, param: path };

  const rule = named ?? broken.find(isTypeRule) ?? broken.at(-1)!;
  const code = (contexts as RuleContexts)[rule]?.code ?? codeForRule(rule);
  return { code, detail: toSentence(constraints[rule]!, property, path), param: path };
}

function joinPath(parent: string, property: string): string {
  if (parent === '') return property;
  return /^\d+$/.test(property) ? `${parent}[${property}]` : `${parent}.${property}`;
}

/** Replaces the name of the field by its path: class-validator knows only the name. */
function toSentence(message: string, property: string, path: string): string {
  const named = message.startsWith(`${property} `) ? path + message.slice(property.length) : message;
  return named.endsWith('.') ? named : `${named}.`;
}
