import { getMetadataStorage, type ValidationArguments, type ValidationError } from 'class-validator';
import type { Fault } from '../kernel/rejection.js';
import { rulesOf, type BodyClass, type Rule } from './body-fields.js';
import { codeOfRule, isOfKind } from './rule-codes.js';

/**
 * Returns one error per invalid element of a list. Returns null when the value is not a list, or the list as a whole
 * is invalid.
 * @param within errors that a rule of the list found in its elements; they are used for elements that no element rule rejects
 */
export function faultsOfElements(error: ValidationError, path: string, within: readonly Fault[]): readonly Fault[] | null {
  const rules = brokenRules(error);
  const ofElements = rules.filter(({ each }) => each);
  if (ofElements.length === 0 || rules.some((rule) => !rule.each && !hasFaults(rule))) return null;

  const own = (error.value as unknown[]).map((element, i) => {
    const rule = ofElements.find((one) => !holds(one, element, error));
    return rule === undefined ? null : faultOf(rule, error, `${path}[${i}]`);
  });
  const faults = own.map((fault, i) => fault ?? within.find(({ param }) => param === `${path}[${i}]`) ?? null);
  return faults.filter((fault) => fault !== null);
}

/** Returns the broken rules; rules about the type of the value come first. */
function brokenRules({ value, target, property, constraints = {} }: ValidationError): Rule[] {
  if (!Array.isArray(value) || target === undefined) return [];
  const rules = rulesOf(target.constructor as BodyClass).filter(
    ({ propertyName, name }) => propertyName === property && name !== undefined && name in constraints,
  );
  return rules.sort((a, b) => Number(isOfKind(b.name!)) - Number(isOfKind(a.name!)));
}

function hasFaults({ context }: Rule): boolean {
  return (context as { readonly faults?: unknown } | undefined)?.faults !== undefined;
}

function holds({ constraintCls, propertyName, constraints }: Rule, element: unknown, { target, value }: ValidationError): boolean {
  const details = { targetName: '', property: propertyName, object: target, value: value as unknown, constraints } as ValidationArguments;
  const [judge] = getMetadataStorage().getTargetValidatorConstraints(constraintCls);
  return judge!.instance.validate(element, details) as boolean;
}

function faultOf({ name, context }: Rule, { property, constraints = {} }: ValidationError, path: string): Fault {
  const code = (context as { readonly code?: string } | undefined)?.code ?? codeOfRule(name!);
  return { code, detail: `${constraints[name!]!.replace(`each value in ${property}`, path)}.`, param: path };
}
