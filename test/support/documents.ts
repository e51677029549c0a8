import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TextFile } from './language.js';

const MAX_WIDTH = 120;

/** Returns each file in backticks that exists neither below the folder of the document nor from `src` or the root. */
export function findMissingFiles(documents: readonly TextFile[], files: readonly string[]): string[] {
  return documents.flatMap(({ path, text }) => {
    const folder = /^(docs\/)?[^/]+$/.test(path) ? '' : dirname(path);
    const exists = (name: string) =>
      files.some((file) => file === name || file === `src/${name}` || isFileBelow(file, folder, name));
    return [...text.matchAll(/`([\w./-]+\.(?:tsx?|mjs))`/g)]
      .filter(([, name]) => !exists(name!))
      .map(([, name]) => `${path}: ${name}`);
  });
}

function isFileBelow(file: string, folder: string, name: string): boolean {
  return file.startsWith(folder && `${folder}/`) && `/${file}`.endsWith(`/${name}`);
}

/** Returns each link to a file that does not exist. A link that begins with `/` is a path of the service. */
export function findBrokenLinks(root: string, documents: readonly TextFile[]): string[] {
  return documents.flatMap(({ path, text }) =>
    [...removeCode(text).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
      .map(([, link]) => link!)
      .filter((link) => !/^([a-z]+:|\/)/.test(link) && !existsSync(join(root, dirname(path), link)))
      .map((link) => `${path}: ${link}`),
  );
}

/** The folders that a path in a document may start from, besides the folder of the document. */
const START_FOLDERS = ['', 'src', 'test'];
/** A path may omit the ending of a TypeScript file. */
const ENDINGS = ['', '.ts', '.spec.ts'];

/** Returns each path with a slash in backticks that is neither a file nor a folder. */
export function findMissingPaths(documents: readonly TextFile[], files: readonly string[]): string[] {
  return documents.flatMap(({ path, text }) => {
    const folder = dirname(path);
    const exists = (name: string) => {
      const paths = [folder, ...START_FOLDERS].map((start) => join(start, name));
      return files.some((file) => paths.some((each) => isAt(file, each)) || isFileBelow(file, folder, name));
    };
    return [...removeCode(text).matchAll(/`([\w.-]+(?:\/[\w.-]+)*)(\/?)`/g)]
      .filter(([, name, end]) => (end === '/' || name!.includes('/')) && !exists(name!))
      .map(([, name]) => `${path}: ${name}`);
  });
}

/** Returns whether the path names the file or a folder of it. */
function isAt(file: string, path: string): boolean {
  return file.startsWith(`${path}/`) || ENDINGS.some((ending) => file === path + ending);
}

function removeCode(text: string): string {
  return text.replaceAll(/^( *)```.*?^\1```/gms, '');
}

/** Returns each line of prose that is wider than the code; a table, a block of code and a link cannot be wrapped. */
export function findWideLines(documents: readonly TextFile[]): string[] {
  return documents.flatMap(({ path, text }) =>
    removeCode(text)
      .split('\n')
      .filter((line) => line.length > MAX_WIDTH && !/^ *\||^\S+$/.test(line))
      .map((line) => `${path}: ${line}`),
  );
}
