import type { Json } from './openapi-client.js';

const MIB = 1024 * 1024;
/** Slightly fewer values than a body may contain, to leave room for other fields. */
const VALUES = 19_900;

/** Bodies of nearly 1 MiB that are the most expensive to validate, by their content, for a body schema. */
export const COSTLY_BODIES: Readonly<Record<string, (schema: Json) => string[]>> = {
  'more values than a body may hold': () => [`{"x":[${'{},'.repeat(300_000)}{}]}`],
  'unknown fields': () => [createObject(VALUES, (i) => `"x${i}":1`)],
  'names that every object has': () => [
    createObject(VALUES, (i) => `"__proto__${i}":{}`),
    createObject(VALUES, () => '"constructor":1'),
  ],
  'empty objects in each list': (schema) =>
    findLists(schema).map((name) => `{"${name}":[${'{}, '.repeat(VALUES / 2)}{}]${createSpaces(VALUES * 2)}}`),
  'long texts in each list': (schema) =>
    findLists(schema).map((name) => `{"${name}":[${`"${'a'.repeat(40)}",`.repeat(VALUES)}""]}`),
  'unknown fields in each element of a list': (schema) =>
    findLists(schema).map(
      (name) =>
        `{"${name}":[${Array(10)
          .fill(createObject(VALUES / 10 - 2, (i) => `"y${i}":1`, 0))
          .join(',')}]}`,
    ),
  'many members in each object': (schema) =>
    findObjects(schema).map((name) => `{"${name}":${createObject(VALUES, (i) => `"z${i}":"${'b'.repeat(30)}"`, 0)}}`),
  'one long text in each field': (schema) =>
    findNames(schema).map((name) => `{"${name}":"${'é'.repeat(MIB / 2 - 20)}"}`),
  'escapes in each field': (schema) =>
    findNames(schema).map((name) => `{"${name}":"${'\\u0041'.repeat(MIB / 6 - 20)}"}`),
};

function createObject(count: number, member: (i: number) => string, bytes = MIB - 100): string {
  const members = Array.from({ length: count }, (_, i) => member(i)).join(',');
  return `{${members}${createSpaces(bytes - members.length)}}`;
}

function createSpaces(count: number): string {
  return ' '.repeat(Math.max(0, count));
}

function findNames({ properties = {} }: Json): string[] {
  return Object.keys(properties);
}

function findLists({ properties = {} }: Json): string[] {
  return findByType(properties, 'array');
}

function findObjects({ properties = {} }: Json): string[] {
  return findByType(properties, 'object');
}

function findByType(properties: Json, type: string): string[] {
  return Object.entries<Json>(properties)
    .filter(([, schema]) => [schema.type].flat().includes(type))
    .map(([name]) => name);
}
