import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { createProgram } from '../../../src/operations/cli/program.js';
import { CommandLine } from '../../support/command-line.js';

/** Commands that run until Ctrl-C, write outside the data folder, or take minutes. Other specs run them. */
const LONG = ['webhooks listen', 'seed', 'store backup', 'store restore', 'store export', 'store import', 'store copy'];
const TIMEOUT_MS = 60_000;

const examples = listCommands(createProgram(), [])
  .filter(({ words }) => words !== 'complete')
  .map(({ command, words }) => ({
    words,
    example: /\n {2}npm run ops -- (.+)/.exec(readHelp(command))![1]!,
  }));
const short = examples.filter(({ words, example }) => !LONG.includes(words) && !example.includes('--follow'));

describe('The example of a command', () => {
  let directory: string;
  let ops: CommandLine;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'ops-examples-'));
    ops = new CommandLine(directory, { LOG_LEVEL: 'silent' });
    await ops.runForDocument('businesses create --name Acme --owner-sub ann');
  }, TIMEOUT_MS);
  afterAll(() => rmSync(directory, { recursive: true }));

  it.each(examples)('is correct usage of the same command: $example', async ({ example, words }) => {
    const called: string[] = [];
    const program = createProgram();
    for (const { command, words: name } of listCommands(program, [])) command.action(() => void called.push(name));
    await program.parseAsync(splitWords(example), { from: 'user' });

    expect(called).toEqual([words]);
  });

  it.each(short)(
    'runs, or names the missing resource in one line: $example',
    async ({ example }) => {
      const { exitCode, err } = await ops.run(joinWords(splitWords(example)));

      expect([0, 1]).toContain(exitCode);
      if (exitCode === 1) expect(err).toMatch(/^[^\n]+\n$/);
      expect(err).not.toContain('    at ');
    },
    TIMEOUT_MS,
  );
});

/** Lists the commands without the groups. */
function listCommands(command: Command, path: readonly string[]): { command: Command; words: string }[] {
  if (command.commands.length === 0) return [{ command, words: path.join(' ') }];
  return command.commands.flatMap((inner) => listCommands(inner, [...path, inner.name()]));
}

function readHelp(command: Command): string {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  return help;
}

/** Splits a line as a shell does, with double quotes. */
function splitWords(line: string): string[] {
  return (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
}

/** The command line of the tests separates words by spaces. */
function joinWords(words: readonly string[]): string {
  return words.map((word) => word.replaceAll(' ', '-')).join(' ');
}
