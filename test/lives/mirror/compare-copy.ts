import { isDeepStrictEqual } from 'node:util';
import { readDerivedFields } from './derived-fields.js';
import type { Resource } from './public-lists.js';

/** Resources that the events show, and no list that was read. */
const UNLISTED = ['buyer', 'entitlement', 'installment_plan', 'onboarding_task', 'webhook_endpoint'];

/** Compares a copy with what the API answers, field by field. Returns one sentence for each difference. */
export async function compareCopy(copy: readonly Resource[], answered: readonly Resource[]): Promise<string[]> {
  const derived = await readDerivedFields();
  const known = new Map(copy.map((resource) => [resource.id, resource]));
  const listed = new Set(answered.map(({ id }) => id));
  const extra = copy.filter((one) => !listed.has(one.id) && !isUnlisted(one));
  return [
    ...answered.flatMap((one) => compareOne(known.get(one.id), one, derived.get(one.object) ?? new Set())),
    ...extra.map(({ object, id }) => `the copy has the ${object} ${id}, which the API does not list`),
  ];
}

/** The list of orders shows no order that failed. */
function isUnlisted({ object, status }: Resource): boolean {
  return UNLISTED.includes(object) || (object === 'order' && status === 'failed');
}

function compareOne(known: Resource | undefined, answered: Resource, derived: ReadonlySet<string>): string[] {
  const { object, id } = answered;
  if (known === undefined) return [`the copy lacks the ${object} ${id}`];
  const names = [...new Set([...Object.keys(known), ...Object.keys(answered)])].filter((name) => !derived.has(name));
  return names
    .filter((name) => !isDeepStrictEqual(known[name], answered[name]))
    .map(
      (name) =>
        `${object} ${id}: ${name} is ${print(known[name])} in the copy, and ${print(answered[name])} in the API`,
    );
}

function print(value: unknown): string {
  return JSON.stringify(value) ?? 'absent';
}
