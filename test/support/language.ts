import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** Words that are not terms of the field, so that no name contains them. */
const REFUSED_WORDS = new Set(
  [
    'anew asking bed begun behind bell belongings blink bystander bystanders caretaker climb crew crowded desk doorbell',
    'elsewhere forgo forgone foremost gathering gleaning goods hear homes house hurry identifying keyring ladder lane',
    'lanes lately luck meanwhile mend mendable mended mortal nap neighbour neighbours nobody onlooker ours patience',
    'planted rung shelf spoiled stillness storm stranger strangers tell tells temper tempers theirs till told weather',
    'whatever whoever why wish wishes',
  ].flatMap((line) => line.split(' ')),
);
/** Names that mean nothing outside of this project. */
const REFUSED_NAMES = new Set(
  [
    'admittedTo answerInTime askAt atDesk atOnce BeginSending callerOf changesOf compiledTwin crashOf crossTo',
    'cutSilent disguised eachAtMost eachOf EndpointPlace endpointPlaces enterOrWait evolved faultyTelling FilePlans',
    'foldedInto followedAgain forBusinessOf guardEntrance heldUntil houseFile hydrate isAnswer isGone isSilence',
    'isTheStores isWell KeptClaim KeptJob lastOf laterThan lazyMs leftOpen lettersChanged lookThrough makeRoom mayBeAbsent',
    'mayPass mustReach noRow onceReachable ownedBy Patience patiently PaymentAwaited placeInLine putBack',
    'recordedOrSpoiled redeliverLanes refolded refuseTooMuch refuseUnfit refuseUnsaleable replayLane replayPlaces',
    'retrial roomIn sentBefore Sequel shownIn sometimes Standing standings tellLetters testAllowance thisHolder TokenWish',
    'touchedBy underWay unfit verdictOn withoutSkipped WrongAddress',
  ].flatMap((line) => line.split(' ').map((name) => splitWords(name).join(' '))),
);
/** Names that the command line and the web fix. */
const FIXED_NAMES = new Set(['left_behind']);

const REFUSED_PHRASES =
  /\b(whoever|whatever|anew|told|behind|meanwhile|by then|is none|of ours|unless told|comes to be|as it were)\b/i;

/** A comment opens with a verb or a noun. */
const REFUSED_OPENING = /^\/[*/]*[\s*]*(What|Who|Whose|Nothing|None|Of|By) /;

export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** Reads the files below some folders of the project, and some files. */
export function readTexts(root: string, folders: readonly string[], ending: RegExp): TextFile[] {
  const paths = folders.flatMap((path) => (ending.test(path) ? [path] : listFiles(root, path)));
  return paths
    .filter((path) => ending.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

/** Returns the paths of all files and folders below a folder of the project. */
export function listFiles(root: string, folder: string): string[] {
  const paths = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return paths.map((path) => join(folder, path).replaceAll('\\', '/'));
}

/** Returns each refused name and each path with a refused word. Strings that name something are names too. */
export function findRefusedNames(files: readonly TextFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const found = isRefusedName(path) ? [path] : [];
    const names = path.endsWith('.py') ? listPythonNames(text) : listNames(path, text);
    return [...new Set([...found, ...names.filter(isRefusedName).map((name) => `${path}: ${name}`)])];
  });
}

function listNames(path: string, text: string): string[] {
  const names: string[] = [];
  const stringNames = new Set(findStringNames(path, text).map(({ node }) => node));
  visitNodes(parse(path, text), (node) => {
    const isName = ts.isIdentifier(node) || (ts.isStringLiteralLike(node) && stringNames.has(node));
    if (isName) names.push(node.text);
  });
  return names;
}

const PYTHON_PROSE = /"""[^]*?"""|"(?:\\.|[^"\\\n])*"|#.*/g;

/** Returns the words of Python code outside of its strings and comments. */
function listPythonNames(text: string): string[] {
  return text.replaceAll(PYTHON_PROSE, '').match(/[A-Za-z_]\w*/g) ?? [];
}

function isRefusedName(name: string): boolean {
  const words = splitWords(name);
  if (FIXED_NAMES.has(name)) return false;
  return words.some((word) => REFUSED_WORDS.has(word)) || REFUSED_NAMES.has(words.join(' '));
}

interface StringName {
  /** The last word of the property or constant, or `error`. */
  readonly key: string;
  readonly node: ts.StringLiteralLike;
}

/** Returns the strings that name a projection, a reactor, a category, a queue or an error; no sentences. */
function findStringNames(path: string, text: string): StringName[] {
  const names: StringName[] = [];
  visitNodes(parse(path, text), (node) => {
    const [target, value] = readAssignment(node);
    const key = /(?:^|_)(name|category|queue|kind)$/i.exec(target)?.[1]?.toLowerCase();
    if (key === undefined || value === undefined || !ts.isStringLiteralLike(value)) return;
    if (!/\s/.test(value.text)) names.push({ key: ts.isBinaryExpression(node) ? 'error' : key, node: value });
  });
  return names;
}

