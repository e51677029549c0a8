import type { Item } from '../api/api';
import { toText } from '../components/format';
import type { Field } from './resource';

export type FormValues = Readonly<Record<string, unknown>>;

export function startValues(fields: readonly Field[], item: Item): FormValues {
  return Object.fromEntries(fields.map((field) => [field.name, toInput(field, field.start?.(item))]));
}

function toInput({ kind }: Field, value: unknown): unknown {
  if (value === undefined || value === null) return kind === 'several' ? [] : kind === 'boolean' ? false : '';
  if (kind === 'json') return JSON.stringify(value, null, 2);
  if (kind === 'texts') return (value as readonly string[]).join('\n');
  if (kind === 'time') return toLocalInput(toText(value));
  return value;
}

/** Makes the body of a request. Fields that are empty and not required stay out of it, or have their `whenEmpty`. */
export function toBody(fields: readonly Field[], values: FormValues): Item {
  const body: Record<string, unknown> = {};
  for (const field of fields) {
    const value = toValue(field, values[field.name]);
    if (value !== undefined) writePath(body, field.name, value);
  }
  return body;
}

function toValue({ kind, required = false, whenEmpty }: Field, value: unknown): unknown {
  if (kind === 'boolean') return value === true;
  if (kind === 'several') return (value as readonly string[]).length === 0 && !required ? undefined : value;
  const text = toText(value);
  if (text === '') return required ? (kind === undefined || kind === 'text' ? '' : null) : whenEmpty;
  switch (kind) {
    case 'integer':
      return Number(text);
    case 'cents':
      return Number(text);
    case 'texts':
      return text
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '');
    case 'time':
      return new Date(text).toISOString();
    case 'json':
      return parseJson(text);
    default:
      return text;
  }
}

/** Text that is not JSON goes out as it is, and the service says what is wrong with the field. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function writePath(body: Record<string, unknown>, path: string, value: unknown): void {
  const [first, ...rest] = path.split('.') as [string, ...string[]];
  if (rest.length === 0) {
    body[first] = value;
    return;
  }
  body[first] ??= {};
  writePath(body[first] as Record<string, unknown>, rest.join('.'), value);
}

/** The value of an input of the type `datetime-local`, in the zone of the reader. */
function toLocalInput(iso: string): string {
  const time = new Date(iso);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
