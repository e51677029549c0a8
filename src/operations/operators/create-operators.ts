import type { Abstract, INestApplicationContext, Type } from '@nestjs/common';
import { BuildOperator } from '../../engine/builds/build-operator.js';
import { Builds } from '../../engine/builds/builds.js';
import { DeadLetterAdmin } from '../../engine/projections/dead-letter-admin.js';
import { Registry } from '../../engine/registry.js';
import { Clock } from '../../kernel/clock.js';
import { Jobs } from '../../kernel/jobs.js';
import { DeadLetterOperator } from './dead-letter-operator.js';
import { JobOperator } from './job-operator.js';
import { requireProjections } from './projection-names.js';

/** The operators of the command line and the operations port. */
export interface Operators {
  readonly builds: BuildOperator;
  readonly deadLetters: DeadLetterOperator;
  readonly jobs: JobOperator;
  /** @throws OperatorError when one of these projections does not exist */
  readonly requireProjections: (names: readonly string[]) => Promise<void>;
}

export function createOperators(service: INestApplicationContext): Operators {
  const get = <T>(type: Type<T> | Abstract<T>): T => service.get<T>(type, { strict: false });
  return {
    builds: get(BuildOperator),
    deadLetters: new DeadLetterOperator(get(DeadLetterAdmin), get(Builds), get(Registry), get(Clock)),
    jobs: new JobOperator(get(Jobs), get(Clock)),
    requireProjections: (names) => requireProjections(names, get(Builds), get(Registry)),
  };
}
