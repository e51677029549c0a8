import 'reflect-metadata';

/* eslint-disable-next-line @typescript-eslint/no-explicit-any -- constructors have different parameters */
type Class<T = unknown> = abstract new (...needed: any[]) => T;

/** A container that creates objects from the types of their constructor parameters, as Nest does. */
export class Container {
  private readonly instances = new Map<unknown, unknown>();

  provide<T>(token: Class<T>, instance: T): this {
    this.instances.set(token, instance);
    return this;
  }

  get<T>(token: Class<T>): T {
    if (!this.instances.has(token)) this.instances.set(token, this.create(token));
    return this.instances.get(token) as T;
  }

  /** All objects created by or provided to this container. */
  get all(): readonly unknown[] {
    return [...this.instances.values()];
  }

  private create<T>(token: Class<T>): T {
    const needed = (Reflect.getMetadata('design:paramtypes', token) ?? []) as readonly Class[];
    const Concrete = token as new (...needed: unknown[]) => T;
    return new Concrete(...needed.map((one) => ((one as unknown) === Object ? undefined : this.get(one))));
  }
}
