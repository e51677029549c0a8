import type { Provider, Type } from '@nestjs/common';
import type { AnyReactor, JobHandler, Registrations } from './registry.js';

/** The parts that one noun adds to the module of its area. */
export interface NounParts {
  readonly controllers?: readonly Type[];
  /** Handlers of commands and queries, and the classes that they use. */
  readonly providers?: readonly Provider[];
  readonly projections?: NonNullable<Registrations['projections']>;
  readonly reactors?: readonly Type<AnyReactor>[];
  readonly jobs?: readonly Type<JobHandler>[];
}

/** The reactors and job handlers of one area, as Nest created them. */
export class AreaProcesses {
  constructor(
    readonly reactors: readonly AnyReactor[],
    readonly jobs: readonly JobHandler[],
  ) {}
}

/** Joins the parts of all nouns of an area to the lists that its module needs. */
export function joinParts(nouns: readonly NounParts[]) {
  const reactors = nouns.flatMap((noun) => noun.reactors ?? []);
  const jobs = nouns.flatMap((noun) => noun.jobs ?? []);
  const processes = [...new Set<Type>([...reactors, ...jobs])];
  return {
    controllers: nouns.flatMap((noun) => noun.controllers ?? []),
    providers: [
      ...nouns.flatMap((noun) => noun.providers ?? []),
      ...processes,
      provideProcesses(reactors, jobs),
    ] satisfies Provider[],
    projections: nouns.flatMap((noun) => noun.projections ?? []),
  };
}

function provideProcesses(reactors: readonly Type<AnyReactor>[], jobs: readonly Type<JobHandler>[]): Provider {
  return {
    provide: AreaProcesses,
    useFactory: (...created: (AnyReactor & JobHandler)[]) =>
      new AreaProcesses(created.slice(0, reactors.length), created.slice(reactors.length)),
    inject: [...reactors, ...jobs],
  };
}
