import type { BuildProgress } from './build.js';

type Report = (progress: BuildProgress) => void;

export interface BuildAheadResult {
  readonly built: readonly string[];
  readonly failed: readonly { readonly projection: string; readonly error: string }[];
}

/** Runs one build for each name, concurrently. A failed build does not stop the others. */
export async function buildAll(
  names: readonly string[],
  make: (name: string, report: Report) => Promise<{ readonly build: string }>,
  onProgress?: Report,
): Promise<BuildAheadResult> {
  const slowest = createSlowestReporter(names.length, onProgress);
  const outcomes = await Promise.allSettled(names.map((name) => make(name, (progress) => slowest(name, progress))));
  return {
    built: outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.build] : [])),
    failed: outcomes.flatMap((outcome, i) =>
      outcome.status === 'rejected' ? [{ projection: names[i]!, error: describeError(outcome.reason) }] : [],
    ),
  };
}

/** Reports the build with the lowest position, once each build has reported. */
function createSlowestReporter(builds: number, onProgress: (progress: BuildProgress) => void = () => undefined) {
  const latest = new Map<string, BuildProgress>();
  return (name: string, progress: BuildProgress): void => {
    latest.set(name, progress);
    if (latest.size === builds) onProgress([...latest.values()].reduce((a, b) => (b.position < a.position ? b : a)));
  };
}

function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
