import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Environment } from '../../support/service-process.js';

const PRELOADED = pathToFileURL(join(import.meta.dirname, 'preloaded.mjs')).href;

/** What each name resolves to: at its first lookup, at its second …; the last addresses stay. Or the name that it is an alias of. */
export type Answers = Readonly<Record<string, string | readonly (readonly string[])[]>>;

/** A resolver that a service process is started under, and a record of every address that it has dialled. */
export class Rebinding {
  private readonly dialledFile: string;
  private readonly answersFile: string;

  constructor(folder: string, answers: Answers) {
    this.dialledFile = join(folder, 'dialled');
    this.answersFile = join(folder, 'answers.json');
    writeFileSync(this.dialledFile, '');
    writeFileSync(this.answersFile, JSON.stringify(answers));
  }

  get environment(): Environment {
    return { NODE_OPTIONS: `--import ${PRELOADED}`, REBINDING_ANSWERS: this.answersFile, REBINDING_DIALLED: this.dialledFile };
  }

  /** In their order. */
  get dialled(): string[] {
    return readFileSync(this.dialledFile, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  }
}
