/** The result of a refund at the gateway. `unknown`: the response was lost, so check the status. */
export type RefundResult =
  | { readonly status: 'succeeded'; readonly reference: string }
  | { readonly status: 'declined'; readonly code: string; readonly detail: string }
  | { readonly status: 'pending' }
  | { readonly status: 'unknown' };
