import type { Operation } from './operations.ts';

/** The place of an operation in the client: `client.commerce.orders.list` */
export interface MethodName {
  readonly area: string;
  readonly noun: string;
  readonly method: string;
}

/** Nouns that the last path segment does not name well, by area and segment. */
const NOUNS: Readonly<Record<string, string>> = {
  'identity me': 'caller',
  'community resources': 'library-resources',
};
/** Lists that belong to the item whose path they extend. */
const INNER_LISTS = new Set(['changes', 'history']);
/** Methods that the rules below would name badly, or like another one. */
const METHODS: Readonly<Record<string, string>> = {
  commentOnPost: 'create',
  listOwnInvites: 'listOwn',
  payOut: 'create',
  refundPayment: 'create',
  retrieveOnboardingProgress: 'retrieveProgress',
  retrieveResourceAsOfTime: 'retrieveAsOf',
  retrieveStatisticsOfEndpointHourByHour: 'retrieveHourlyStatistics',
  retrieveWhatRequestCaused: 'retrieve',
};
const PREPOSITIONS = '(?:Of|To|On|From|In|For)?';

/** Names the method of each operation. @throws when two operations get the same name */
export function nameMethods(operations: readonly Operation[]): Map<Operation, MethodName> {
  const listed = new Set(operations.filter(isListed).map(({ path }) => staticSegments(path).at(-1)!));
  const names = new Map(operations.map((operation) => [operation, nameMethod(operation, listed)]));
  const taken = new Map<string, string>();
  for (const [{ id }, { area, noun, method }] of names) {
    const name = `${area}.${noun}.${method}`;
    if (taken.has(name)) throw new Error(`${taken.get(name)} and ${id} are both ${name}: name one of them in METHODS`);
    taken.set(name, id);
  }
  return names;
}

function nameMethod(operation: Operation, listed: ReadonlySet<string>): MethodName {
  const segments = staticSegments(operation.path);
  const isNoun = (segment: string) => listed.has(segment) && !INNER_LISTS.has(segment);
  const segment = segments.findLast(isNoun) ?? segments[0]!;
  const noun = toCamelCase(NOUNS[`${operation.area} ${segment}`] ?? segment);
  const isList = isListed(operation) && segment === segments.at(-1);
  return {
    area: operation.area,
    noun,
    method: isList ? (METHODS[operation.id] ?? 'list') : toMethod(operation.id, noun),
  };
}

function isListed({ list }: Operation): boolean {
  return list === 'page' || list === 'cursor';
}

/** `rotateSecretOfEndpoint` of `endpoints` → `rotateSecret`; `editProduct` of `products` → `update` */
function toMethod(id: string, noun: string): string {
  const named = METHODS[id];
  if (named !== undefined) return named;

  const plural = noun.charAt(0).toUpperCase() + noun.slice(1);
  const singular = toSingular(plural);
  const method = id.replace(new RegExp(`${PREPOSITIONS}(?:Public|Audit)?(?:${plural}|${singular})(?![a-z])`), '');
  return method === 'edit' ? 'update' : method;
}

/** `/v1/auth/api-keys/{id}/rotations` → `api-keys`, `rotations` */
function staticSegments(path: string): string[] {
  const segments = path.split('/').slice(2);
  const inArea = segments.length > 1 && !segments[1]!.startsWith('{') ? segments.slice(1) : segments;
  return inArea.filter((segment) => !segment.startsWith('{'));
}

/** `deliveries` → `delivery`; `businesses` → `business` */
export function toSingular(plural: string): string {
  return plural
    .replace(/ies$/, 'y')
    .replace(/sses$/, 'ss')
    .replace(/(?<!s)s$/, '');
}

export function toCamelCase(name: string): string {
  return name.replaceAll(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Names `{id}` after the collection before it: `/products/{id}` → `productId`. */
export function nameParameters({ path, pathParameters }: Operation): Map<string, string> {
  const segments = path.split('/');
  return new Map(
    pathParameters.map((name) => {
      const collection = segments[segments.indexOf(`{${name}}`) - 1]!;
      return [name, toCamelCase(name === 'id' ? `${toSingular(collection)}-id` : name)];
    }),
  );
}

/** `commerce`, `testClock` → `CommerceTestClock` */
export function toClassName(...words: readonly string[]): string {
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** `testClock` → `test_clock` */
export function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
