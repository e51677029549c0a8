import type { Provider, Type } from '@nestjs/common';
import type { AuditedStream } from '../kernel/audited-stream.js';
import type { PublicEventDeclaration } from '../kernel/public-event-definition.js';
import type { AnyJobHandler, AnyReactor, Registrations } from './registry.js';

export interface JobHandlers {
  readonly handlers: readonly AnyJobHandler[];
}

/** Everything that one noun adds to the service. The module of its area and `src/features.ts` derive their lists from it. */
export interface Feature {
  /** Each with the decider that records its events. */
  readonly streams?: readonly AuditedStream[];
  readonly projections?: NonNullable<Registrations['projections']>;
  readonly publicEvents?: readonly PublicEventDeclaration[];
  readonly controllers?: readonly Type[];
  /** Handlers of commands and queries, and the classes that they use. */
  readonly providers?: readonly Provider[];
  readonly reactors?: readonly Type<AnyReactor>[];
  readonly jobs?: readonly Type<AnyJobHandler | JobHandlers>[];
}

/** The reactors and job handlers of one area, as Nest created them. */
export class AreaProcesses {
  constructor(
    readonly reactors: readonly AnyReactor[],
    readonly jobs: readonly AnyJobHandler[],
  ) {}
}

export class AreaProjections {
  constructor(readonly all: NonNullable<Registrations['projections']>) {}
}

/** Joins the features of an area to what its module needs. The module registers `registrations` and its processes. */
export function joinFeatures(features: readonly Feature[]) {
  const list = <K extends keyof Feature>(key: K) =>
    features.flatMap((feature) => (feature[key] ?? []) as NonNullable<Feature[K]>[number][]);
  const [reactors, jobs, projections] = [list('reactors'), list('jobs'), list('projections')];
  return {
    controllers: list('controllers'),
    providers: [
      ...list('providers'),
      ...new Set<Type>([...reactors, ...jobs]),
      provideProcesses(reactors, jobs),
      { provide: AreaProjections, useValue: new AreaProjections(projections) },
    ] satisfies Provider[],
    registrations: { deciders: list('streams').map(({ decider }) => decider), projections } satisfies Registrations,
  };
}

function provideProcesses(reactors: NonNullable<Feature['reactors']>, jobs: NonNullable<Feature['jobs']>): Provider {
  return {
    provide: AreaProcesses,
    useFactory: (...created: (AnyReactor & (AnyJobHandler | JobHandlers))[]) =>
      new AreaProcesses(
        created.slice(0, reactors.length),
        created.slice(reactors.length).flatMap((one) => ('handlers' in one ? one.handlers : one)),
      ),
    inject: [...reactors, ...jobs],
  };
}
