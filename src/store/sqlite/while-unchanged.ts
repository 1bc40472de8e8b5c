import type { DatabaseSync } from 'node:sqlite';

/**
 * Remembers what was read until anything in the file changes: by this connection (`total_changes`) or by any other
 * (`data_version`). https://sqlite.org/pragma.html#pragma_data_version
 */
export function whileUnchanged<Value>(database: DatabaseSync, read: () => Value): () => Value {
  const version = database.prepare('PRAGMA data_version');
  const changes = database.prepare('SELECT total_changes() AS own');
  let kept: { readonly state: string; readonly value: Value } | null = null;
  return () => {
    const state = `${version.get()?.data_version} ${changes.get()?.own}`;
    if (kept?.state !== state) kept = { state, value: read() };
    return kept.value;
  };
}
