import { CommanderError } from 'commander';
import { ConfigError } from '../config.js';
import { surviveStoreClients } from '../unhandled.js';
import { EXIT_INTERRUPTED, Interrupted } from './interruption.js';
import { program } from './program.js';
import { CannotDo } from './toolbox.js';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const EXIT_CONFIG = 78;

/** Names of expected errors. Importing their classes would load much of the service at every start. */
const EXPECTED = [
  'BuildRefused',
  'Poison',
  'StoreUnavailable',
  'StreamDeleted',
  'MalformedEvent',
  'OtherKeys',
  'Rejection',
  'WrongAddress',
  'MovingIn',
  'DamagedFile',
];
/** Error codes of a data directory that cannot be used. An operator can correct it. */
const MENDABLE = new Set<unknown>(['EACCES', 'ENOTDIR', 'EEXIST', 'EROFS']);
const STOPPED = 'Stopped';

// A reader may close the pipe before the end of the output.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : EXIT_FAILED));
surviveStoreClients((message) => console.error(message));
process.exitCode = await run(process.argv.slice(2));

async function run(words: string[]): Promise<number> {
  try {
    await program().parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    return exitCodeOf(error);
  }
}

function exitCodeOf(error: unknown): number {
  // Commander has printed the error already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
  if (error instanceof ConfigError) return say(error.mistakes, EXIT_CONFIG);
  if (error instanceof Interrupted) return say([error.message], EXIT_INTERRUPTED);
  if (error instanceof Error && error.name === STOPPED) return say([error.message], EXIT_INTERRUPTED);
  if (error instanceof Error && EXPECTED.includes(error.name)) return say([error.message], EXIT_FAILED);
  if (error instanceof Error && 'code' in error && MENDABLE.has(error.code)) return say([error.message], EXIT_CONFIG);
  if (error instanceof CannotDo) return say([error.message], EXIT_FAILED);
  return say([error instanceof Error ? (error.stack ?? error.message) : String(error)], EXIT_FAILED);
}

function say(lines: readonly string[], exitCode: number): number {
  for (const line of lines) console.error(line);
  return exitCode;
}
