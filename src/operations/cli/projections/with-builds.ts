import type { Config } from '../../../config/config.js';
import type { BuildOperator } from '../../../engine/builds/build-operator.js';
import { withService } from '../cli.js';

/**
 * Runs the work of an operator on builds.
 * @throws OperatorError naming the existing projections when a given one does not exist
 */
export async function withBuilds<T>(
  projections: readonly string[],
  work: (builds: BuildOperator) => Promise<T>,
  config?: Config,
): Promise<T> {
  return withService(async (service) => {
    const { createOperators } = await import('../../operators/create-operators.js');
    const operators = createOperators(service);
    await operators.requireProjections(projections);
    return work(operators.builds);
  }, config);
}

/** Returns the versioned name of every projection in the code: `products@1`. */
export async function listCurrentNames(builds: BuildOperator): Promise<readonly string[]> {
  return (await builds.list()).filter(({ current }) => current).map(({ name }) => name);
}
