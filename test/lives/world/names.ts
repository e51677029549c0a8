import { Name, Open, type Template } from '../model/template.js';

/** The ids of the resources that the model has named. An id is bound when it is first seen, and never changes. */
export class Names {
  private readonly ids = new Map<string, string>();
  private readonly keys = new Map<string, string>();

  has(key: string): boolean {
    return this.ids.has(key);
  }

  /** @throws if no response has shown the resource yet */
  idOf(key: string): string {
    const id = this.ids.get(key);
    if (id === undefined) throw new Error(`No response has shown the id of ${key}.`);
    return id;
  }

  /** Returns the name of an id, for messages. */
  keyOf(id: string): string {
    return this.keys.get(id) ?? id;
  }

  bind(key: string, id: string): boolean {
    if (!this.ids.has(key) && !this.keys.has(id)) {
      this.ids.set(key, id);
      this.keys.set(id, key);
    }
    return this.ids.get(key) === id;
  }

  /** Returns one sentence for each difference; binds the names that it sees for the first time. */
  compare(expected: Template, actual: unknown, path: string): string[] {
    if (expected instanceof Name) {
      if (typeof actual === 'string' && this.bind(expected.key, actual)) return [];
      return [`${path} is ${this.show(actual)}, expected ${expected.key}`];
    }
    if (expected instanceof Open) return expected.allows(actual) ? [] : [`${path} is ${this.show(actual)}`];
    if (Array.isArray(expected)) return this.compareLists(expected, actual, path);
    if (typeof expected === 'object' && expected !== null)
      return this.compareFields(expected as Readonly<Record<string, Template>>, actual, path);
    return expected === actual ? [] : [`${path} is ${this.show(actual)}, expected ${JSON.stringify(expected)}`];
  }

  private compareLists(expected: readonly Template[], actual: unknown, path: string): string[] {
    if (!Array.isArray(actual)) return [`${path} is ${this.show(actual)}, expected a list`];
    const length =
      actual.length === expected.length ? [] : [`${path} has ${actual.length} items, expected ${expected.length}`];
    const items = expected.slice(0, actual.length);
    return [...length, ...items.flatMap((item, i) => this.compare(item, actual[i], `${path}[${i}]`))];
  }

  private compareFields(expected: Readonly<Record<string, Template>>, actual: unknown, path: string): string[] {
    if (typeof actual !== 'object' || actual === null) return [`${path} is ${this.show(actual)}, expected an object`];
    const unknown = Object.keys(actual).filter((field) => !(field in expected));
    return [
      ...unknown.map((field) => `${path}.${field} is ${this.show((actual as never)[field])}, expected no such field`),
      ...Object.entries(expected).flatMap(([field, value]) =>
        this.compare(value, (actual as Record<string, unknown>)[field], `${path}.${field}`),
      ),
    ];
  }

  private show(value: unknown): string {
    return typeof value === 'string' && this.keys.has(value) ? this.keyOf(value) : String(JSON.stringify(value));
  }
}
