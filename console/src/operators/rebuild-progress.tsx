import { Progress, Text } from '@mantine/core';
import { useOperations } from './use-operations';

export interface Rebuild {
  readonly status: 'running' | 'completed' | 'failed' | 'stopped';
  readonly events: number;
  readonly per_second: number;
  readonly error: string | null;
}

interface RebuildProgressProps {
  readonly name: string;
  /** The operator has used an action of this projection. */
  readonly isWatched: boolean;
}

/** The progress of the latest rebuild of a projection. */
export function RebuildProgress({ name, isWatched }: RebuildProgressProps) {
  return isWatched ? <Watched name={name} /> : <Text span>–</Text>;
}

function Watched({ name }: { readonly name: string }) {
  const status = useOperations<{ rebuild: Rebuild | null }>(`/ops/projections/${encodeURIComponent(name)}`);
  const rebuild = status.data?.rebuild ?? null;
  if (rebuild === null) return <Text span>–</Text>;
  const { status: state, events, per_second: rate, error } = rebuild;
  return (
    <div role="status">
      <Text size="sm">
        {state}: {events} events{state === 'running' ? `, ${rate} a second` : ''} {error}
      </Text>
      {state === 'running' && <Progress value={100} animated aria-label={`Rebuild of ${name}`} />}
    </div>
  );
}
