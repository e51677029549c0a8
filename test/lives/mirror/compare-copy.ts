import { isDeepStrictEqual } from 'node:util';
import { readDerivedFields } from './derived-fields.js';
import type { Resource } from './public-lists.js';

/** Resources that the events show, and no list that was read: keys are listed for their owner alone. */
const UNLISTED = [
  ...['api_key', 'buyer', 'entitlement', 'installment_plan', 'library_download', 'onboarding_task'],
  'webhook_endpoint',
];
/** The states in which a resource is in no list, although it exists. */
const UNLISTED_STATUSES: Readonly<Record<string, string>> = { order: 'failed', challenge: 'cancelled' };

/** Compares a copy with what the API answers, field by field. Returns one sentence for each difference. */
export async function compareCopy(copy: readonly Resource[], answered: readonly Resource[]): Promise<string[]> {
  const derived = await readDerivedFields();
  const known = new Map(copy.map((resource) => [resource.id, resource]));
  const listed = new Set(answered.map(({ id }) => id));
  const extra = copy.filter((one) => !listed.has(one.id) && !isUnlisted(one) && !isOfAnother(one, listed));
  return [
    ...answered
      .filter((one) => known.has(one.id) || !isKept(one, answered))
      .flatMap((one) => compareOne(known.get(one.id), one, derived.get(one.object) ?? new Set())),
    ...extra.map(({ object, id }) => `the copy has the ${object} ${id}, which the API does not list`),
  ];
}

/** A community that was transferred to a user of another business, or something in it. */
function isOfAnother({ object, id, community, post }: Resource, listed: ReadonlySet<string>): boolean {
  const place = object === 'community' ? { id } : ((community ?? post) as { readonly id: string } | undefined);
  return place !== undefined && !listed.has(place.id);
}

/** The award of a member who has not joined since: the event follows when the member joins. */
function isKept({ object, created_at: at, user }: Resource, answered: readonly Resource[]): boolean {
  if (object !== 'points_award') return false;
  const isJoined = (one: Resource) => one.status === 'active' && String(one.joined_at) <= String(at);
  const members = answered.filter((one) => one.object === 'community_member' && isDeepStrictEqual(one.user, user));
  return !members.some(isJoined);
}

function isUnlisted({ object, status }: Resource): boolean {
  return UNLISTED.includes(object) || (status !== undefined && UNLISTED_STATUSES[object] === status);
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
