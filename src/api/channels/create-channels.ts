import { type Backing, createNamespace } from '../../cache/namespace.ts';
import type { AllowedProject, ChannelSettings, Preferences } from '../../model/chat.ts';
import { AppError, badRequest } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { compareText } from '../../model/issues/ids-and-names.ts';
import { principalIn } from '../../model/request.ts';
import { isTimeZone } from '../../time/zones.ts';
import { choose } from '../reporting/resolve-request.ts';
import type { SettingsApi } from '../settings/settings-api.ts';

/** The port of what was chosen for channels and by people; nulls where nothing was. */
export interface ChannelsApi {
  channel(channel: string): Promise<ChannelSettings>;
  /** Every channel for which something was chosen. */
  channels(): Promise<readonly ChannelSettings[]>;
  /**
   * Replaces the members given; an unknown zone or calendar is `bad-request`. `by` is the account that changes them: the
   * door decides who can.
   */
  changeChannel(
    channel: string,
    changes: Partial<Pick<ChannelSettings, 'timeZone' | 'calendar' | 'projects' | 'unfurls'>>,
    by: string,
  ): Promise<ChannelSettings>;
  /** Gives a channel the zone of the account that first asks there; of several at once the first one counts. */
  beginTimeZone(channel: string, timeZone: string, account: string): Promise<ChannelSettings>;
  preferences(account: string): Promise<Preferences>;
  changePreferences(account: string, changes: Partial<Omit<Preferences, 'account'>>): Promise<Preferences>;
}

/** The parts by which choices of channels and people are stored and checked. */
interface ChannelsParts {
  readonly stored: Backing;
  readonly settings: Pick<SettingsApi, 'calendars'>;
  readonly tenant: string;
  readonly now: () => Instant;
}

/** Choices of channels and people over the store, for good. */
export function createChannels({ stored, settings, tenant, now }: ChannelsParts): ChannelsApi {
  const forGood = { ttlMs: null, maxEntries: null, now, backing: stored };
  const ofChannels = createNamespace<ChannelSettings>({ name: 'channel', ...forGood });
  const ofPeople = createNamespace<Preferences>({ name: 'preferences', ...forGood });

  /** The changes with the calendar's id; an unknown calendar is `bad-request`. */
  async function withCalendarId<Changes extends { readonly calendar?: string | null }>(
    changes: Changes,
  ): Promise<Changes> {
    if (typeof changes.calendar !== 'string') return changes;
    // They are for everyone to read.
    const calendars = await settings.calendars(principalIn(tenant, ''));
    const { id, name } = choose('calendar', changes.calendar, calendars, (one) =>
      one.id === null ? [one.name] : [String(one.id), one.name],
    );
    return { ...changes, calendar: id === null ? name : String(id) };
  }

  return {
    async channel(channel) {
      return (await ofChannels.get(channel)) ?? nothingChosen(channel);
    },
    channels: async () => (await ofChannels.values()).toSorted((a, b) => compareText(a.channel, b.channel)),
    async changeChannel(channel, changes, by) {
      const { timeZone, projects } = changes;
      if (typeof timeZone === 'string' && !isTimeZone(timeZone)) throw unknownZone(timeZone);
      const members = await withCalendarId(changes);
      return ofChannels.change(channel, (chosen) => ({
        ...chosenBefore(chosen ?? nothingChosen(channel), timeZone !== undefined),
        ...members,
        ...(projects === undefined ? {} : { projects: projects && eachOnce(projects) }),
        changedBy: by,
        changedAt: now(),
      }));
    },
    beginTimeZone: (channel, timeZone, account) =>
      ofChannels.change(channel, (chosen) =>
        typeof chosen?.timeZone === 'string'
          ? chosen
          : { ...(chosen ?? nothingChosen(channel)), timeZone, timeZoneFrom: account },
      ),
    async preferences(account) {
      return (await ofPeople.get(account)) ?? nothingPreferred(account);
    },
    async changePreferences(account, changes) {
      const { projects } = changes;
      const members = await withCalendarId(changes);
      return ofPeople.change(account, (preferred) => ({
        ...(preferred ?? nothingPreferred(account)),
        ...members,
        ...(projects === undefined ? {} : { projects: projects && keysOf(projects) }),
      }));
    },
  };
}

function nothingChosen(channel: string): ChannelSettings {
  const nothing = { timeZone: null, calendar: null, projects: null, changedBy: null, changedAt: null };
  return { channel, unfurls: false, ...nothing };
}

/** A zone that is chosen now is not the one that it began as. */
function chosenBefore({ timeZoneFrom, ...chosen }: ChannelSettings, isZoneChosen: boolean): ChannelSettings {
  return isZoneChosen || timeZoneFrom === undefined ? chosen : { ...chosen, timeZoneFrom };
}

function nothingPreferred(account: string): Preferences {
  return { account, projects: null, calendar: null };
}

/** A project that is named twice is for guests only where both times say so. */
function eachOnce(projects: readonly AllowedProject[]): readonly AllowedProject[] {
  return keysOf(projects.map(({ key }) => key)).map((key) => ({
    key,
    withGuests: projects.every((project) => keyOf(project.key) !== key || project.withGuests),
  }));
}

function keysOf(keys: readonly string[]): readonly string[] {
  return [...new Set(keys.map(keyOf))].sort(compareText);
}

function keyOf(key: string): string {
  return key.trim().toUpperCase();
}

function unknownZone(timeZone: string): AppError {
  const sentence = `timeZone '${timeZone}' is not an IANA time zone. Try: names such as Europe/Berlin.`;
  const data = { field: 'timeZone', value: timeZone };
  return new AppError('invalid-value', 'Bad request', [sentence], { fields: { timeZone: sentence }, data });
}

/**
 * The keys of projects that were typed, with commas or blanks between them, upper case and each once; what can be none
 * is a `bad-request`.
 */
export function readProjectKeys(typed: string): readonly string[] {
  const words = typed.split(/[\s,]+/).filter((word) => word !== '');
  const wrong = words.find((word) => !/^[a-z][a-z0-9_]*$/i.test(word));
  if (wrong !== undefined) {
    const hint = 'the part before the number of an issue key, such as WEB';
    throw badRequest(`project '${wrong}' is not a project key. Try: ${hint}.`);
  }
  return [...new Set(words.map((word) => word.toUpperCase()))];
}

/**
 * The list with these projects in it, each with or without guests as given now. The first one makes a list, which also
 * narrows the channel: a list says all that can be shared there.
 */
export function allowProjects(
  current: readonly AllowedProject[] | null,
  keys: readonly string[],
  withGuests: boolean,
): readonly AllowedProject[] {
  const others = (current ?? []).filter(({ key }) => !keys.includes(key));
  return [...others, ...keys.map((key) => ({ key, withGuests }))];
}

/** The list without these projects; one that is not in it, or on no list, is a `bad-request`. */
export function forbidProjects(
  current: readonly AllowedProject[] | null,
  keys: readonly string[],
): readonly AllowedProject[] {
  const known = (current ?? []).map(({ key }) => key);
  const missing = keys.find((key) => !known.includes(key));
  if (missing !== undefined) {
    const sentence = `project '${missing}' is not in the channel's list; in it: ${known.join(', ') || 'none'}.`;
    const data = { field: 'project', value: missing, known };
    throw new AppError('unknown-name', 'Bad request', [sentence], { data });
  }
  return (current ?? []).filter(({ key }) => !keys.includes(key));
}
