import type { Backing } from '../../cache/backing.ts';
import { compareText, foldedName } from '../../issues/ids-and-names.ts';
import type { Directory } from '../../model/directory.ts';
import type { Detail } from '../../model/error.ts';
import { AppError, about, badRequest } from '../../model/error.ts';
import type { Instant, User } from '../../model/issue.ts';
import type { Principal } from '../../model/principal.ts';
import type { CalendarInput, ParameterSet } from '../../model/settings.ts';
import { NameTaken, type SettingsStore } from '../../store/store.ts';
import { quoted } from '../refusals.ts';
import type { Setting, SettingsApi } from '../settings.ts';

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
  readonly checkCalendar: (wish: CalendarInput) => readonly Detail[];
}

/** Whether a set is the principal's to read. */
export function maySee(principal: Principal, set: ParameterSet): boolean {
  return set.public || principal.rights === 'admin' || set.ownerId === principal.account;
}

/** `not-allowed` for who may not change it. */
export function ownersOnly(principal: Principal, { id, ownerId }: ParameterSet): void {
  if (principal.rights === 'admin' || ownerId === principal.account) return;
  throw new AppError('not-allowed', 'Forbidden', [
    `parameter set '${id}' belongs to '${ownerId}'; only its owner and administrators may change it.`,
  ]);
}

/** Fails for who may not change a setting; `parameterSet` finds a set that the principal may see. */
export async function permitSetting(
  principal: Principal,
  setting: Setting,
  parameterSet: SettingsApi['parameterSet'],
): Promise<void> {
  if (setting === 'calendars') adminsOnly(principal, CALENDARS);
  else if (setting === 'formats') adminsOnly(principal, FORMATS);
  else ownersOnly(principal, await parameterSet(principal, setting.parameterSet));
}

/** The same for a set that is not there and for one that the principal may not see. */
export function unknownSet(id: string): AppError {
  return new AppError('not-found', 'The parameter set could not be found.', [
    `parameter set ${quoted(id)} could not be found; allowed: the ids that GET /rest/parameterSets tells.`,
  ]);
}

/** What only administrators may do, for `adminsOnly`. */
export const CALENDARS = 'create or change calendars';

/** Another such deed. */
export const FORMATS = 'change the date formats';

/** Throws for everybody else; `deed` completes "Only administrators may …". */
export function adminsOnly(principal: Principal, deed: string): void {
  if (principal.rights !== 'admin')
    throw new AppError('not-allowed', 'Forbidden', [`Only administrators may ${deed}.`]);
}

/**
 * Whose a parameter set becomes: the principal's (null), or by an admin's wish somebody else's, who must be known. Where
 * the tracker knows nobody at all, any id will do.
 */
export async function ownerFor(
  principal: Principal,
  wish: string | null,
  users: () => Promise<ReadonlyMap<string, User>>,
): Promise<string> {
  if (wish === null || wish === principal.account) return principal.account;
  if (principal.rights !== 'admin') {
    throw new AppError('not-allowed', 'Forbidden', [
      about(
        'ownerId',
        `${quoted(wish)} is somebody else; only administrators may save a parameter set for others.`,
      ),
    ]);
  }
  const known = await users();
  if (wish.trim() === '' || (known.size > 0 && !known.has(wish))) {
    throw badRequest(
      about(
        'ownerId',
        `${quoted(wish)} is nobody who is known; allowed: the id of a known user, or null for yourself.`,
      ),
    );
  }
  return wish;
}

/** Whether people would take two names for one: neither case nor blanks around them tell them apart. */
export function sameName(a: string, b: string): boolean {
  return foldedName(a) === foldedName(b);
}

/**
 * Writes something with a name that must be unique; `refuse` fails where the name is taken, with what the user reads.
 * Where another process gives the name between that check and the write, the second check finds it.
 */
export async function withUniqueName<Result>(
  refuse: () => Promise<void>,
  write: () => Promise<Result>,
): Promise<Result> {
  await refuse();
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof NameTaken)) throw error;
    await refuse();
    return write();
  }
}

/** Order of sets for people: by name without regard to case; sets of the same name by owner. */
export function byName(a: ParameterSet, b: ParameterSet): number {
  return compareText(a.name.toLowerCase(), b.name.toLowerCase()) || compareText(a.ownerId, b.ownerId);
}
