import { AppError, about, badRequestAs, quoted } from '../../model/error.ts';
import type { User } from '../../model/issue.ts';
import { compareText } from '../../model/issues/ids-and-names.ts';
import type { ParameterSet } from '../../model/parameter-set.ts';
import type { Principal } from '../../model/request.ts';
import type { CalendarDefinition, CalendarInput, DateFormats } from '../../model/settings.ts';

/** A parameter set to save; `ownerId` null is the person who saves it. */
export interface ParameterSetInput extends Pick<ParameterSet, 'name' | 'public' | 'report'> {
  readonly ownerId: string | null;
}

/** Something that is changed: parameter sets each by its id. */
export type Setting = 'calendars' | 'formats' | { readonly parameterSet: string };

/**
 * The port of everything that is configured rather than asked. Reading needs no right beyond asking; what the principal
 * cannot see is `not-found`; what only an admin can change is `not-allowed`; a wrong value is `bad-request`.
 */
export interface SettingsApi {
  /** Fails as a change would for someone who cannot make any, whatever it was. */
  permit(principal: Principal, setting: Setting): Promise<void>;
  /** `normalHours` first, then by id. */
  calendars(principal: Principal): Promise<readonly CalendarDefinition[]>;
  /** The calendar that counts where people chose none: its id, or `normalHours`. Reports over REST take `normalHours`. */
  defaultCalendar(): Promise<string>;
  calendar(principal: Principal, id: number): Promise<CalendarDefinition>;
  /** Admins only. Names are unique without regard to case. */
  createCalendar(principal: Principal, input: CalendarInput): Promise<CalendarDefinition>;
  /** Admins only. Replaces the members given. */
  updateCalendar(
    principal: Principal,
    id: number,
    changes: Partial<CalendarInput>,
  ): Promise<CalendarDefinition>;
  /** Own and public sets; an admin's answer holds all. By name. */
  parameterSets(principal: Principal): Promise<readonly ParameterSet[]>;
  /** Admins read any set, others their own and public ones. */
  parameterSet(principal: Principal, id: string): Promise<ParameterSet>;
  /** Only admins save for someone else. */
  createParameterSet(principal: Principal, input: ParameterSetInput): Promise<ParameterSet>;
  /** By its owner or an admin. Replaces the members given. */
  updateParameterSet(
    principal: Principal,
    id: string,
    changes: Partial<ParameterSetInput>,
  ): Promise<ParameterSet>;
  /** By its owner or an admin. Whatever names it fails from then on as with one that never was. */
  deleteParameterSet(principal: Principal, id: string): Promise<void>;
  formats(): Promise<DateFormats>;
  /** Admins only. */
  putFormats(principal: Principal, formats: DateFormats): Promise<DateFormats>;
  /** Identity of this installation, a UUID that stays. */
  clientKey(): Promise<string>;
}

/** True if the principal may read a set. */
export function canSeeSet(principal: Principal, set: ParameterSet): boolean {
  return set.public || principal.rights === 'admin' || set.ownerId === principal.account;
}

/** `not-allowed` for anyone who cannot change it. */
export function ownersOnly(principal: Principal, { id, ownerId }: ParameterSet): void {
  if (principal.rights === 'admin' || ownerId === principal.account) return;
  throw new AppError('owner-only', 'Forbidden', [
    `parameter set '${id}' belongs to '${ownerId}'; only its owner and administrators can change it.`,
  ]);
}

/** Fails for anyone who cannot change a setting; `parameterSet` finds a set that the principal can see. */
export async function permitSetting(
  principal: Principal,
  setting: Setting,
  parameterSet: SettingsApi['parameterSet'],
): Promise<void> {
  if (typeof setting === 'string') adminsOnly(principal, setting);
  else ownersOnly(principal, await parameterSet(principal, setting.parameterSet));
}

/** The failure for a set that does not exist or that the principal cannot see. */
export function unknownSet(id: string): AppError {
  return new AppError('unknown-parameter-set', 'The parameter set could not be found.', [
    `parameter set ${quoted(id)} could not be found. Try: the ids of GET /rest/parameterSets.`,
  ]);
}

const changes = {
  calendars: 'create or change calendars',
  formats: 'change the date formats',
  statuses: 'set the categories of statuses',
};

/** Fails for everyone but administrators. */
export function adminsOnly(principal: Principal, setting: keyof typeof changes): void {
  if (principal.rights === 'admin') return;
  throw new AppError('admin-only', 'Forbidden', [`Only administrators can ${changes[setting]}.`]);
}

/**
 * The owner of a parameter set: the principal (null), or a known person that an admin names. Where
 * the tracker knows no one at all, any id will do.
 */
export async function ownerFor(
  principal: Principal,
  ownerId: string | null,
  users: () => Promise<ReadonlyMap<string, User>>,
): Promise<string> {
  if (ownerId === null || ownerId === principal.account) return principal.account;
  if (principal.rights !== 'admin') {
    throw new AppError('admin-only', 'Forbidden', [
      about(
        'ownerId',
        `${quoted(ownerId)} is another user; only administrators can save a parameter set for others.`,
      ),
    ]);
  }
  const known = await users();
  if (ownerId.trim() === '' || (known.size > 0 && !known.has(ownerId))) {
    const problem = `${quoted(ownerId)} is not a known user. Try: the id of a known user, or null for yourself.`;
    throw badRequestAs('unknown-name', about('ownerId', problem), { field: 'ownerId', value: ownerId });
  }
  return ownerId;
}

/** Order of sets for people: by name without regard to case; sets of the same name by owner. */
export function byName(a: ParameterSet, b: ParameterSet): number {
  return compareText(a.name.toLowerCase(), b.name.toLowerCase()) || compareText(a.ownerId, b.ownerId);
}
