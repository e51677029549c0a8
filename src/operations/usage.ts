import { Command, InvalidArgumentError, Option } from 'commander';

const EXIT_CODES = 'Exit codes: 0 done, 1 failed, 2 wrong usage, 78 wrong configuration, 130 stopped by Ctrl-C';

/** What every help ends with. */
export function helpAfter(example: string): string {
  return `\nExample:\n  npm run ops -- ${example}\n\n${EXIT_CODES}`;
}

/** A command with its one example; `--json` is everywhere. */
export function command(name: string, description: string, example: string): Command {
  return new Command(name)
    .description(description)
    .option('--json', 'print one JSON document; commands that run until Ctrl-C print one per line')
    .addHelpText('after', helpAfter(example));
}

/** Commands about one thing. */
export function group(name: string, description: string, example: string, commands: readonly Command[]): Command {
  const one = new Command(name).description(description).addHelpText('after', helpAfter(example));
  for (const inner of commands) one.addCommand(inner);
  return one;
}

export function limitOption(description: string, fallback: number): Option {
  return new Option('--limit <n>', description).argParser(fromOne).default(fallback);
}

export function fromOne(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It has to be a whole number from 1 on.');
  return Number(text);
}

/** @throws InvalidArgumentError unless it is a time in ISO 8601, a date alone being its midnight in UTC */
export function time(text: string): number {
  const ms =
    isDay(text.slice(0, 'yyyy-mm-dd'.length)) && /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.test(text)
      ? Date.parse(text)
      : NaN;
  if (Number.isNaN(ms)) throw new InvalidArgumentError('It has to be a time such as 2026-02-01 or 2026-02-01T09:00:00Z.');
  return ms;
}

/** Which a 30th of February is not, though a Date takes it for the 2nd of March. */
function isDay(date: string): boolean {
  const ms = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date);
}

/** The names that a command was given, or none for all of them; wrong usage unless it is one of the two. */
export function namedOrAll(command: Command, names: readonly string[], { all = false }: { readonly all?: boolean }): readonly string[] {
  if (all === names.length > 0) command.error('error: name projections, or say --all');
  return names;
}