function readAssignment(node: ts.Node): [target: string, value?: ts.Expression] {
  if (ts.isPropertyAssignment(node) || ts.isPropertyDeclaration(node) || ts.isVariableDeclaration(node))
    return ts.isIdentifier(node.name) ? [node.name.text, node.initializer] : [''];
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && /^declare\w*Queue$/.test(node.expression.text))
    return ['queue', findName(node.arguments[0])];
  const isName = ts.isBinaryExpression(node) && ts.isPropertyAccessExpression(node.left);
  return isName ? [node.left.name.text, node.right] : [''];
}

/** Returns the name in `declareQueue({ name: 'mails' })` and in `declareTimerQueue('mails')`. */
function findName(argument: ts.Expression | undefined): ts.Expression | undefined {
  if (argument === undefined || !ts.isObjectLiteralExpression(argument)) return argument;
  return argument.properties
    .filter(ts.isPropertyAssignment)
    .find(({ name }) => ts.isIdentifier(name) && name.text === 'name')?.initializer;
}

/** Stored names last for ever: those of categories and projections are camelCase, of reactors and queues kebab-case. */
export function findOddStoredNames(files: readonly TextFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    findStringNames(path, text)
      .filter(({ key, node }) => !(STORED_NAME_FORMS.get(findNameKind(path, key))?.test(node.text) ?? true))
      .map(({ node }) => `${path}: ${node.text}`),
  );
}

const STORED_NAME_FORMS = new Map([
  ['category', /^[a-z]+([A-Z][a-z]+)*$/],
  ['projection', /^[a-z]+([A-Z][a-z]+)*$/],
  ['reactor', /^[a-z]+(-[a-z]+)*$/],
  ['queue', /^[a-z]+(-[a-z]+)*$/],
]);

function findNameKind(path: string, key: string): string {
  if (key === 'name' && path.includes('/projections/')) return 'projection';
  return key === 'name' && path.includes('/processes/') ? 'reactor' : key;
}

/** `readModelOf` → `read`, `model`, `of`. */
function splitWords(name: string): string[] {
  return name.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z]+/).map((word) => word.toLowerCase());
}

/** Returns each comment and each sentence in a string with a refused phrase or opening. */
export function findRefusedPhrases(files: readonly TextFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    listProse(path, text)
      .filter((prose) => REFUSED_PHRASES.test(prose) || REFUSED_OPENING.test(prose))
      .map((prose) => `${path}: ${prose.replaceAll(/\s+/g, ' ')}`),
  );
}

/** Returns the comments and the strings of several words; of Markdown, the lines. */
function listProse(path: string, text: string): string[] {
  if (path.endsWith('.md')) return text.split('\n');
  if (path.endsWith('.py')) return text.match(PYTHON_PROSE) ?? [];
  const source = parse(path, text);
  const strings: string[] = [];
  visitNodes(source, (node) => {
    const isString = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
    if ((isString || ts.isJsxText(node)) && node.text.trim().includes(' ')) strings.push(node.text);
  });
  return [...listComments(source), ...strings];
}

function listComments(source: ts.SourceFile): string[] {
  const ranges = new Map<number, string>();
  const add = (found: readonly ts.CommentRange[] = []) =>
    found.forEach(({ pos, end }) => ranges.set(pos, source.text.slice(pos, end)));
  visitNodes(source, (node) => {
    add(ts.getLeadingCommentRanges(source.text, node.pos));
    add(ts.getTrailingCommentRanges(source.text, node.end));
  });
  return [...ranges.values()];
}

/** Returns the terms of a glossary that no name of the code contains. */
export function findUnusedTerms(glossary: string, code: readonly TextFile[]): string[] {
  const names = new Set<string>();
  for (const { path, text } of code)
    visitNodes(parse(path, text), (node) => {
      if (ts.isIdentifier(node)) names.add(` ${splitWords(node.text).join(' ')}`);
    });
  const all = [...names].join('\n');
  const terms = [...glossary.matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, term]) => term!);
  return terms.filter((term) => !all.includes(` ${term.toLowerCase()}`));
}

const parsed = new Map<string, ts.SourceFile>();

function parse(path: string, text: string): ts.SourceFile {
  const source = parsed.get(text) ?? ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  parsed.set(text, source);
  return source;
}

export function visitNodes(node: ts.Node, use: (node: ts.Node) => void): void {
  use(node);
  ts.forEachChild(node, (child) => visitNodes(child, use));
}
