/** One variable of the environment: its parser, its default, and the texts for error messages. */
export interface Setting<T> {
  /** Returns the value, or undefined for an invalid text. */
  readonly parse: (text: string) => T | undefined;
  readonly fallback: T;
  readonly expected: string;
  readonly example: string;
  /** The value is never shown. */
  readonly secret?: true;
  /** Only tests set the value: it is not printed unless it is set. */
  readonly forTests?: true;
  /** An empty text is a mistake: somebody meant to set the value, and its source was empty. */
  readonly refusesBlank?: true;
}

/* eslint-disable-next-line @typescript-eslint/no-explicit-any -- settings of different types side by side */
export type Settings = Readonly<Record<string, Setting<any>>>;
export type ValuesOf<S extends Settings> = { readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never };
export type Environment = Readonly<Record<string, string | undefined>>;

export interface ParsedSettings<S extends Settings> {
  readonly values: ValuesOf<S>;
  /** One line for each mistake. */
  readonly mistakes: readonly string[];
}

export function defineSetting<T>(
  parse: (text: string) => T | undefined,
  fallback: T,
  expected: string,
  example: string,
): Setting<T> {
  return { parse, fallback, expected, example };
}

export function defineTestSetting<T>(...definition: Parameters<typeof defineSetting<T>>): Setting<T> {
  return { ...defineSetting(...definition), forTests: true };
}

export function defineSecret<T>(
  parse: (text: string) => T | undefined,
  fallback: T,
  expected: string,
  example: string,
): Setting<T> {
  return { parse, fallback, expected, example, secret: true };
}

export function defineCredential<T>(...definition: Parameters<typeof defineSecret<T>>): Setting<T> {
  return { ...defineSecret(...definition), refusesBlank: true };
}

/** Reads all settings. An empty text counts as missing, except for a credential. */
export function readSettings<S extends Settings>(settings: S, env: Environment): ParsedSettings<S> {
  const mistakes: string[] = [];
  const values = Object.entries(settings).map(([name, setting]) => {
    const text = env[name]?.trim() ?? '';
    if (text === '') {
      if (env[name] !== undefined && setting.refusesBlank) mistakes.push(describeMistake(settings, name, text));
      return [name, setting.fallback] as const;
    }
    const value: unknown = setting.parse(text);
    if (value === undefined) mistakes.push(describeMistake(settings, name, text));
    return [name, value] as const;
  });
  return { values: Object.fromEntries(values) as ValuesOf<S>, mistakes };
}

export function describeMistake(settings: Settings, name: string, given: string | undefined, instead?: string): string {
  const { expected, example, secret, fallback } = settings[name] as Setting<unknown>;
  // The default value is public, so it may be shown.
  const shown =
    given === undefined
      ? 'is not set'
      : given === ''
        ? 'is empty'
        : `is ${secret && given !== fallback ? '(hidden)' : JSON.stringify(given)}`;
  return `${name} ${shown}: expected ${instead ?? expected}, for example ${name}=${example}`;
}

/** Returns one line for each unknown name that has the prefix of a known name. */
export function findUnknownNames(settings: Settings, env: Environment): string[] {
  const known = Object.keys(settings);
  const prefixes = new Set(known.filter((name) => name.includes('_')).map(toPrefix));
  return Object.keys(env)
    .filter((name) => name.includes('_') && !known.includes(name) && prefixes.has(toPrefix(name)))
    .map((name) => `${name} is not a variable of this service; did you mean ${findNearest(name, known)}?`);
}

function toPrefix(name: string): string {
  return name.slice(0, name.indexOf('_'));
}

function findNearest(name: string, known: readonly string[]): string {
  return known.reduce((best, other) => (editDistance(name, other) < editDistance(name, best) ? other : best));
}

/** Returns the Levenshtein distance of two texts. */
export function editDistance(a: string, b: string): number {
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

export function integerBetween(min: number, max: number): (text: string) => number | undefined {
  return (text) => {
    const value = Number(text);
    return /^\d+$/.test(text) && value >= min && value <= max ? value : undefined;
  };
}

export function createChoiceParser<T extends string>(...all: readonly T[]): (text: string) => T | undefined {
  return (text) => all.find((one) => one === text);
}

export function parseBoolean(text: string): boolean | undefined {
  return text === 'true' ? true : text === 'false' ? false : undefined;
}

export function parseList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Returns a parser of comma-separated lists. One invalid item makes the list invalid. */
export function createListParser<T>(parse: (item: string) => T | undefined): (text: string) => T[] | undefined {
  return (text) => {
    const values = parseList(text).map(parse);
    return values.includes(undefined) ? undefined : (values as T[]);
  };
}

export function parseText(given: string): string {
  return given;
}

export function parseHttpUrl(given: string): string | undefined {
  return URL.canParse(given) && /^https?:$/.test(new URL(given).protocol) ? given.replace(/\/+$/, '') : undefined;
}

export function parseSeconds(given: string): number | undefined {
  const value = Number(given);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}
