import { plainToInstance } from 'class-transformer';
import type { Fault } from '../kernel/rejection.js';
import { isJsonObject } from './bodies.js';
import { LISTED_FAULTS } from './fault-list.js';
import { fieldsOf, type BodyClass, type Field } from './body-fields.js';

type Fields = Record<string, unknown>;

/** The instance of a body class, and the errors in the form of the body. */
export interface Hydrated {
  readonly instance: object;
  /** Values of a wrong type, and lists that are too long. Nothing at or below their paths is validated further. */
  readonly misshapen: readonly Fault[];
  /** The paths of the first undeclared fields. `unknownCount` counts all of them. */
  readonly unknown: readonly string[];
  readonly unknownCount: number;
}

/**
 * Creates the instance that class-validator validates. It omits undeclared fields, values of a wrong type and lists
 * that are too long, so the cost of validation depends on the class and not on the body. Free-form values are kept
 * exactly as they were parsed.
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

  /** Replaces an invalid item by an object without rules. */
  private itemOf(type: BodyClass, item: unknown, path: string): unknown {
    return isJsonObject(item) ? this.objectOf(type, item, `${path}.`) : (this.wrongKind(path, 'an object') ?? {});
  }

  private wrongKind(path: string, expected: string): undefined {
    this.misshapen.push({ code: 'invalid_type', detail: `${path} must be ${expected}.`, param: path });
  }
}

/** Whether class-transformer converts the value, such as the strings of a query. */
function isSimple(value: unknown, { type, isList }: Field): boolean {
  return value === null || (typeof value !== 'object' && type === null && !(isList && typeof value !== 'string'));
}
