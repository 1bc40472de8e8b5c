import type { DatabaseSync } from 'node:sqlite';
import type { CalendarDefinition, CalendarWish, ParameterSet } from '../../model/settings.ts';
import type { SettingsStore } from '../store.ts';
import { parseDocument } from './parse-document.ts';
import { inTransaction } from './transaction.ts';

/** What admins and users have configured, in SQLite. */
export function createSqliteSettings(database: DatabaseSync): SettingsStore {
  const allCalendars = database.prepare('SELECT id, document FROM calendar ORDER BY id');
  const setting = <Value>(name: string): Value | null => {
    const row = database.prepare('SELECT document FROM setting WHERE name = ?').get(name);
    return row === undefined ? null : parseDocument(row.document);
  };

  return {
    async calendars() {
      return allCalendars.all().map(readCalendar);
    },
    async addCalendar(wish) {
      const insert = database.prepare('INSERT INTO calendar (document) VALUES (?)');
      const { lastInsertRowid } = inTransaction(database, () => insert.run(JSON.stringify(plain(wish))));
      return { ...plain(wish), id: Number(lastInsertRowid) };
    },
    async changeCalendar(id, change) {
      return inTransaction(database, () => {
        const row = database.prepare('SELECT id, document FROM calendar WHERE id = ?').get(id);
        if (row === undefined) return null;
        const wish = plain(change(readCalendar(row)));
        database.prepare('UPDATE calendar SET document = ? WHERE id = ?').run(JSON.stringify(wish), id);
        return { ...wish, id };
      });
    },
    async parameterSets() {
      const rows = database.prepare('SELECT document FROM parameter_set ORDER BY rowid').all();
      return rows.map((row) => parseDocument<ParameterSet>(row.document));
    },
    async parameterSet(id) {
      const row = database.prepare('SELECT document FROM parameter_set WHERE id = ?').get(id);
      return row === undefined ? null : parseDocument<ParameterSet>(row.document);
    },
    async addParameterSet(set) {
      const insert = database.prepare('INSERT INTO parameter_set (id, document) VALUES (?, ?)');
      inTransaction(database, () => insert.run(set.id, JSON.stringify(set)));
    },
    async changeParameterSet(id, change) {
      return inTransaction(database, () => {
        const row = database.prepare('SELECT document FROM parameter_set WHERE id = ?').get(id);
        if (row === undefined) return null;
        const set = { ...change(parseDocument<ParameterSet>(row.document)), id };
        database.prepare('UPDATE parameter_set SET document = ? WHERE id = ?').run(JSON.stringify(set), id);
        return set;
      });
    },
    async removeParameterSet(id, check) {
      return inTransaction(database, () => {
        const row = database.prepare('SELECT document FROM parameter_set WHERE id = ?').get(id);
        if (row === undefined) return false;
        check(parseDocument<ParameterSet>(row.document));
        return database.prepare('DELETE FROM parameter_set WHERE id = ?').run(id).changes > 0;
      });
    },
    async clientKey(create) {
      const found = setting<string>('client-key');
      if (found !== null) return found;
      const insert = database.prepare(
        "INSERT INTO setting (name, document) VALUES ('client-key', ?) ON CONFLICT DO NOTHING",
      );
      return inTransaction(database, () => {
        const made = create();
        // Another process may have been first.
        return insert.run(JSON.stringify(made)).changes > 0 ? made : (setting<string>('client-key') ?? made);
      });
    },
  };
}

function readCalendar(row: Record<string, unknown>): CalendarDefinition {
  return { ...parseDocument<CalendarWish>(row.document), id: Number(row.id) };
}

/** The id is the row's; a wish made of a whole calendar must not bring another. */
function plain({ name, timeZone, workingTimes, holidays }: CalendarWish): CalendarWish {
  return { name, timeZone, workingTimes, holidays };
}
