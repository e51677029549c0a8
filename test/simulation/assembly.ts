import 'reflect-metadata';

/* eslint-disable-next-line @typescript-eslint/no-explicit-any -- constructors have different parameters */
type Class<T = unknown> = abstract new (...needed: any[]) => T;

/** A container that creates objects from the types of their constructor parameters, as Nest does. */
export class Assembly {
  private readonly made = new Map<unknown, unknown>();

  provide<T>(token: Class<T>, instance: T): this {
    this.made.set(token, instance);
    return this;
  }

  get<T>(token: Class<T>): T {
    if (!this.made.has(token)) this.made.set(token, this.make(token));
    return this.made.get(token) as T;
  }

  /** All objects created by or provided to this container. */
  get all(): readonly unknown[] {
    return [...this.made.values()];
  }

  private make<T>(token: Class<T>): T {
    const needed = (Reflect.getMetadata('design:paramtypes', token) ?? []) as readonly Class[];
    const Concrete = token as new (...needed: unknown[]) => T;
    return new Concrete(...needed.map((one) => ((one as unknown) === Object ? undefined : this.get(one))));
  }
}
