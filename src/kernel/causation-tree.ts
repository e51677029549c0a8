/** The ids that place an event in the tree of its causes. */
export interface CausedEvent {
  readonly id: string;
  readonly commandId: string;
  readonly causationId: string;
}

export interface CausedCommand<T> {
  /** The events that the command recorded; at least one. */
  readonly events: readonly CausingEvent<T>[];
  /** The commands that this command caused directly, without an event between them. */
  readonly commands: readonly CausedCommand<T>[];
}

export interface CausingEvent<T> {
  readonly event: T;
  readonly commands: readonly CausedCommand<T>[];
}

/** Returns the commands that none of these events caused, each with everything that followed. */
export function groupByCause<T>(events: readonly T[], describe: (event: T) => CausedEvent): CausedCommand<T>[] {
  const byCommand = [...Map.groupBy(events, (event) => describe(event).commandId).values()];
  const causes = new Set(events.flatMap((event) => [describe(event).id, describe(event).commandId]));
  const isRoot = (command: readonly T[]) => {
    const { causationId, commandId } = describe(command[0]!);
    return causationId === commandId || !causes.has(causationId);
  };
  const byCause = Map.groupBy(
    byCommand.filter((command) => !isRoot(command)),
    ([first]) => describe(first!).causationId,
  );
  const listCaused = (cause: string): CausedCommand<T>[] => (byCause.get(cause) ?? []).map(toNode);
  const toNode = (command: readonly T[]): CausedCommand<T> => ({
    events: command.map((event) => ({ event, commands: listCaused(describe(event).id) })),
    commands: listCaused(describe(command[0]!).commandId),
  });
  return byCommand.filter(isRoot).map(toNode);
}
