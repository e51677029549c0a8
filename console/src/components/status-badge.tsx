import { Badge } from '@mantine/core';
import { toLabel } from './format';

const GOOD = [
  'active',
  'success',
  'succeeded',
  'paid',
  'approved',
  'completed',
  'enabled',
  'accepted',
  'green',
  'applied',
  'ready',
];
const BAD = [
  'failed',
  'abandoned',
  'denied',
  'rejected',
  'refused',
  'disabled',
  'past_due',
  'red',
  'blocked',
  'disputed',
  'lost',
];

/** A status in a colour that agrees with its meaning; the word carries the meaning alone. */
export function StatusBadge({ status }: { readonly status: string }) {
  const color = GOOD.includes(status) ? 'green.9' : BAD.includes(status) ? 'red.9' : 'gray.7';
  return (
    <Badge color={color} variant="filled">
      {toLabel(status)}
    </Badge>
  );
}
