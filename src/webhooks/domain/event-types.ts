import { derive } from '../../kernel/declarations.js';

export const EVERY_TYPE = '*';
export const TEST_TYPE = 'webhook.test';
/** The version of the data of every type so far. Only a breaking change raises the version of a type. */
export const FIRST_VERSION = '1';

const deriveFloods = derive(
  ({ publicEvents }) => new Set(publicEvents.flatMap(({ type, floods }) => (floods ? [type] : []))),
);

/**
 * Returns whether one of these filters selects the type. A filter is an id, `noun.*` for all ids that begin so, or `*`
 * for every type that does not flood.
 */
export function isSubscribedTo(filters: readonly string[], type: string): boolean {
  return filters.some((filter) => (filter === EVERY_TYPE ? !deriveFloods().has(type) : matches(filter, type)));
}

function matches(filter: string, type: string): boolean {
  return filter.endsWith('.*') ? type.startsWith(filter.slice(0, -1)) : filter === type;
}

/** Returns the prefixes of an id that are filters: `community.*` and `community.member.*`. */
export function listPrefixes(type: string): readonly string[] {
  const words = type.split('.');
  return words.slice(1).map((_, i) => `${words.slice(0, i + 1).join('.')}.*`);
}
