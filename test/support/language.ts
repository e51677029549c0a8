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
/** Names that the command line and the web fix. */
const FIXED_NAMES = new Set(['left_behind']);

const REFUSED_PHRASES =
  /\b(whoever|whatever|anew|told|behind|meanwhile|by then|is none|of ours|unless told|comes to be|as it were)\b/i;

export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** Reads the files below some folders of the project, and some files. */
export function readTexts(root: string, folders: readonly string[], ending: RegExp): TextFile[] {
  const below = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file));
  const paths = folders.flatMap((path) => (ending.test(path) ? [path] : below(path)));
  return paths
    .filter((path) => ending.test(path))
    .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join(root, path), 'utf8') }));
}

/** Returns each name and path with a refused word. */
export function findRefusedNames(files: readonly TextFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const found = hasRefusedWord(path) ? [path] : [];
    visitNodes(parse(path, text), (node) => {
      if (ts.isIdentifier(node) && hasRefusedWord(node.text) && !FIXED_NAMES.has(node.text))
        found.push(`${path}: ${node.text}`);
    });
    return [...new Set(found)];
  });
}

function hasRefusedWord(name: string): boolean {
  return splitWords(name).some((word) => REFUSED_WORDS.has(word));
}

/** `readModelOf` → `read`, `model`, `of`. */
function splitWords(name: string): string[] {
  return name.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z]+/).map((word) => word.toLowerCase());
}

/** Returns each comment and each sentence in a string with a refused phrase. */
export function findRefusedPhrases(files: readonly TextFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    listProse(path, text)
      .filter((prose) => REFUSED_PHRASES.test(prose))
      .map((prose) => `${path}: ${prose.replaceAll(/\s+/g, ' ')}`),
  );
}

/** Returns the comments and the strings of several words; of Markdown, the lines. */
function listProse(path: string, text: string): string[] {
  if (path.endsWith('.md')) return text.split('\n');
  const source = parse(path, text);
  const strings: string[] = [];
  visitNodes(source, (node) => {
    const isString = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
    if (isString && node.text.trim().includes(' ')) strings.push(node.text);
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

/** Returns each file in backticks whose name ends no existing path. */
export function findMissingFiles(documents: readonly TextFile[], files: readonly string[]): string[] {
  return documents.flatMap(({ path, text }) =>
    [...text.matchAll(/`([\w./-]+\.(?:ts|mjs))`/g)]
      .filter(([, name]) => !files.some((file) => `/${file}`.endsWith(`/${name}`)))
      .map(([, name]) => `${path}: ${name}`),
  );
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

function visitNodes(node: ts.Node, use: (node: ts.Node) => void): void {
  use(node);
  ts.forEachChild(node, (child) => visitNodes(child, use));
}
