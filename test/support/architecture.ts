import type { SourceFile } from './import-graph.js';

const MAX_LINES = 250;
/** Areas meet in `processes` alone. */
const AREAS = ['webhooks', 'community', 'commerce', 'audit'];

/** The place of the files that are in no folder of their area. */
const LOOSE = '';
/** The folders of all areas: an area has some of them. A folder may import only from the folders after it. */
const LAYERS: readonly string[] = [
  'features',
  'http',
  'gateways',
  'streaming',
  'processes',
  'commands',
  'queries',
  'exports',
  'history',
  'verification',
  'readers',
  LOOSE,
  'access',
  'delivery',
  'projections',
  'chain',
  'domain',
];
/** A gateway hands the results of the payment provider to the processes that wait for them. */
const CALLERS_OF_PROCESSES = ['features', 'gateways', 'processes'];

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

/** A module only lists providers, so it may import any of them. Global modules provide the ports that `http` uses. */
const isWiring = ({ path, topFolder }: SourceLocation) =>
  topFolder === '' || (path.endsWith('.module.ts') && topFolder !== 'http');
/** The configuration selects the store of a process. */
const isStoreConfiguration = (from: SourceLocation, to: SourceLocation) =>
  from.path === 'stores/stores.ts' && to.path === 'config/config.ts';
const isLibrary = ({ topFolder }: SourceLocation) => topFolder === null;
const isNode = ({ path }: SourceLocation) => path.startsWith('node:');
const isArea = ({ topFolder }: SourceLocation) => topFolder !== null && AREAS.includes(topFolder);
const isLayered = (location: SourceLocation) => isArea(location) || location.topFolder === 'identity';
const isSameArea = (from: SourceLocation, to: SourceLocation) => isLayered(from) && from.topFolder === to.topFolder;
/** The files of `identity` that are in none of these folders have no layer. */
const hasLayer = ({ topFolder, subfolder }: SourceLocation) =>
  LAYERS.includes(subfolder ?? LOOSE) && (subfolder !== null || topFolder !== 'identity');
const layerOf = ({ subfolder }: SourceLocation) => LAYERS.indexOf(subfolder ?? LOOSE);
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
    description: 'in an area, http alone knows of HTTP',
    isBrokenBy: (from, to) => isLayered(from) && !['features', 'http'].includes(from.subfolder ?? LOOSE) && isEdge(to),
  },
  {
    description: 'areas meet in processes alone',
    isBrokenBy: (from, to) =>
      isArea(from) && isArea(to) && from.topFolder !== to.topFolder && from.subfolder !== 'processes',
  },
  {
    description: 'areas do not import what joins the features of all areas',
    isBrokenBy: (from, to) => to.path === 'features.ts' && !['', 'operations'].includes(from.topFolder!),
  },
  {
    description: 'within an area the way is http, commands, queries, projections, domain',
    isBrokenBy: (from, to) => isSameArea(from, to) && hasLayer(from) && hasLayer(to) && layerOf(from) > layerOf(to),
  },
  {
    description: 'processes are called by gateways alone',
    isBrokenBy: (from, to) =>
      isSameArea(from, to) && to.subfolder === 'processes' && !CALLERS_OF_PROCESSES.includes(from.subfolder ?? LOOSE),
  },
  {
    description: 'what areas share knows no area',
    isBrokenBy: (from, to) => ['identity', 'http'].includes(from.topFolder ?? '') && isArea(to),
  },
  {
    description: 'http knows identity by the ports of the kernel alone',
    isBrokenBy: (from, to) => from.topFolder === 'http' && to.topFolder === 'identity',
  },
];

/** Returns each violation of the architecture as a sentence. */
export function findViolations(sources: readonly SourceFile[]): string[] {
  return sources.flatMap((source) => [...checkFile(source), ...checkImports(source)]);
}

function checkFile({ path, lines }: SourceFile): string[] {
  return [
    ...(lines > MAX_LINES ? [`${path} has ${lines} lines: at most ${MAX_LINES}`] : []),
    ...(isArea(locate(path)) && !hasLayer(locate(path)) ? [`${path} is in a folder that LAYERS does not have`] : []),
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
