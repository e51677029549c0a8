import { Anchor, Group, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { toText } from '../components/format';
import { Time } from '../components/time';

export type Changes = Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>>;

/** An entry of the change history. */
export interface Entry {
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: string;
  readonly recorded_at: string;
  readonly actor: { readonly type: string; readonly id: string };
  readonly resource: { readonly object: string; readonly id: string };
  readonly correlation_id: string;
  readonly command: string;
  readonly changes?: Changes;
}

/** Turns the name of an event or a command into words, for example `PlanChangeScheduled` into "Plan change scheduled". */
export function toWords(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The actor of an entry, its time and its reason. */
export function EntryLine({ entry }: { readonly entry: Entry }) {
  return (
    <Group gap="xs">
      <Time value={entry.recorded_at} />
      <Text size="sm" span className="break">
        {toWords(entry.actor.type)} {entry.actor.id}: {toWords(entry.command)}
      </Text>
      <Anchor component={Link} size="sm" to={`/history/events/${entry.id}`}>
        Entry
      </Anchor>
      <Anchor component={Link} size="sm" to={`/history/correlations/${encodeURIComponent(entry.correlation_id)}`}>
        What the request caused
      </Anchor>
    </Group>
  );
}

/** The changes of an entry, field by field. */
export function ChangeTable({ changes }: { readonly changes: Changes }) {
  const rows = Object.entries(changes);
  if (rows.length === 0) return <Text size="sm">No shown field changed.</Text>;
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label="Changed fields">
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Field</Table.Th>
            <Table.Th>Before</Table.Th>
            <Table.Th>After</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(([path, { before, after }]) => (
            <Table.Tr key={path}>
              <Table.Td className="break diff-field">{path}</Table.Td>
              <Table.Td className="break diff-old">{toText(before)}</Table.Td>
              <Table.Td className="break diff-new">{toText(after)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
