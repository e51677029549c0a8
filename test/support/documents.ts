import { dirname } from 'node:path';
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

/** Returns each line of prose that is wider than the code; a table, a block of code and a link cannot be wrapped. */
export function findWideLines(documents: readonly TextFile[]): string[] {
  return documents.flatMap(({ path, text }) =>
    text
      .replaceAll(/^( *)```.*?^\1```/gms, '')
      .split('\n')
      .filter((line) => line.length > MAX_WIDTH && !/^ *\||^\S+$/.test(line))
      .map((line) => `${path}: ${line}`),
  );
}
