import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { round } from '../numbers.ts';

interface Node {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

interface Profile {
  readonly nodes: readonly Node[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const DIST = '/dist/';
const UNDICI = '/undici/';
/** The profiler's names for idle time and its own work. */
const IDLE_FRAMES = new Set(['(idle)', '(program)']);
const MIN_US = 1;

/**
 * Microseconds per nearest file of the service (or undici) on the stack, for the main thread and the store's writer
 * thread.
 */
export type Micros = Readonly<Record<'main' | 'writer', ReadonlyMap<string, number>>>;

export function readMicros(folder: string): Micros {
  const [main, writer] = readdirSync(folder)
    .filter((name) => name.endsWith('.cpuprofile'))
    .map((name) => sumMicrosByOwner(JSON.parse(readFileSync(join(folder, name), 'utf8')) as Profile))
    .sort((a, b) => b.size - a.size);
  return { main: main!, writer: writer! };
}

/** Returns the microseconds per delivery, without those of a run without deliveries. */
export function subtractPerDelivery(deliveries: number, whole: Micros, without: Micros) {
  const each = (thread: keyof Micros) => {
    const micros = [...whole[thread]].map(
      ([owner, sum]) => [owner, (sum - (without[thread].get(owner) ?? 0)) / deliveries] as const,
    );
    const busy = micros.filter(([owner]) => !IDLE_FRAMES.has(owner)).reduce((sum, [, us]) => sum + us, 0);
    const most = micros.filter(([, us]) => us >= MIN_US).sort(([, a], [, b]) => b - a);
    return { busy: round(busy), by: Object.fromEntries(most.map(([owner, us]) => [owner, round(us)])) };
  };
  return { main: each('main'), writer: each('writer') };
}

function sumMicrosByOwner({ nodes, samples, timeDeltas }: Profile): Map<string, number> {
  const owners = findOwners(nodes);
  const micros = new Map<string, number>();
  for (const [i, id] of samples.entries()) {
    const owner = owners.get(id)!;
    micros.set(owner, (micros.get(owner) ?? 0) + timeDeltas[i]!);
  }
  return micros;
}

function findOwners(nodes: readonly Node[]): Map<number, string> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const owners = new Map<number, string>();
  const pass = (node: Node, inherited: string) => {
    const owner = findOwner(node.callFrame) ?? inherited;
    owners.set(node.id, owner);
    for (const child of node.children ?? []) pass(byId.get(child)!, owner);
  };
  pass(nodes[0]!, 'node itself');
  return owners;
}

function findOwner({ functionName, url }: Node['callFrame']): string | null {
  if (functionName.startsWith('(') && functionName !== '(root)') return functionName;
  if (url.includes(UNDICI)) return 'undici';
  return url.includes(DIST) ? url.slice(url.indexOf(DIST) + DIST.length) : null;
}
