import type { Statements } from '../sqlite.js';

export function vaultOperations(sql: Statements) {
  return {
    /** Returns the value that is stored under the id; null when it has been destroyed. */
    putIfAbsent(id: string, encrypted: Uint8Array): Uint8Array | null {
      sql.run('insert into vault (id, sealed) values (?, ?) on conflict do nothing', id, encrypted);
      return sql.get<{ sealed: Uint8Array | null }>('select sealed from vault where id = ?', id)!.sealed;
    },

    replace(id: string, before: Uint8Array, after: Uint8Array): boolean {
      return sql.run('update vault set sealed = ? where id = ? and sealed = ?', after, id, before) > 0;
    },

    destroy(id: string): void {
      sql.run('insert into vault (id, sealed) values (?, null) on conflict do update set sealed = null', id);
    },
  };
}
