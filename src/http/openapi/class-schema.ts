import { ValidationTypes } from 'class-validator';
import { classWithin, rulesOf, type BodyClass, type Rule } from '../body-fields.js';
import { takesSeveral } from '../paging.js';
import { schemaOfRule } from './class-rules.js';
import { orNull, type Schema } from '../../kernel/schema.js';

type Values = Readonly<Record<string, unknown>>;

/** The context of a rule of this project: `ValidateBy(…, { context: { schema: { maxLength: 1500 } } })`. */
interface Said {
  readonly schema?: Schema;
  readonly code?: string;
}

/** Returns the JSON schema of a body or query class. */
export function schemaOfClass(type: BodyClass): Schema & { readonly properties: Readonly<Record<string, Schema>> } {
  const fields = Object.entries(Object.groupBy(rulesOf(type), ({ propertyName }) => propertyName)) as [string, Rule[]][];
  const names = fields.map(([name]) => name);
  const properties = fields.map(([name, rules]) => [name, schemaOfField(type, name, rules, names)] as const);
  const required = fields.filter(([name, rules]) => !passes(rules, name, undefined, names) && !hasDefault(type, name));
  return {
    type: 'object',
    ...(required.length > 0 && { required: required.map(([name]) => name) }),
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  };
}

/** Returns the problem codes that the rules of the class set. */
export function codesOfClass(type: BodyClass): readonly string[] {
  return rulesOf(type).flatMap((rule) => saidBy(rule).code ?? []);
}

function schemaOfField(type: BodyClass, name: string, rules: readonly Rule[], names: readonly string[]): Schema {
  const own = merged(rules.filter(({ each }) => !each).map((rule) => schemaOf(rule, type)));
  const items = merged(rules.filter(({ each }) => each).map((rule) => schemaOf(rule, type)));
  const several = rules.some(({ each }) => each) || takesSeveral(type.prototype as object, name);
  const schema = { ...own, ...(several && { type: 'array', items }), ...defaultOf(type, name) };
  return passes(rules, name, null, names) ? orNull(schema) : schema;
}

function schemaOf(rule: Rule, type: BodyClass): Schema {
  if (rule.type === ValidationTypes.CONDITIONAL_VALIDATION) return {};
  if (rule.type === ValidationTypes.NESTED_VALIDATION) return schemaOfClass(classWithin(type, rule));
  const schema = saidBy(rule).schema ?? schemaOfRule(rule.name ?? rule.type, rule.constraints as unknown[]);
  if (schema === null) throw new Error(`No schema is known for the rule ${rule.name} of ${type.name}.${rule.propertyName}`);
  return schema;
}

/**
 * Whether `@IsOptional` or `@ValidateIf` exempts this value of the field from its rules. A condition on other fields
 * is evaluated with all of them present and with none; one exemption is enough.
 */
function passes(rules: readonly Rule[], name: string, value: null | undefined, names: readonly string[]): boolean {
  const conditions = rules.filter(({ type }) => type === ValidationTypes.CONDITIONAL_VALIDATION);
  const given = Object.fromEntries(names.map((other) => [other, 'given']));
  return [{}, given].some((others) =>
    conditions.some(
      ({ constraints: [asked] }) => !(asked as (object: Values, value: unknown) => boolean)({ ...others, [name]: value }, value),
    ),
  );
}

function hasDefault(type: BodyClass, name: string): boolean {
  return (new type() as Values)[name] !== undefined;
}

function defaultOf(type: BodyClass, name: string): Schema {
  return hasDefault(type, name) ? { default: (new type() as Values)[name] } : {};
}

function merged(schemas: readonly Schema[]): Schema {
  return Object.assign({}, ...schemas) as Schema;
}

function saidBy({ context }: Rule): Said {
  return (context as Said | undefined) ?? {};
}
