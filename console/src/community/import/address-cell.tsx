import { Text } from '@mantine/core';
import { toText } from '../../components/format';
import type { ImportRow } from './import-rows.ts';

/** The address of a row, with what is wrong under it, so that both are visible on a narrow page. */
export function AddressCell({ row, note }: { readonly row: ImportRow; readonly note: string }) {
  return (
    <>
      {toText(row.member['email'])}
      {note !== '' && (
        <Text component="div" size="sm" fw={700}>
          {note}
        </Text>
      )}
    </>
  );
}
