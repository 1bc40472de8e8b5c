import type { DatabaseSync } from 'node:sqlite';
import type { ChannelStore } from '../store.ts';

/** Channels in SQLite. */
export function createSqliteChannels(_database: DatabaseSync): ChannelStore {
  return new Proxy({} as ChannelStore, {
    get: () => () => {
      throw new Error('channels are not kept yet');
    },
  });
}
