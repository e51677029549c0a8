import { text } from '../resources/columns';
import type { Filter } from '../resources/resource';

/** The columns that the lists of a shop share. */
export const buyer = text('buyer.email', 'Buyer');
export const BUYER: Filter = { name: 'buyer_email', label: 'Buyer’s e-mail' };
export const CREATED: readonly Filter[] = [
  { name: 'created_from', label: 'Created from', kind: 'date' },
  { name: 'created_to', label: 'Created to', kind: 'date' },
];
