import { plainToInstance } from 'class-transformer';
import type { Fault } from '../kernel/rejection.js';
import { isJsonObject } from './bodies.js';
import { LISTED_FAULTS } from './fault-list.js';
import { fieldsOf, type BodyClass, type Field } from './body-fields.js';

type Fields = Record<string, unknown>;

/** What a plain value is as an instance of its class, and what is wrong with its form. */
export interface Hydrated {
  readonly instance: object;
  /** Values of a wrong kind, and lists that are too long: nothing at or below their paths is to be judged further. */
  readonly misshapen: readonly Fault[];
  /** Paths of the first fields that the class does not declare, and how many there are. */
  readonly unknown: readonly string[];
  readonly unknownCount: number;
}

/**
 * Makes the instance that class-validator judges. Undeclared fields, values of a wrong kind and lists that are too long are not in it,
 * so the cost of judging follows from the class and not from the body. Free-form values are in it exactly as they were parsed.
 */
export function hydrate(type: BodyClass, plain: object): Hydrated {
  const hydration = new Hydration();
  const instance = hydration.objectOf(type, plain as Fields, '');
  return { instance, misshapen: hydration.misshapen, unknown: hydration.unknown, unknownCount: hydration.unknownCount };
}

class Hydration {
  readonly misshapen: Fault[] = [];
  readonly unknown: string[] = [];
  unknownCount = 0;

  objectOf(type: BodyClass, plain: Fields, prefix: string): object {
    const fields = fieldsOf(type);
    const [simple, whole]: [Fields, Fields] = [{}, {}];
    for (const name of Object.keys(plain)) {
      const field = fields.get(name);
      const value = plain[name];
      if (field === undefined) this.addUnknown(prefix + name);
      else if (isSimple(value, field)) simple[name] = value;
      else whole[name] = this.valueOf(field, value, prefix + name);
    }
    return Object.assign(plainToInstance(type, simple), whole);
  }

  private valueOf(field: Field, value: unknown, path: string): unknown {
    if (field.isList) return this.listOf(field, value, path);
    if (field.type === null) return value;
    return isJsonObject(value) ? this.objectOf(field.type, value, `${path}.`) : this.wrongKind(path, 'an object');
  }

  private listOf({ type, maxItems }: Field, value: unknown, path: string): unknown {
    if (!Array.isArray(value)) return this.wrongKind(path, 'a list');
    if (value.length > maxItems) {
      this.misshapen.push({ code: 'too_long', detail: `${path} may have at most ${maxItems} items.`, param: path });
      return undefined;
    }
    return type === null ? value : value.map((item, i) => this.itemOf(type, item, `${path}[${i}]`));
  }

  private addUnknown(path: string): void {
    if (++this.unknownCount <= LISTED_FAULTS) this.unknown.push(path);
  }

  /** In the place of a wrong item stands an object without rules. */
  private itemOf(type: BodyClass, item: unknown, path: string): unknown {
    return isJsonObject(item) ? this.objectOf(type, item, `${path}.`) : (this.wrongKind(path, 'an object') ?? {});
  }

  private wrongKind(path: string, expected: string): undefined {
    this.misshapen.push({ code: 'invalid_type', detail: `${path} must be ${expected}.`, param: path });
  }
}

/** For class-transformer, which turns texts of queries into what they say. */
function isSimple(value: unknown, { type, isList }: Field): boolean {
  return value === null || (typeof value !== 'object' && type === null && !(isList && typeof value !== 'string'));
}
