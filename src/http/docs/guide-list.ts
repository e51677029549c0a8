/** The guides in `docs/guides`, in the order in which they are listed. */
export const GUIDES = {
  'quick-start': ['Quick start', 'From a key to the first verified webhook.'],
  authentication: ['Authentication', 'Keys, sessions and cart tokens, live and test mode.'],
  selling: ['Selling', 'From a product and its approval to an order and a refund.'],
  'test-payments': [
    'Test payments',
    'Declined cards, failed renewals, trials and cancellations, by a clock that you set.',
  ],
  communities: ['Communities', 'Members, invites, channels, posts, points, challenges and bans.'],
  webhooks: ['Webhooks', 'Receive events, on your own machine too, and replay what failed.'],
  'verify-webhooks': [
    'Verify webhooks',
    'Check signatures in seven languages, and read the raw body in common frameworks.',
  ],
  'keep-a-copy': [
    'Keep a copy in step',
    'Which events change which resource, with a consumer in TypeScript and Python.',
  ],
  errors: ['Errors', 'Problem documents, and how to react to them.'],
  idempotency: ['Idempotency', 'Repeat a request without doing its work twice.'],
  paging: ['Lists and paging', 'Pages, cursors and filters.'],
  'rate-limits': ['Rate limits', 'How fast you may send requests, and what to do beyond.'],
  files: ['Files and images', 'Where files are, and what the service does with their addresses.'],
  'change-history': ['Change history', 'Who changed what, when and why.'],
  'forget-a-person': ['Forget a person', 'Show what is stored about a person, erase it, and what remains.'],
  'moving-in': ['Moving in', 'Bring members, points and more from another system.'],
} as const satisfies Readonly<Record<string, readonly [title: string, summary: string]>>;

export type GuideName = keyof typeof GUIDES;
