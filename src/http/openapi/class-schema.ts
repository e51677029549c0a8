import { ValidationTypes } from 'class-validator';
import { addNull, COMPONENT, type JsonSchema } from '../../kernel/schema.js';
import { type BodyClass, findNestedClass, findRules, type ValidationRule } from '../validation/body-fields.js';
import { isMultiValue } from '../validation/paging.js';
import { schemaForRule } from './class-rules.js';
import { readDescription } from './describe.js';

type Values = Readonly<Record<string, unknown>>;

/** The context of a rule of this project: `ValidateBy(…, { context: { schema: { maxLength: 1500 } } })`. */
interface RuleContext {
  readonly schema?: JsonSchema;
  readonly code?: string;
}

export function schemaForClass(
  type: BodyClass,
): JsonSchema & { readonly properties: Readonly<Record<string, JsonSchema>> } {
  const fields = Object.entries(Object.groupBy(findRules(type), ({ propertyName }) => propertyName)) as [
    string,
    ValidationRule[],
  ][];
  const names = fields.map(([name]) => name);
  const properties = fields.map(([name, rules]) => [name, schemaForField(type, name, rules, names)] as const);
  const required = fields.filter(
    ([name, rules]) => !isExempt(rules, name, undefined, names) && !hasDefault(type, name),
  );
  return {
    type: 'object',
    ...(required.length > 0 && { required: required.map(([name]) => name) }),
    properties: Object.fromEntries(properties),
    additionalProperties: false,
    [COMPONENT]: type.name,
  };
}

/** Returns the problem codes that the rules of the class set. */
export function codesForClass(type: BodyClass): readonly string[] {
  return findRules(type).flatMap((rule) => readRuleContext(rule).code ?? []);
}

function schemaForField(
  type: BodyClass,
  name: string,
  rules: readonly ValidationRule[],
  names: readonly string[],
): JsonSchema {
  const own = mergeSchemas(rules.filter(({ each }) => !each).map((rule) => toRuleSchema(rule, type)));
  const items = mergeSchemas(rules.filter(({ each }) => each).map((rule) => toRuleSchema(rule, type)));
  const isList = rules.some(({ each }) => each) || isMultiValue(type.prototype as object, name);
  const schema = {
    ...own,
    ...(isList && { type: 'array', items }),
    ...toDefault(type, name),
    ...readDescription(type, name),
  };
  return isExempt(rules, name, null, names) ? addNull(schema) : schema;
}

function toRuleSchema(rule: ValidationRule, type: BodyClass): JsonSchema {
  if (rule.type === ValidationTypes.CONDITIONAL_VALIDATION) return {};
  if (rule.type === ValidationTypes.NESTED_VALIDATION) return schemaForClass(findNestedClass(type, rule));
  const schema = readRuleContext(rule).schema ?? schemaForRule(rule.name ?? rule.type, rule.constraints as unknown[]);
  if (schema === null)
    throw new Error(`No schema is known for the rule ${rule.name} of ${type.name}.${rule.propertyName}`);
  return schema;
}

/**
 * Whether `@IsOptional` or `@ValidateIf` exempts this value of the field from its rules. A condition on other fields
 * is evaluated with all of them present and with none; one exemption is enough.
 */
function isExempt(
  rules: readonly ValidationRule[],
  name: string,
  value: null | undefined,
  names: readonly string[],
): boolean {
  const conditions = rules.filter(({ type }) => type === ValidationTypes.CONDITIONAL_VALIDATION);
  const given = Object.fromEntries(names.map((other) => [other, 'given']));
  return [{}, given].some((others) =>
    conditions.some(
      ({ constraints: [asked] }) =>
        !(asked as (object: Values, value: unknown) => boolean)({ ...others, [name]: value }, value),
    ),
  );
}

function hasDefault(type: BodyClass, name: string): boolean {
  return (new type() as Values)[name] !== undefined;
}

function toDefault(type: BodyClass, name: string): JsonSchema {
  return hasDefault(type, name) ? { default: (new type() as Values)[name] } : {};
}

function mergeSchemas(schemas: readonly JsonSchema[]): JsonSchema {
  return Object.assign({}, ...schemas) as JsonSchema;
}

function readRuleContext({ context }: ValidationRule): RuleContext {
  return (context as RuleContext | undefined) ?? {};
}
