import { AppError, about, badRequestAs, clauseOf, quoted } from '../../model/error.ts';
import type { User } from '../../model/issue.ts';
import { compareText } from '../../model/issues/ids-and-names.ts';
import type { ParameterSet } from '../../model/parameter-set.ts';
import { type Principal, principalIn } from '../../model/request.ts';
import {
  type CalendarDefinition,
  type CalendarInput,
  type DateFormats,
  defaultDateFormats,
} from '../../model/settings.ts';
import type { WordingInput } from '../parameters/report.ts';

/** A parameter set to save; `ownerId` null is the person who saves it. */
interface ParameterSetInput extends Pick<ParameterSet, 'name' | 'public' | 'report'> {
  readonly ownerId: string | null;
}

/** Something that is changed: parameter sets each by its id. */
type Setting = 'calendars' | 'formats' | { readonly parameterSet: string };

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
    const problem = `${quoted(ownerId)} is another user; only administrators can save a parameter set for others.`;
    throw new AppError('admin-only', 'Forbidden', [about('ownerId', problem)]);
  }
  const known = await users();
  if (ownerId.trim() === '' || (known.size > 0 && !known.has(ownerId))) {
    const problem = `${quoted(ownerId)} is not a known user. Try: the id of a known user, or null for yourself.`;
    throw badRequestAs('unknown-name', about('ownerId', problem), { field: 'ownerId', value: ownerId });
  }
  return ownerId;
}

/** Order of sets for people: by name without regard to case; sets of the same name by owner. */
export function compareSets(a: ParameterSet, b: ParameterSet): number {
  return compareText(a.name.toLowerCase(), b.name.toLowerCase()) || compareText(a.ownerId, b.ownerId);
}

/** The patterns of dates, and notes on them for the reader. */
interface FormatsToUse {
  readonly formats: DateFormats;
  readonly notes: readonly string[];
}

/** The patterns that are set for everyone; where they cannot be read no report fails, but is written as Jira does. */
export async function formatsToUse(settings: Pick<SettingsApi, 'formats'>): Promise<FormatsToUse> {
  try {
    return { formats: await settings.formats(), notes: [] };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const note = `Dates are written as ${defaultDateFormats.dateTimeFormat}: the date formats could not be read (${clauseOf(error)}).`;
    return { formats: defaultDateFormats, notes: [note] };
  }
}

/** The calendar of an id, as text, or of `normalHours`; null where there is none. They are the same for everyone. */
export async function calendarById(
  id: string,
  { settings, tenant }: { readonly settings: Pick<SettingsApi, 'calendars'>; readonly tenant: string },
): Promise<CalendarDefinition | null> {
  const all = await settings.calendars(principalIn(tenant, ''));
  return all.find((one) => (one.id === null ? 'normalHours' : String(one.id)) === id) ?? null;
}

/** The date formats of a request, or those that are set for everyone. */
export async function readFormats(
  { dateFormat, dateTimeFormat }: Pick<WordingInput, 'dateFormat' | 'dateTimeFormat'>,
  settings: SettingsApi,
): Promise<FormatsToUse> {
  if (dateFormat !== undefined && dateTimeFormat !== undefined) {
    return { formats: { dateFormat, dateTimeFormat }, notes: [] };
  }
  const { formats, notes } = await formatsToUse(settings);
  return {
    formats: {
      dateFormat: dateFormat ?? formats.dateFormat,
      dateTimeFormat: dateTimeFormat ?? formats.dateTimeFormat,
    },
    notes,
  };
}
