import type { Source } from './import-graph.js';

const MAX_LINES = 250;
/** Each area has the same folders, and imports other areas only in `processes`. */
const AREAS = ['webhooks', 'community', 'commerce'];

/** A folder may import only from the folders after it. */
const WAY: readonly string[] = ['processes', 'http', 'commands', 'projections', 'domain'];

/** The location of a source file, or the name of a library. */
interface Place {
  readonly path: string;
  /** The first folder below src: `kernel`, `commerce`; '' for files directly in src, null for libraries. */
  readonly house: string | null;
  /** The folder below an area: `domain`, `processes`. */
  readonly room: string | null;
}

interface Rule {
  readonly says: string;
  readonly breaks: (from: Place, to: Place) => boolean;
}

/** A module only lists providers, so it may import any of them. */
const isWiring = ({ path, house }: Place) => house === '' || path.endsWith('.module.ts');
/** The configuration selects the store of a process. */
const isChoice = (from: Place, to: Place) => from.path === 'stores/stores.ts' && to.path === 'config.ts';
const isLibrary = ({ house }: Place) => house === null;
const isNode = ({ path }: Place) => path.startsWith('node:');
const isArea = ({ house }: Place) => house !== null && AREAS.includes(house);
const isEdge = ({ house, room }: Place) => house === 'http' || room === 'http';
const inOwnRoom = (from: Place, to: Place) => from.house === to.house && from.room === to.room;

const RULES: readonly Rule[] = [
  { says: 'the kernel knows itself and Node alone', breaks: (from, to) => from.house === 'kernel' && to.house !== 'kernel' && !isNode(to) },
  {
    says: 'the engine knows the kernel alone',
    breaks: (from, to) => from.house === 'engine' && !isLibrary(to) && !['engine', 'kernel'].includes(to.house!),
  },
  {
    says: 'stores know the kernel alone',
    breaks: (from, to) => from.house === 'stores' && !isLibrary(to) && !['stores', 'kernel'].includes(to.house!) && !isChoice(from, to),
  },
  {
    says: 'a domain knows the kernel and its own folder alone',
    breaks: (from, to) => from.room === 'domain' && to.house !== 'kernel' && !inOwnRoom(from, to),
  },
  { says: 'what answers HTTP never sees a store', breaks: (from, to) => isEdge(from) && to.house === 'stores' },
  {
    says: 'commands, projections and processes know nothing of HTTP',
    breaks: (from, to) => ['commands', 'projections', 'processes'].includes(from.room ?? '') && isEdge(to),
  },
  {
    says: 'areas meet in processes alone',
    breaks: (from, to) => isArea(from) && isArea(to) && from.house !== to.house && from.room !== 'processes',
  },
  {
    says: 'within an area the way is http, commands, projections, domain; processes are called by nobody',
    breaks: (from, to) => from.house === to.house && WAY.indexOf(from.room!) > WAY.indexOf(to.room!) && WAY.includes(to.room!),
  },
  { says: 'what areas share knows no area', breaks: (from, to) => ['identity', 'http'].includes(from.house ?? '') && isArea(to) },
];

/** Returns each violation of the architecture as a sentence. */
export function breachesIn(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => [...breachesOfFile(source), ...breachesOfImports(source)]);
}

function breachesOfFile({ path, lines }: Source): string[] {
  return [
    ...(lines > MAX_LINES ? [`${path} has ${lines} lines: at most ${MAX_LINES}`] : []),
    ...(/(^|\/)index\.ts$/.test(path) ? [`${path} is a barrel: import the file that defines the thing`] : []),
  ];
}

function breachesOfImports({ path, imports }: Source): string[] {
  const from = placeOf(path);
  if (isWiring(from)) return [];
  return imports.flatMap((imported) => {
    const to = placeOf(imported);
    return RULES.filter(({ breaks }) => breaks(from, to)).map(({ says }) => `${path} imports ${imported}: ${says}`);
  });
}

function placeOf(path: string): Place {
  if (!path.endsWith('.ts')) return { path, house: null, room: null };
  const [house, room, ...rest] = path.split('/');
  if (room === undefined) return { path, house: '', room: null };
  return { path, house: house!, room: rest.length > 0 ? room : null };
}
