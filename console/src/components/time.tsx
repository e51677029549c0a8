import { Text, Tooltip } from '@mantine/core';
import { formatTime } from './format';

/** A time in the zone of the reader; the tooltip shows UTC. */
export function Time({ value }: { readonly value: string | null }) {
  if (value === null) return <Text span>–</Text>;
  return (
    <Tooltip label={`${value} (UTC)`} openDelay={200}>
      <time dateTime={value} tabIndex={0}>
        {formatTime(value)}
      </time>
    </Tooltip>
  );
}
