import 'reflect-metadata';
import { Command, CommanderError } from 'commander';
import { ConfigError } from '../config.js';
import { businessesCommand } from './businesses.js';
import { keysCommand } from './keys.js';
import { tokensCommand } from './tokens.js';
import { CannotDo } from './toolbox.js';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const EXIT_CONFIG = 78;

process.exitCode = await run(process.argv.slice(2));

async function run(words: string[]): Promise<number> {
  try {
    await program().parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    return exitCodeOf(error);
  }
}

function program(): Command {
  const ops = new Command('ops')
    .description('the operator’s tool; works while the service runs and when it does not')
    .addHelpText('after', '\nExample:\n  npm run ops -- keys create --help')
    .addCommand(businessesCommand())
    .addCommand(keysCommand())
    .addCommand(tokensCommand());
  every(ops, (command) => strict(command));
  return ops;
}

function every(command: Command, change: (command: Command) => void): void {
  change(command);
  for (const inner of command.commands) every(inner, change);
}

/** Wrong usage is one line; a group by itself is wrong usage too. */
function strict(command: Command): void {
  command.exitOverride();
  if (command.commands.length === 0) return;
  command.argument('[command]').action((word?: string) => {
    command.error(word === undefined ? `error: which command? See ${command.name()} --help` : `error: unknown command '${word}'`);
  });
}

function exitCodeOf(error: unknown): number {
  // Commander has said it already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
  if (error instanceof ConfigError) return say(error.mistakes, EXIT_CONFIG);
  if (error instanceof CannotDo) return say([error.message], EXIT_FAILED);
  return say([error instanceof Error ? (error.stack ?? error.message) : String(error)], EXIT_FAILED);
}

function say(lines: readonly string[], exitCode: number): number {
  for (const line of lines) console.error(line);
  return exitCode;
}
