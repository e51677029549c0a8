import { getMetadataStorage, validate, type ValidatorOptions } from 'class-validator';
import { type FieldError, Rejection } from '../../kernel/rejection.js';
import { isProblemCode, statusFor } from '../problems/problem-codes.js';
import { type BodyClass, fieldsFor } from './body-fields.js';
import { FieldErrorList } from './field-error-list.js';
import { toFieldErrors } from './field-errors.js';
import { instantiate, type InstantiationResult } from './instantiate.js';
import { isJsonObject } from './json-body.js';
import { isMultiValue } from './paging.js';
import { cacheRules } from './rule-cache.js';

/** class-validator does not check for undeclared fields: the instance has none. */
const VALIDATOR_OPTIONS: ValidatorOptions = { forbidUnknownValues: false };
const INDEX_AT_END = /\[\d+\]$/;

cacheRules(getMetadataStorage());

/** Returns the body as an instance of its class. @throws Rejection 422 with all field errors */
export async function validateBody(type: BodyClass, json: unknown = {}): Promise<object> {
  const errors = new FieldErrorList();
  if (!isJsonObject(json)) {
    errors.add({ code: 'invalid_type', detail: 'The body must be a JSON object.' });
    throw createBodyRejection(errors);
  }
  const result = instantiate(type, json);
  errors.add(...(await validateFields(result)));
  for (const param of result.unknownPaths)
    errors.add({ code: 'unknown_parameter', detail: `${param} is not a known field.`, param });
  errors.addUnlisted(result.unknownCount - result.unknownPaths.length);
  if (errors.count > 0) throw createBodyRejection(errors);
  return result.instance;
}

/** The instances of queries without parameters. No handler changes its query. */
const emptyQueries = new WeakMap<BodyClass, object>();

/** Returns the query as an instance of its class. @throws Rejection 400 with one error per invalid parameter */
export async function validateQuery(type: BodyClass, query: object): Promise<object> {
  if (Object.keys(query).length > 0) return validateParameters(type, query);
  const instance = emptyQueries.get(type) ?? Object.freeze(await validateParameters(type, query));
  emptyQueries.set(type, instance);
  return instance;
}

async function validateParameters(type: BodyClass, query: object): Promise<object> {
  const result = instantiate(type, query);
  const details = new Map<string, string>();
  for (const [name, value] of Object.entries(query))
    if (Array.isArray(value) && !isMultiValue(result.instance, name))
      details.set(name, `${name} was sent more than once.`);
  for (const { param, detail } of await validateFields(result)) {
    const name = param!.replace(INDEX_AT_END, '');
    if (!details.has(name)) details.set(name, detail.replace(param!, name));
  }
  for (const name of result.unknownPaths)
    details.set(name, describeUnknownParameter(name, [...fieldsFor(type).keys()]));
  if (details.size > 0) throw createParameterRejection([...details]);
  return result.instance;
}

export function createUnknownQueryRejection(names: readonly string[]): Rejection {
  return createParameterRejection(names.map((name) => [name, describeUnknownParameter(name, [])]));
}

export function createParameterRejection(details: readonly (readonly [param: string, detail: string])[]): Rejection {
  const errors = new FieldErrorList();
  for (const [param, detail] of details) errors.add({ code: 'invalid_parameter', detail, param });
  return Rejection.of('invalid_parameter', summarize(errors, 'parameters'), errors.listed);
}

async function validateFields({ instance, formErrors }: InstantiationResult): Promise<readonly FieldError[]> {
  const malformed = formErrors.map(({ param }) => param!);
  const isBelowMalformed = ({ param = '' }: FieldError) => malformed.some((path) => isAtOrBelow(param, path));
  const ruleErrors = toFieldErrors(await validate(instance, VALIDATOR_OPTIONS));
  return [...formErrors, ...ruleErrors.filter((error) => !isBelowMalformed(error))];
}

function isAtOrBelow(param: string, path: string): boolean {
  return param.startsWith(path) && /^([.[]|$)/.test(param.slice(path.length));
}

function describeUnknownParameter(name: string, known: readonly string[]): string {
  return known.length === 0
    ? `${name} is not a parameter: this operation has no parameters.`
    : `${name} is not a parameter; the parameters are: ${known.join(', ')}.`;
}

/** Uses the code of the errors as the code of the problem when all errors have the same 422 code. */
function createBodyRejection(errors: FieldErrorList): Rejection {
  const [code, ...others] = errors.codes;
  const named = others.length === 0 && code !== undefined && isProblemCode(code) && statusFor(code) === 422;
  return Rejection.of(named ? code : 'validation_failed', summarize(errors, 'fields'), errors.listed);
}

function summarize({ listed: kept, count }: FieldErrorList, plural: string): string {
  if (count === 1) return kept[0]!.detail;
  const more = count > kept.length ? ` Only ${kept.length} are listed; there are ${count - kept.length} more.` : '';
  return `${count} ${plural} are invalid.${more}`;
}
