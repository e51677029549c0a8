import { validate, type ValidatorOptions } from 'class-validator';
import { Rejection, type Fault } from '../kernel/rejection.js';
import { isJsonObject } from './bodies.js';
import { fieldsOf, type BodyClass } from './body-fields.js';
import { isCode, statusOf } from './codes.js';
import { FaultList } from './fault-list.js';
import { faultsOf } from './faults.js';
import { hydrate, type Hydrated } from './hydrate.js';
import { takesSeveral } from './paging.js';

/** class-validator does not check for undeclared fields: the instance has none. */
const OPTIONS: ValidatorOptions = { forbidUnknownValues: false };
const INDEX_AT_END = /\[\d+\]$/;

/** Returns the body as an instance of its class. @throws Rejection 422 with all field errors */
export async function checkedBody(type: BodyClass, json: unknown = {}): Promise<object> {
  const faults = new FaultList();
  if (!isJsonObject(json)) {
    faults.add({ code: 'invalid_type', detail: 'The body must be a JSON object.' });
    throw refused(faults);
  }
  const hydrated = hydrate(type, json);
  faults.add(...(await faultsOfFields(hydrated)));
  for (const param of hydrated.unknown) faults.add({ code: 'unknown_parameter', detail: `${param} is not a known field.`, param });
  faults.addMore(hydrated.unknownCount - hydrated.unknown.length);
  if (faults.count > 0) throw refused(faults);
  return hydrated.instance;
}

/** Returns the query as an instance of its class. @throws Rejection 400 with one error per invalid parameter */
export async function checkedQuery(type: BodyClass, query: object): Promise<object> {
  const hydrated = hydrate(type, query);
  const details = new Map<string, string>();
  for (const [name, value] of Object.entries(query))
    if (Array.isArray(value) && !takesSeveral(hydrated.instance, name)) details.set(name, `${name} was sent more than once.`);
  for (const { param, detail } of await faultsOfFields(hydrated)) {
    const name = param!.replace(INDEX_AT_END, '');
    if (!details.has(name)) details.set(name, detail.replace(param!, name));
  }
  for (const name of hydrated.unknown) details.set(name, unknownParameter(name, [...fieldsOf(type).keys()]));
  if (details.size > 0) throw refusedParameters([...details]);
  return hydrated.instance;
}

/** Returns the rejection of parameters for a route without a query. */
export function refusedQuery(names: readonly string[]): Rejection {
  return refusedParameters(names.map((name) => [name, unknownParameter(name, [])]));
}

export function refusedParameters(details: readonly (readonly [param: string, detail: string])[]): Rejection {
  const faults = new FaultList();
  for (const [param, detail] of details) faults.add({ code: 'invalid_parameter', detail, param });
  return Rejection.of('invalid_parameter', sentenceOf(faults, 'parameters'), faults.kept);
}

async function faultsOfFields({ instance, misshapen }: Hydrated): Promise<readonly Fault[]> {
  const settled = misshapen.map(({ param }) => param!);
  const isSettled = ({ param = '' }: Fault) => settled.some((path) => param === path || /^[.[]/.test(remainder(param, path)));
  const judged = faultsOf(await validate(instance, OPTIONS)).filter((fault) => !isSettled(fault));
  return [...misshapen, ...judged];
}

function remainder(param: string, path: string): string {
  return param.startsWith(path) ? param.slice(path.length) : '';
}

function unknownParameter(name: string, known: readonly string[]): string {
  return known.length === 0
    ? `${name} is not a parameter: this operation has no parameters.`
    : `${name} is not a parameter; the parameters are: ${known.join(', ')}.`;
}

/** Uses the code of the errors as the code of the problem when all errors have the same 422 code. */
function refused(faults: FaultList): Rejection {
  const [code, ...others] = faults.codes;
  const named = others.length === 0 && code !== undefined && isCode(code) && statusOf(code) === 422;
  return Rejection.of(named ? code : 'validation_failed', sentenceOf(faults, 'fields'), faults.kept);
}

function sentenceOf({ kept, count }: FaultList, things: string): string {
  if (count === 1) return kept[0]!.detail;
  const more = count > kept.length ? ` Only ${kept.length} are listed; there are ${count - kept.length} more.` : '';
  return `${count} ${things} are invalid.${more}`;
}
