import type { Principal } from '../model/principal.ts';
import type { CalendarDefinition, CalendarInput, DateFormats, ParameterSet } from '../model/settings.ts';

/** What a saved report configuration is made of; `ownerId` null is whoever saves it. */
interface ParameterSetWish {
  readonly name: string;
  readonly public: boolean;
  readonly ownerId: string | null;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Something that is changed: parameter sets each by its id. */
export type Setting = 'calendars' | 'formats' | { readonly parameterSet: string };

/**
 * The port of everything that is configured rather than asked. Reading needs no right beyond asking; what the principal
 * may not see is `not-found`; what only an admin may change is `not-allowed`; a wrong value is `bad-request`.
 */
export interface SettingsApi {
  /** Fails as a change would for somebody who may make none, whatever it was. */
  permit(principal: Principal, setting: Setting): Promise<void>;
  /** `normalHours` first, then by id. */
  calendars(principal: Principal): Promise<readonly CalendarDefinition[]>;
  /** The calendar that counts where people chose none: its id, or `normalHours`. Reports over REST take `normalHours`. */
  defaultCalendar(): Promise<string>;
  calendar(principal: Principal, id: number): Promise<CalendarDefinition>;
  /** Admins only. Names are unique without regard to case. */
  createCalendar(principal: Principal, wish: CalendarInput): Promise<CalendarDefinition>;
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
  /** Only admins save for somebody else. */
  createParameterSet(principal: Principal, wish: ParameterSetWish): Promise<ParameterSet>;
  /** By its owner or an admin. Replaces the members given. */
  updateParameterSet(
    principal: Principal,
    id: string,
    changes: Partial<ParameterSetWish>,
  ): Promise<ParameterSet>;
  /** By its owner or an admin. Whatever names it fails from then on as with one that never was. */
  deleteParameterSet(principal: Principal, id: string): Promise<void>;
  formats(): Promise<DateFormats>;
  /** Admins only. */
  putFormats(principal: Principal, formats: DateFormats): Promise<DateFormats>;
  /** Identity of this installation, a UUID that stays. */
  clientKey(): Promise<string>;
}
