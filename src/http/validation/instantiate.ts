import { plainToInstance } from 'class-transformer';
import type { FieldError } from '../../kernel/rejection.js';
import { type BodyClass, type BodyField, fieldsFor } from './body-fields.js';
import { MAX_LISTED_ERRORS } from './field-error-list.js';
import { isJsonObject } from './json-body.js';

type PlainObject = Record<string, unknown>;

/** The instance of a body class, and the errors in the form of the body. */
export interface InstantiationResult {
  readonly instance: object;
  /** Values of a wrong type, and lists that are too long. Nothing at or below their paths is validated further. */
  readonly formErrors: readonly FieldError[];
  /** The paths of the first undeclared fields. `unknownCount` counts all of them. */
  readonly unknownPaths: readonly string[];
  readonly unknownCount: number;
}

/**
 * Creates the instance that class-validator validates. It omits undeclared fields, values of a wrong type and lists
 * that are too long, so the cost of validation depends on the class and not on the body. Free-form values are kept
 * exactly as they were parsed.
 */
export function instantiate(type: BodyClass, plain: object): InstantiationResult {
  const hydration = new Instantiation();
  const instance = hydration.toObject(type, plain as PlainObject, '');
  return {
    instance,
    formErrors: hydration.formErrors,
    unknownPaths: hydration.unknownPaths,
    unknownCount: hydration.unknownCount,
  };
}

class Instantiation {
  readonly formErrors: FieldError[] = [];
  readonly unknownPaths: string[] = [];
  unknownCount = 0;

  toObject(type: BodyClass, plain: PlainObject, prefix: string): object {
    const fields = fieldsFor(type);
    const [simple, whole]: [PlainObject, PlainObject] = [{}, {}];
    for (const name of Object.keys(plain)) {
      const field = fields.get(name);
      const value = plain[name];
      if (field === undefined) this.addUnknown(prefix + name);
      else if (isPlainValue(value, field)) simple[name] = value;
      else whole[name] = this.toValue(field, value, prefix + name);
    }
    return Object.assign(plainToInstance(type, simple), whole);
  }

  private toValue(field: BodyField, value: unknown, path: string): unknown {
    if (field.isList) return this.toList(field, value, path);
    if (field.type === null) return value;
    return isJsonObject(value) ? this.toObject(field.type, value, `${path}.`) : this.addTypeError(path, 'an object');
  }

  private toList({ type, maxItems }: BodyField, value: unknown, path: string): unknown {
    if (!Array.isArray(value)) return this.addTypeError(path, 'a list');
    if (value.length > maxItems) {
      this.formErrors.push({ code: 'too_long', detail: `${path} may have at most ${maxItems} items.`, param: path });
      return undefined;
    }
    return type === null ? value : value.map((item, i) => this.toItem(type, item, `${path}[${i}]`));
  }

  private addUnknown(path: string): void {
    if (++this.unknownCount <= MAX_LISTED_ERRORS) this.unknownPaths.push(path);
  }

  /** Replaces an invalid item by an object without rules. */
  private toItem(type: BodyClass, item: unknown, path: string): unknown {
    return isJsonObject(item) ? this.toObject(type, item, `${path}.`) : (this.addTypeError(path, 'an object') ?? {});
  }

  private addTypeError(path: string, expected: string): undefined {
    this.formErrors.push({ code: 'invalid_type', detail: `${path} must be ${expected}.`, param: path });
  }
}

/** Whether class-transformer converts the value, such as the strings of a query. */
function isPlainValue(value: unknown, { type, isList }: BodyField): boolean {
  return value === null || (typeof value !== 'object' && type === null && !(isList && typeof value !== 'string'));
}
