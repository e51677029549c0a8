/** One variable of the environment: its parser, its default, and the texts for error messages. */
export interface Setting<T> {
  /** Returns the value, or undefined for an invalid text. */
  readonly parse: (text: string) => T | undefined;
  readonly fallback: T;
  readonly expected: string;
  readonly example: string;
  /** The value is never shown. */
  readonly secret?: true;
}

/* eslint-disable-next-line @typescript-eslint/no-explicit-any -- settings of different types side by side */
export type Settings = Readonly<Record<string, Setting<any>>>;
export type ValuesOf<S extends Settings> = { readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never };
export type Environment = Readonly<Record<string, string | undefined>>;

export interface Reading<S extends Settings> {
  readonly values: ValuesOf<S>;
  /** One line for each mistake. */
  readonly mistakes: readonly string[];
}

export function setting<T>(parse: (text: string) => T | undefined, fallback: T, expected: string, example: string): Setting<T> {
  return { parse, fallback, expected, example };
}

export function secret<T>(parse: (text: string) => T | undefined, fallback: T, expected: string, example: string): Setting<T> {
  return { parse, fallback, expected, example, secret: true };
}

/** Reads all settings. An empty text counts as missing. */
export function readSettings<S extends Settings>(settings: S, env: Environment): Reading<S> {
  const mistakes: string[] = [];
  const values = Object.entries(settings).map(([name, setting]) => {
    const text = env[name]?.trim() ?? '';
    if (text === '') return [name, setting.fallback] as const;
    const value: unknown = setting.parse(text);
    if (value === undefined) mistakes.push(mistake(settings, name, text));
    return [name, value] as const;
  });
  return { values: Object.fromEntries(values) as ValuesOf<S>, mistakes };
}

export function mistake(settings: Settings, name: string, given: string | undefined, instead?: string): string {
  const { expected, example, secret, fallback } = settings[name] as Setting<unknown>;
  // The default value is public, so it may be shown.
  const shown = given === undefined ? 'is not set' : `is ${secret && given !== fallback ? '(hidden)' : JSON.stringify(given)}`;
  return `${name} ${shown}: expected ${instead ?? expected}, for example ${name}=${example}`;
}

/** Returns one line for each unknown name that has the prefix of a known name. */
export function unknownNames(settings: Settings, env: Environment): string[] {
  const known = Object.keys(settings);
  const prefixes = new Set(known.filter((name) => name.includes('_')).map(prefixOf));
  return Object.keys(env)
    .filter((name) => name.includes('_') && !known.includes(name) && prefixes.has(prefixOf(name)))
    .map((name) => `${name} is not a variable of this service; did you mean ${nearest(name, known)}?`);
}

function prefixOf(name: string): string {
  return name.slice(0, name.indexOf('_'));
}

function nearest(name: string, known: readonly string[]): string {
  return known.reduce((best, other) => (distance(name, other) < distance(name, best) ? other : best));
}

/** Returns the Levenshtein distance of two texts. */
export function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}

export function whole(min: number, max: number): (text: string) => number | undefined {
  return (text) => {
    const value = Number(text);
    return /^\d+$/.test(text) && value >= min && value <= max ? value : undefined;
  };
}

export function oneOf<T extends string>(...all: readonly T[]): (text: string) => T | undefined {
  return (text) => all.find((one) => one === text);
}

export function flag(text: string): boolean | undefined {
  return text === 'true' ? true : text === 'false' ? false : undefined;
}

export function list(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Returns a parser of comma-separated lists. One invalid item makes the list invalid. */
export function listOf<T>(parse: (item: string) => T | undefined): (text: string) => T[] | undefined {
  return (text) => {
    const values = list(text).map(parse);
    return values.includes(undefined) ? undefined : (values as T[]);
  };
}

export function text(given: string): string {
  return given;
}

export function httpUrl(given: string): string | undefined {
  return URL.canParse(given) && /^https?:$/.test(new URL(given).protocol) ? given.replace(/\/+$/, '') : undefined;
}

export function seconds(given: string): number | undefined {
  const value = Number(given);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}
