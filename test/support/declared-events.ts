import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Decider } from '../../src/kernel/decider.js';
import type { Fact } from '../../src/kernel/event.js';
import type { Upcasters } from '../../src/kernel/upcasting.js';

const SRC = join(import.meta.dirname, '../../src');
/** `Fact<'A', …>`, `Fact<'A' | 'B', …>` and `createClaims('noun', 'A')`. */
const DECLARED = /\bFact<\s*('\w+'(?:\s*\|\s*'\w+')*)|\bcreateClaims\('\w+', ('\w+')\)/g;
const DECIDER = /^export const \w+: \w*Decider</m;

export type AnyDecider = Decider<unknown, never, Fact>;

/** Every event type and every decider declared in src. */
export interface DeclaredEvents {
  readonly types: readonly string[];
  readonly deciders: readonly AnyDecider[];
}

export async function findDeclaredEvents(): Promise<DeclaredEvents> {
  const files = (await readdir(SRC, { recursive: true }))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(SRC, file));
  const found = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(file, 'utf8');
      return { file, types: parseEventTypes(text), hasDecider: DECIDER.test(text) };
    }),
  );
  const declaring = found.filter(({ types, hasDecider }) => types.length > 0 || hasDecider);
  const modules = await Promise.all(declaring.map(({ file }) => import(file) as Promise<object>));
  return {
    types: declaring.flatMap(({ types }) => types),
    deciders: modules.flatMap((module) => Object.values(module)).filter(isDecider),
  };
}

export function parseEventTypes(text: string): string[] {
  return [...text.matchAll(DECLARED)].flatMap(([, facts, claim]) => (facts ?? claim)!.match(/\w+/g)!);
}

/** Returns a sentence for each event type that has no fixture, no declaration or no upcaster. */
export function findGaps(
  { types, deciders }: DeclaredEvents,
  frozen: ReadonlySet<string>,
  upcasters: Upcasters,
): string[] {
  const versions = Object.assign({}, ...deciders.map((decider) => decider.versions)) as Readonly<
    Record<string, number>
  >;
  const undeclared = [...frozen].filter((shape) => !types.includes(shape.split('@')[0]!));
  return [
    ...types.flatMap((type) => findGapsOfType(type, versions[type] ?? 1, frozen, upcasters)),
    ...undeclared.map((shape) => `${shape} is no longer declared`),
  ];
}

function findGapsOfType(type: string, newest: number, frozen: ReadonlySet<string>, upcasters: Upcasters): string[] {
  const older = Array.from({ length: newest - 1 }, (_, i) => `${type}@${i + 1}`);
  const unfrozen = [...older, `${type}@${newest}`].filter((shape) => !frozen.has(shape));
  const unread = older.filter((shape) => upcasters[shape] === undefined);
  return [
    ...unfrozen.map((shape) => `${shape} is in no history`),
    ...unread.map((shape) => `${shape} has no upcaster`),
  ];
}

function isDecider(exported: unknown): exported is AnyDecider {
  return typeof exported === 'object' && exported !== null && 'category' in exported && 'evolve' in exported;
}
