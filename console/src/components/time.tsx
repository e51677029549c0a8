import { formatTime } from './format';

/** A time in the zone of the reader. `UtcTooltip` shows it in UTC. */
export function Time({ value }: { readonly value: string | null }) {
  if (value === null) return <span>–</span>;
  return (
    <time dateTime={value} tabIndex={0} aria-describedby="utc-tooltip">
      {formatTime(value)}
    </time>
  );
}
