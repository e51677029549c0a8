import { validate, type ValidatorOptions } from 'class-validator';
import { Rejection, type Fault } from '../kernel/rejection.js';
import { isJsonObject } from './bodies.js';
import { isCode, statusOf } from './codes.js';
import { faultsOf } from './faults.js';
import { hydrate, type BodyClass } from './hydrate.js';
import { takesSeveral } from './paging.js';

const OPTIONS: ValidatorOptions = {
  whitelist: true,
  forbidNonWhitelisted: true,
  forbidUnknownValues: false,
  validationError: { target: false },
};

/** The body as an instance of its class. @throws Rejection 422 with every fault */
export async function checkedBody(type: BodyClass, json: unknown = {}): Promise<object> {
  if (!isJsonObject(json)) throw refused([{ code: 'invalid_type', detail: 'The body has to be a JSON object.' }]);
  const { instance, faults } = hydrate(type, json);
  const all = [...faults, ...faultsOf(await validate(instance, OPTIONS))];
  if (all.length > 0) throw refused(all);
  return instance;
}

/** The query as an instance of its class. @throws Rejection 400 that names every parameter refused */
export async function checkedQuery(type: BodyClass, query: object): Promise<object> {
  const { instance, faults } = hydrate(type, { ...query });
  const doubled = Object.keys(query).filter(
    (name) => Array.isArray((query as Record<string, unknown>)[name]) && !takesSeveral(instance, name),
  );
  const names = [...doubled, ...[...faults, ...faultsOf(await validate(instance, OPTIONS))].map(({ param }) => param!)];
  if (names.length > 0) throw refusedParameters([...new Set(names.map(withoutIndex))]);
  return instance;
}

export function refusedParameters(names: readonly string[]): Rejection {
  const errors = names.map((param) => ({ code: 'invalid_parameter', detail: `${param} is unknown, doubled or not valid.`, param }));
  return Rejection.of('invalid_parameter', `Not valid: ${names.join(', ')}.`, errors);
}

/** The top code is the named one when it is the only kind of refusal. */
function refused(errors: readonly Fault[]): Rejection {
  const [code, ...others] = new Set(errors.map((fault) => fault.code));
  const named = others.length === 0 && code !== undefined && isCode(code) && statusOf(code) === 422;
  return Rejection.of(named ? code : 'validation_failed', sentenceOf(errors), errors);
}

function sentenceOf(errors: readonly Fault[]): string {
  return errors.length === 1 ? errors[0]!.detail : `${errors.length} fields are not valid.`;
}

function withoutIndex(param: string): string {
  return param.replace(/\[\d+\]$/, '');
}
