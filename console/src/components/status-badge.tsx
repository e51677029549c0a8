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
  'won',
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
  const tone = GOOD.includes(status) ? 'good' : BAD.includes(status) ? 'bad' : 'neutral';
  return (
    <span className="status" data-tone={tone}>
      {toLabel(status)}
    </span>
  );
}
