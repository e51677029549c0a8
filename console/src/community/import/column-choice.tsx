import { NativeSelect, Text } from '@mantine/core';
import type { Columns, ImportTable } from './import-rows.ts';

interface ColumnChoiceProps {
  readonly table: ImportTable;
  readonly columns: Columns;
  readonly choose: (columns: Columns) => void;
}

/** Asks for the column of the addresses when no name is known, and says which columns are read. */
export function ColumnChoice({ table: { header, columns: found }, columns, choose }: ColumnChoiceProps) {
  if (header === null) return <Text size="sm">The first line has an address, so all lines are rows.</Text>;
  if (found.email !== null) return <Text size="sm">{describe(header, columns)}</Text>;
  const options = header.map((name, i) => ({ value: String(i), label: name === '' ? `Column ${i + 1}` : name }));
  return (
    <NativeSelect
      label="Which column is the e-mail address?"
      description="No column has a known name, such as email."
      data={[{ value: '', label: 'Choose a column' }, ...options]}
      value={columns.email === null ? '' : String(columns.email)}
      onChange={({ currentTarget: { value } }) => choose({ ...columns, email: value === '' ? null : Number(value) })}
    />
  );
}

function describe(header: readonly string[], { email, role, level, points }: Columns): string {
  const read = [email, role, level, points].flatMap((column) => (column === null ? [] : [`“${header[column]}”`]));
  const others = header.length - read.length;
  return `Read: ${read.join(', ')}.${others > 0 ? ` Not read: ${others} other ${others === 1 ? 'column' : 'columns'}.` : ''}`;
}
