import { dirname, resolve } from 'node:path';
import { inspect } from 'node:util';
import { CommanderError } from 'commander';
import { ConfigError, findEmbeddedFile } from '../../config/config.js';
import { describeOperatorError } from '../../startup/operator-errors.js';
import { surviveStoreClients } from '../../startup/unhandled.js';
import { CliError } from './cli.js';
import { replaceControlCharacters } from './format.js';
import { EXIT_INTERRUPTED, Interrupted } from './interruption.js';
import { createProgram } from './program.js';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const EXIT_CONFIG = 78;

/** Names of expected errors. Importing their classes would load much of the service at every start. */
const EXPECTED_ERRORS = [
  'BuildRefused',
  'PoisonEvent',
  'StoreUnavailable',
  'StreamDeleted',
  'MalformedEvent',
  'KeyMismatch',
  'Rejection',
  'InvalidStoreUrl',
  'MigrationError',
  'DamagedFile',
  'OperatorError',
];
/** Error codes of a data directory that cannot be used. An operator can correct it. */
const CONFIG_ERRORS = new Set<unknown>(['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR', 'EEXIST', 'EROFS']);
const ABORTED_ERROR = 'AbortedError';

// A reader may close the pipe before the end of the output.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : EXIT_FAILED));
surviveStoreClients((message) => console.error(message));
process.exitCode = await run(process.argv.slice(2));

async function run(args: string[]): Promise<number> {
  try {
    await createProgram().parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    return reportError(error);
  }
}

function reportError(error: unknown): number {
  // Commander has printed the error already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
  if (error instanceof ConfigError) return printErrors(error.mistakes, EXIT_CONFIG);
  if (error instanceof Interrupted) return printErrors([error.message], EXIT_INTERRUPTED);
  if (error instanceof Error && error.name === ABORTED_ERROR) return printErrors([error.message], EXIT_INTERRUPTED);
  if (error instanceof Error && EXPECTED_ERRORS.includes(error.name)) return printErrors([error.message], EXIT_FAILED);
  if (error instanceof CliError) return printErrors([error.message], EXIT_FAILED);
  const described = describeOperatorError(error);
  if (described !== null) return printErrors([described], isAboutDataDirectory(error) ? EXIT_CONFIG : EXIT_FAILED);
  // With the stacks of its causes.
  return printErrors(inspect(error).split('\n'), EXIT_FAILED);
}

/** Any other path is one that the command names. */
function isAboutDataDirectory(error: unknown): boolean {
  const { code, path } = error as NodeJS.ErrnoException;
  const file = findEmbeddedFile(process.env);
  if (file === null || path === undefined || !CONFIG_ERRORS.has(code)) return false;
  return `${resolve(path)}/`.startsWith(`${dirname(file)}/`);
}

/** A message may repeat stored text. */
function printErrors(lines: readonly string[], exitCode: number): number {
  for (const line of lines) console.error(replaceControlCharacters(line));
  return exitCode;
}
