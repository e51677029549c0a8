import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, ValidationTypes } from 'class-validator';

export type BodyClass = new () => object;
export type ValidationRule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

export interface BodyField {
  /** The class of the value, or of each element of a list. */
  readonly type: BodyClass | null;
  readonly isList: boolean;
  readonly maxItems: number;
}

const fieldsByClass = new WeakMap<BodyClass, ReadonlyMap<string, BodyField>>();

export function fieldsFor(type: BodyClass): ReadonlyMap<string, BodyField> {
  const cached = fieldsByClass.get(type);
  if (cached !== undefined) return cached;
  const rules = Object.groupBy(findRules(type), ({ propertyName }) => propertyName);
  const fields = new Map(Object.entries(rules).map(([name, own]) => [name, toBodyField(type, own!)]));
  fieldsByClass.set(type, fields);
  return fields;
}

export function findRules(type: BodyClass): ValidationRule[] {
  return getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
}

/** Returns the class that class-transformer creates for the value of the field. */
export function findNestedClass(type: BodyClass, { propertyName, each }: ValidationRule): BodyClass {
  const plain = { [propertyName]: each ? [{}] : {} };
  const value = (plainToInstance(type, plain) as Readonly<Record<string, unknown>>)[propertyName];
  return ((each ? (value as object[])[0]! : value) as object).constructor as BodyClass;
}

function toBodyField(type: BodyClass, rules: readonly ValidationRule[]): BodyField {
  const nested = rules.find((rule) => rule.type === ValidationTypes.NESTED_VALIDATION);
  const longest = rules.find((rule) => rule.name === 'arrayMaxSize');
  return {
    type: nested === undefined ? null : findNestedClass(type, nested),
    isList: rules.some(({ each }) => each) || rules.some((rule) => rule.name === 'isArray'),
    maxItems: longest === undefined ? Infinity : ((longest.constraints as unknown[])[0] as number),
  };
}
