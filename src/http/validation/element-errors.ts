import { getMetadataStorage, type ValidationArguments, type ValidationError } from 'class-validator';
import type { FieldError } from '../../kernel/rejection.js';
import { type BodyClass, findRules, type ValidationRule } from './body-fields.js';
import { codeForRule, isTypeRule } from './rule-codes.js';

/**
 * Returns one error per invalid element of a list. Returns null when the value is not a list, or the list as a whole
 * is invalid.
 * @param nested errors that a rule of the list found in its elements; they are used for elements that no element rule rejects
 */
export function toElementErrors(
  error: ValidationError,
  path: string,
  nested: readonly FieldError[],
): readonly FieldError[] | null {
  const rules = findBrokenRules(error);
  const elementRules = rules.filter(({ each }) => each);
  if (elementRules.length === 0 || rules.some((rule) => !rule.each && !hasNestedErrors(rule))) return null;

  const own = (error.value as unknown[]).map((element, i) => {
    const rule = elementRules.find((one) => !isSatisfied(one, element, error));
    return rule === undefined ? null : toElementError(rule, error, `${path}[${i}]`);
  });
  const errors = own.map((fault, i) => fault ?? nested.find(({ param }) => param === `${path}[${i}]`) ?? null);
  return errors.filter((fault) => fault !== null);
}

/** Returns the broken rules; rules about the type of the value come first. */
function findBrokenRules({ value, target, property, constraints = {} }: ValidationError): ValidationRule[] {
  if (!Array.isArray(value) || target === undefined) return [];
  const rules = findRules(target.constructor as BodyClass).filter(
    ({ propertyName, name }) => propertyName === property && name !== undefined && name in constraints,
  );
  return rules.sort((a, b) => Number(isTypeRule(b.name!)) - Number(isTypeRule(a.name!)));
}

function hasNestedErrors({ context }: ValidationRule): boolean {
  return (context as { readonly faults?: unknown } | undefined)?.faults !== undefined;
}

function isSatisfied(
  { constraintCls, propertyName, constraints }: ValidationRule,
  element: unknown,
  { target, value }: ValidationError,
): boolean {
  const details = {
    targetName: '',
    property: propertyName,
    object: target,
    value: value as unknown,
    constraints,
  } as ValidationArguments;
  const [validator] = getMetadataStorage().getTargetValidatorConstraints(constraintCls);
  return validator!.instance.validate(element, details) as boolean;
}

function toElementError(
  { name, context }: ValidationRule,
  { property, constraints = {} }: ValidationError,
  path: string,
): FieldError {
  const code = (context as { readonly code?: string } | undefined)?.code ?? codeForRule(name!);
  return { code, detail: `${constraints[name!]!.replace(`each value in ${property}`, path)}.`, param: path };
}
