import { plainToInstance } from 'class-transformer';
import type { Fault } from '../kernel/rejection.js';
import { isJsonObject } from './bodies.js';

/** Cannot be in a body (U+0000 is refused), so a name behind it is nobody's. */
const DISGUISE = '\u0000';

export type BodyClass = new () => object;

/**
 * The instance that class-validator checks, and what it would let pass: lists within lists. Names that every object inherits
 * (`constructor`, `__proto__`) go through in disguise, as the unknown fields that they are, and free-form objects (metadata) come out
 * exactly as they were parsed.
 */
export function hydrate(type: BodyClass, plain: object): { readonly instance: object; readonly faults: readonly Fault[] } {
  const instance = plainToInstance(type, disguised(plain, type.prototype as object));
  const faults: Fault[] = [];
  restore(instance as Fields, plain as Fields, '', faults);
  return { instance, faults };
}

/** The name as the caller wrote it. */
export function undisguised(name: string): string {
  return name.startsWith(DISGUISE) ? name.slice(DISGUISE.length) : name;
}

export function unknownField(param: string): Fault {
  return { code: 'unknown_parameter', detail: `${param} is not a known field.`, param };
}

type Fields = Record<string, unknown>;

function disguised(value: unknown, inherited: object = Object.prototype): unknown {
  if (Array.isArray(value)) return value.map((item) => disguised(item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name in inherited ? DISGUISE + name : name, disguised(inner)]));
}

function restore(instance: Fields, plain: Fields, path: string, faults: Fault[]): void {
  for (const name of Object.keys(plain)) {
    if (Object.hasOwn(instance, name)) instance[name] = restored(instance[name], plain[name], `${path}${name}`, faults);
  }
}

function restored(value: unknown, plain: unknown, path: string, faults: Fault[]): unknown {
  if (Array.isArray(plain) && Array.isArray(value)) return plain.map((item, i) => restoredItem(value[i], item, `${path}[${i}]`, faults));
  if (!isJsonObject(plain) || !isJsonObject(value)) return value;
  if (Object.getPrototypeOf(value) === Object.prototype) return plain;
  restore(value, plain, `${path}.`, faults);
  return value;
}

function restoredItem(value: unknown, plain: unknown, path: string, faults: Fault[]): unknown {
  if (Array.isArray(plain)) faults.push({ code: 'invalid_type', detail: 'A list cannot stand here.', param: path });
  return restored(value, plain, path, faults);
}
