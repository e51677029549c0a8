import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, ValidationTypes } from 'class-validator';

export type BodyClass = new () => object;
export type Rule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** The declaration of a field in a body class. */
export interface Field {
  /** The class of the value, or of each element of a list. */
  readonly type: BodyClass | null;
  readonly isList: boolean;
  readonly maxItems: number;
}

const FIELDS = new WeakMap<BodyClass, ReadonlyMap<string, Field>>();

/** Returns the declared fields of a class, by name. */
export function fieldsOf(type: BodyClass): ReadonlyMap<string, Field> {
  const known = FIELDS.get(type);
  if (known !== undefined) return known;
  const rules = Object.groupBy(rulesOf(type), ({ propertyName }) => propertyName);
  const fields = new Map(Object.entries(rules).map(([name, own]) => [name, fieldOf(type, own!)]));
  FIELDS.set(type, fields);
  return fields;
}

export function rulesOf(type: BodyClass): Rule[] {
  return getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
}

/** Returns the class that class-transformer creates for the value of the field. */
export function classWithin(type: BodyClass, { propertyName, each }: Rule): BodyClass {
  const plain = { [propertyName]: each ? [{}] : {} };
  const value = (plainToInstance(type, plain) as Readonly<Record<string, unknown>>)[propertyName];
  return ((each ? (value as object[])[0]! : value) as object).constructor as BodyClass;
}

function fieldOf(type: BodyClass, rules: readonly Rule[]): Field {
  const nested = rules.find((rule) => rule.type === ValidationTypes.NESTED_VALIDATION);
  const longest = rules.find((rule) => rule.name === 'arrayMaxSize');
  return {
    type: nested === undefined ? null : classWithin(type, nested),
    isList: rules.some(({ each }) => each) || rules.some((rule) => rule.name === 'isArray'),
    maxItems: longest === undefined ? Infinity : ((longest.constraints as unknown[])[0] as number),
  };
}
