import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, type Item } from '../../api/api';
import { toText } from '../../components/format';
import type { ImportRow } from './import-rows.ts';

/** The service takes so many rows in one request. */
export const PIECE_ROWS = 500;

/** The result of one row. */
export interface RowResult {
  readonly row: ImportRow;
  readonly status: string;
  /** Why the row failed; empty for other rows. */
  readonly detail: string;
}

/** The rows that are sent, and the results so far, in the order of the rows. */
export interface Sending {
  readonly rows: readonly ImportRow[];
  readonly results: readonly RowResult[];
}

/** Sends rows in pieces. After a failure, `resume` continues after the last piece with a response. */
export function useImport(communityId: string) {
  const [sending, setSending] = useState<Sending | null>(null);
  const queries = useQueryClient();
  const mutation = useMutation({
    mutationFn: async ({ rows, results }: Sending) => {
      for (let done = results; done.length < rows.length;) {
        const piece = rows.slice(done.length, done.length + PIECE_ROWS);
        done = [...done, ...(await sendPiece(communityId, piece))];
        setSending({ rows, results: done });
      }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['list'] }),
  });
  const send = (next: Sending) => {
    setSending(next);
    mutation.mutate(next);
  };
  return {
    sending,
    isPending: mutation.isPending,
    error: mutation.error,
    send: (rows: readonly ImportRow[]) => send({ rows, results: [] }),
    resume: () => sending !== null && send(sending),
    reset: () => {
      setSending(null);
      mutation.reset();
    },
  };
}

async function sendPiece(communityId: string, piece: readonly ImportRow[]): Promise<RowResult[]> {
  const path = `/v1/community/communities/${encodeURIComponent(communityId)}/members/import`;
  const result = await call<Item>('POST', path, { body: { members: piece.map(({ member }) => member) } });
  return (result['results'] as readonly Item[]).map((row, i) => ({
    row: piece[i]!,
    status: toText(row['status']),
    detail: toText((row['error'] as Item | null)?.['detail']),
  }));
}
