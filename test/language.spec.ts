import { join } from 'node:path';
import { findBrokenLinks, findMissingFiles, findMissingPaths, findWideLines } from './support/documents.js';
import {
  findOddStoredNames,
  findRefusedNames,
  findRefusedPhrases,
  findUnusedTerms,
  listFiles,
  readTexts,
  type TextFile,
} from './support/language.js';

const ROOT = join(import.meta.dirname, '..');
/** The files of the language check itself, which contain the refused words. */
const OWN_FILES = ['test/language.spec.ts', 'test/support/language.ts'];

const SOURCES = ['src', 'test', 'bin', 'clients', 'console/src', 'console/chunk-budget.ts'];
const sources = readTexts(ROOT, SOURCES, /\.(tsx?|mjs|py)$/);
const code = sources.filter(({ path }) => !OWN_FILES.includes(path) && !path.includes('/dist/'));
const DOCUMENTS = ['README.md', 'GLOSSARY.md', 'console/README.md', 'clients', 'docs', 'src', 'test'];
const documents = readTexts(ROOT, DOCUMENTS, /\.md$/);

const readmes = documents.filter(({ path }) => /^(src|test|console|docs\/areas)\//.test(path));

describe('The language of the project', () => {
  it('has only terms of the field in names', () => expect(findRefusedNames(code)).toEqual([]));

  it('has one form for each kind of stored name', () =>
    expect(findOddStoredNames(code.filter(({ path }) => path.startsWith('src/')))).toEqual([]));

  it('is plain in comments, messages, test titles and documents', () =>
    expect(findRefusedPhrases([...code, ...documents])).toEqual([]));

  it('names only existing files in documents', () =>
    expect(findMissingFiles(documents, [...sources.map(({ path }) => path), 'receiver.mjs', 'product.mjs'])).toEqual(
      [],
    ));

  it('links only to existing files in documents', () => expect(findBrokenLinks(ROOT, documents)).toEqual([]));

  it('names only existing files and folders in READMEs', () =>
    expect(
      findMissingPaths(
        readmes,
        ['.ci', 'bin', 'console/src', 'docs', 'src', 'test'].flatMap((folder) => listFiles(ROOT, folder)),
      ),
    ).toEqual([]));

  it('wraps the prose of READMEs', () => expect(findWideLines(readmes)).toEqual([]));

  it('defines only terms that the code uses', () => {
    const { text } = documents.find(({ path }) => path === 'GLOSSARY.md')!;
    expect(
      findUnusedTerms(
        text,
        code.filter(({ path }) => path.startsWith('src/')),
      ),
    ).toEqual([]);
  });
});

describe('The language check', () => {
  const file = (text: string): TextFile[] => [{ path: 'src/kernel/event.ts', text }];

  it.each([
    ['const bell = 1;'],
    ['function ringBell() {}'],
    ['const x = { BELL_MS: 1 };'],
    ['f.putBack();'],
    ["const x = { name: 'bell' };"],
    ["class A { readonly queue = 'tell-all'; }"],
    ["this.name = 'Behind';"],
  ])('refuses the name in %s', (text) => expect(findRefusedNames(file(text))).toHaveLength(1));

  it('refuses names and phrases in Python, but no words of its strings as names', () => {
    const [text, path] = [
      'def ring_bell() -> None:\n    """Rings a bell anew."""\n    x = "bell"  # bell\n',
      'clients/a.py',
    ];
    expect(findRefusedNames([{ path, text }])).toEqual(['clients/a.py: ring_bell']);
    expect(findRefusedPhrases([{ path, text }])).toHaveLength(1);
  });

  it('accepts a name that only contains the letters of a refused word', () =>
    expect(findRefusedNames(file('const still = doorbells;'))).toEqual([]));

  it.each([
    ['src/a/domain/b.ts', "const decider = { category: 'two_words' };"],
    ['src/a/projections/b.ts', "const projection = { name: 'two_words' };"],
    ['src/a/processes/b.ts', "class Process { readonly name = 'twoWords'; }"],
    ['src/a/processes/b.ts', "const EXPORT_QUEUE = 'twoWords';"],
    ['src/a/delivery/b.ts', "const exports = declareQueue<Export>({ name: 'twoWords' });"],
    ['src/a/delivery/b.ts', "const exports = declareTimerQueue('twoWords');"],
  ])('refuses a stored name of another form in %s: %s', (path, text) =>
    expect(findOddStoredNames([{ path, text }])).toHaveLength(1),
  );

  it.each([
    ['// Whoever asks.'],
    ['/** Made anew. */'],
    ['/** What a member did. */'],
    ["throw new Error('none behind it');"],
    ['f(`${a} by then`);'],
  ])('refuses the phrase in %s', (text) => expect(findRefusedPhrases(file(text))).toHaveLength(1));

  it.each([
    ['`domain/`', 0],
    ['`event` and `either/or` in `domain/event.ts`', 1],
    ['`a/domain`, `a/domain/event`, `a/domain/event.ts`, `domain/event.ts`', 0],
    ['`b/domain/`', 1],
    ['```\n`b/domain`\n```', 0],
  ])('counts the missing paths of %j: %d', (text, count) =>
    expect(findMissingPaths([{ path: 'src/a/README.md', text }], ['src/a/domain/event.ts'])).toHaveLength(count),
  );

  it('refuses a link to a missing file, and accepts a path of the service', () =>
    expect(
      findBrokenLinks(ROOT, [{ path: 'src/a.md', text: '[a](../test#b) [b](missing.md) [c](/docs) [d](https://d)' }]),
    ).toEqual(['src/a.md: missing.md']));

  it('accepts a phrase that is one word of a protocol', () =>
    expect(findRefusedPhrases(file("const name = 'behind';"))).toEqual([]));
});
