import type { SourceFile } from './import-graph.js';

const MAX_LINES = 250;
/** Each area has the same folders, and imports other areas only in `processes`. */
const AREAS = ['webhooks', 'community', 'commerce', 'audit'];

/** A folder may import only from the folders after it. */
const LAYERS: readonly string[] = ['processes', 'http', 'commands', 'queries', 'projections', 'domain'];

/** The location of a source file, or the name of a library. */
interface SourceLocation {
  readonly path: string;
  /** The first folder below src: `kernel`, `commerce`; '' for files directly in src, null for libraries. */
  readonly topFolder: string | null;
  /** The folder below an area: `domain`, `processes`. */
  readonly subfolder: string | null;
}

interface Rule {
  readonly description: string;
  readonly isBrokenBy: (from: SourceLocation, to: SourceLocation) => boolean;
}

/** A module only lists providers, so it may import any of them. */
const isWiring = ({ path, topFolder }: SourceLocation) => topFolder === '' || path.endsWith('.module.ts');
/** The configuration selects the store of a process. */
const isStoreConfiguration = (from: SourceLocation, to: SourceLocation) =>
  from.path === 'stores/stores.ts' && to.path === 'config/config.ts';
const isLibrary = ({ topFolder }: SourceLocation) => topFolder === null;
const isNode = ({ path }: SourceLocation) => path.startsWith('node:');
const isArea = ({ topFolder }: SourceLocation) => topFolder !== null && AREAS.includes(topFolder);
const isEdge = ({ topFolder, subfolder }: SourceLocation) => topFolder === 'http' || subfolder === 'http';
const isSameFolder = (from: SourceLocation, to: SourceLocation) =>
  from.topFolder === to.topFolder && from.subfolder === to.subfolder;

const RULES: readonly Rule[] = [
  {
    description: 'the kernel knows itself and Node alone',
    isBrokenBy: (from, to) => from.topFolder === 'kernel' && to.topFolder !== 'kernel' && !isNode(to),
  },
  {
    description: 'the engine knows the kernel alone',
    isBrokenBy: (from, to) =>
      from.topFolder === 'engine' && !isLibrary(to) && !['engine', 'kernel'].includes(to.topFolder!),
  },
  {
    description: 'stores know the kernel alone',
    isBrokenBy: (from, to) =>
      from.topFolder === 'stores' &&
      !isLibrary(to) &&
      !['stores', 'kernel'].includes(to.topFolder!) &&
      !isStoreConfiguration(from, to),
  },
  {
    description: 'a domain knows the kernel and its own folder alone',
    isBrokenBy: (from, to) => from.subfolder === 'domain' && to.topFolder !== 'kernel' && !isSameFolder(from, to),
  },
  {
    description: 'what answers HTTP never sees a store',
    isBrokenBy: (from, to) => isEdge(from) && to.topFolder === 'stores',
  },
  {
    description: 'commands, projections and processes know nothing of HTTP',
    isBrokenBy: (from, to) => ['commands', 'projections', 'processes'].includes(from.subfolder ?? '') && isEdge(to),
  },
  {
    description: 'areas meet in processes alone',
    isBrokenBy: (from, to) =>
      isArea(from) && isArea(to) && from.topFolder !== to.topFolder && from.subfolder !== 'processes',
  },
  {
    description: 'webhooks alone reads the public events of all areas, because it publishes them',
    isBrokenBy: (from, to) => to.path === 'public-events.ts' && from.topFolder !== 'webhooks',
  },
  {
    description: 'audit alone reads the audited streams of all areas, because it shows them',
    isBrokenBy: (from, to) => to.path === 'audited-streams.ts' && from.topFolder !== 'audit',
  },
  {
    description: 'within an area the way is http, commands, projections, domain; processes are called by nobody',
    isBrokenBy: (from, to) =>
      from.topFolder === to.topFolder &&
      LAYERS.indexOf(from.subfolder!) > LAYERS.indexOf(to.subfolder!) &&
      LAYERS.includes(to.subfolder!),
  },
  {
    description: 'what areas share knows no area',
    isBrokenBy: (from, to) => ['identity', 'http'].includes(from.topFolder ?? '') && isArea(to),
  },
];

/** Returns each violation of the architecture as a sentence. */
export function findViolations(sources: readonly SourceFile[]): string[] {
  return sources.flatMap((source) => [...checkFile(source), ...checkImports(source)]);
}

function checkFile({ path, lines }: SourceFile): string[] {
  return [
    ...(lines > MAX_LINES ? [`${path} has ${lines} lines: at most ${MAX_LINES}`] : []),
    ...(/(^|\/)index\.ts$/.test(path) ? [`${path} is a barrel: import the file that defines the thing`] : []),
  ];
}

function checkImports({ path, imports }: SourceFile): string[] {
  const from = locate(path);
  if (isWiring(from)) return [];
  return imports.flatMap((imported) => {
    const to = locate(imported);
    return RULES.filter(({ isBrokenBy }) => isBrokenBy(from, to)).map(
      ({ description }) => `${path} imports ${imported}: ${description}`,
    );
  });
}

function locate(path: string): SourceLocation {
  if (!path.endsWith('.ts')) return { path, topFolder: null, subfolder: null };
  const [cluster, room, ...rest] = path.split('/');
  if (room === undefined) return { path, topFolder: '', subfolder: null };
  return { path, topFolder: cluster!, subfolder: rest.length > 0 ? room : null };
}

/** Returns each group of files that import each other, types included, by Tarjan's algorithm. */
export function findImportCircles(sources: readonly SourceFile[]): string[][] {
  const importsByPath = new Map(sources.map(({ path, imports }) => [path, imports]));
  const indexes = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];

  /** Returns the lowest index that the file reaches on the stack. */
  function visit(path: string): number {
    const index = indexes.size;
    indexes.set(path, index);
    stack.push(path);
    const lowest = Math.min(index, ...importsByPath.get(path)!.map(reach));
    if (lowest === index) addCircle(path);
    return lowest;
  }

  function reach(path: string): number {
    if (!importsByPath.has(path)) return Infinity;
    if (!indexes.has(path)) return visit(path);
    return stack.includes(path) ? indexes.get(path)! : Infinity;
  }

  function addCircle(first: string): void {
    const members = stack.splice(stack.indexOf(first));
    if (members.length > 1) circles.push(members.sort());
  }

  for (const { path } of sources) if (!indexes.has(path)) visit(path);
  return circles;
}
