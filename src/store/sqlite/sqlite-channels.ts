import type { DatabaseSync } from 'node:sqlite';
import type { ChannelSettings, Preferences } from '../../model/chat.ts';
import type { ChannelStore } from '../channel-store.ts';
import { inTransaction, parseDocument } from './sqlite-database.ts';

/** What was chosen for channels and by people, in SQLite. */
export function createSqliteChannels(database: DatabaseSync): ChannelStore {
  const findChannel = database.prepare('SELECT document FROM channel WHERE id = ?');
  const channel = (id: string): ChannelSettings | null => {
    const row = findChannel.get(id);
    return row === undefined ? null : parseDocument(row.document);
  };

  return {
    async channel(id) {
      return channel(id);
    },
    async channels() {
      const rows = database.prepare('SELECT document FROM channel ORDER BY id').all();
      return rows.map((row) => parseDocument<ChannelSettings>(row.document));
    },
    async changeChannel(id, change) {
      const put = database.prepare('INSERT OR REPLACE INTO channel (id, document) VALUES (?, ?)');
      return inTransaction(database, () => {
        const settings = { ...change(channel(id)), channel: id };
        put.run(id, JSON.stringify(settings));
        return settings;
      });
    },
    async preferences(account) {
      const row = database.prepare('SELECT document FROM preference WHERE account = ?').get(account);
      return row === undefined ? null : parseDocument<Preferences>(row.document);
    },
    async putPreferences(preferences) {
      const put = database.prepare('INSERT OR REPLACE INTO preference (account, document) VALUES (?, ?)');
      inTransaction(database, () => put.run(preferences.account, JSON.stringify(preferences)));
    },
  };
}
