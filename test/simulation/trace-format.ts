/** Formats the arguments of a call: a job by its key, a document by its id and position, checkpoints as JSON. */
export function formatArguments(args: readonly unknown[]): string {
  return args.slice(0, 2).map(formatArgument).join(' ');
}

/** Formats the result of a call. */
export function formatResult(value: unknown): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.length === 0 ? ' → nothing' : ` → ${value.length}`;
  return typeof value === 'object' && value !== null ? ` → ${formatObject(value)}` : ` → ${JSON.stringify(value)}`;
}

function formatArgument(arg: unknown): string {
  if (typeof arg !== 'object' || arg === null) return String(arg);
  if (Array.isArray(arg)) return `[${arg.map(formatArgument).join(' ')}]`;
  // Encrypted bytes differ in each run.
  if (arg instanceof Uint8Array) return 'encrypted';
  const { key, attempt, type, id, position } = arg as Readonly<Record<string, string | number | undefined>>;
  if (key !== undefined) return attempt === undefined ? `${key}` : `${key}#${attempt}`;
  if (type !== undefined) return `${type}`;
  return id === undefined ? JSON.stringify(arg) : `${id}@${position}`;
}

function formatObject(value: object): string {
  if (value instanceof Uint8Array) return 'encrypted';
  return Object.values(value)
    .filter((one) => typeof one === 'string' || typeof one === 'number')
    .join(' ');
}
