import { Command, InvalidArgumentError, Option } from 'commander';

const DAY_MS = 24 * 60 * 60 * 1_000;
const EXIT_CODES = 'Exit codes: 0 done, 1 failed, 2 wrong usage, 78 wrong configuration, 130 stopped by Ctrl-C';

/** Returns the end of every help text. */
export function formatHelpFooter(example: string): string {
  return `\nExample:\n  npm run ops -- ${example}\n\n${EXIT_CODES}`;
}

export function defineCommand(name: string, description: string, example: string): Command {
  return new Command(name)
    .description(description)
    .option('--json', 'print one JSON document; commands that run until Ctrl-C print one per line')
    .addHelpText('after', formatHelpFooter(example));
}

export function defineGroup(name: string, description: string, example: string, commands: readonly Command[]): Command {
  const one = new Command(name).description(description).addHelpText('after', formatHelpFooter(example));
  for (const inner of commands) one.addCommand(inner);
  return one;
}

export function defineLimitOption(description: string, fallback: number): Option {
  return new Option('--limit <n>', description).argParser(parsePositiveInteger).default(fallback);
}

export function parsePositiveInteger(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of at least 1.');
  return Number(text);
}

/** Parses an ISO 8601 time; a date without a time is midnight in UTC. @throws InvalidArgumentError */
export function parseTime(text: string): number {
  const ms =
    isCalendarDate(text.slice(0, 'yyyy-mm-dd'.length)) &&
    /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.test(text)
      ? Date.parse(text)
      : NaN;
  if (Number.isNaN(ms)) throw new InvalidArgumentError('It must be a time such as 2026-02-01 or 2026-02-01T09:00:00Z.');
  return ms;
}

/** Parses an ISO 8601 time; a date without a time is the end of that day in UTC. @throws InvalidArgumentError */
export function parseLastTime(text: string): number {
  const ms = parseTime(text);
  return text.includes('T') ? ms : ms + DAY_MS - 1;
}

/** Returns whether the date exists. `Date` alone accepts 30 February as 2 March. */
function isCalendarDate(date: string): boolean {
  const ms = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date);
}

/**
 * Returns the given names, or an empty list for `--all`. Reports wrong usage unless exactly one of the two is given.
 */
export function requireNamesOrAll(
  command: Command,
  names: readonly string[],
  { all = false }: { readonly all?: boolean },
): readonly string[] {
  if (all === names.length > 0) command.error('error: name projections or use --all');
  return names;
}
