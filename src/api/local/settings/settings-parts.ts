import type { Backing } from '../../../cache/backing.ts';
import type { Directory } from '../../../model/directory.ts';
import type { Instant, User } from '../../../model/issue.ts';
import type { CalendarInput } from '../../../model/settings.ts';
import type { SettingsStore } from '../../../store/store.ts';

/** What the local settings are built from. */
export interface SettingsParts {
  readonly settings: SettingsStore;
  /** Where what outlives the process is kept. */
  readonly stored: Backing;
  /** The tracker's; its calendars are shown beside our own. */
  readonly directory: () => Promise<Directory>;
  /** Everybody who is known, by id. */
  readonly users: () => Promise<ReadonlyMap<string, User>>;
  readonly now: () => Instant;
  /** Makes ids of parameter sets and the client key: UUIDs. */
  readonly newId: () => string;
  /** What is wrong with a calendar, in whole sentences. */
  readonly checkCalendar: (wish: CalendarInput) => readonly string[];
}
