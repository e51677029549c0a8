/** Why attempts wait although they are due. The backlogs store these names. */
export const PAUSE_REASONS = ['open_breaker', 'rate', 'host', 'backlog'] as const;

/** `host`: the limits of the host. `backlog`: all slots of the endpoint are in use, or earlier attempts wait. */
export type PauseReason = (typeof PAUSE_REASONS)[number];
