import type { Backing } from '../../cache/backing.ts';
import { createNamespace } from '../../cache/namespace.ts';
import { compareText } from '../../issues/ids-and-names.ts';
import type { AllowedProject, ChannelSettings, Preferences } from '../../model/chat.ts';
import { badFields, badRequest } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { principalOf } from '../../model/principal.ts';
import { isTimeZone } from '../../time/zones.ts';
import { choose } from '../refusals.ts';
import type { SettingsApi } from '../settings.ts';
import type { ChannelsApi } from './channels-api.ts';

/** What the choices of channels and people are kept and checked with. */
interface ChannelsParts {
  readonly stored: Backing;
  readonly settings: Pick<SettingsApi, 'calendars'>;
  readonly now: () => Instant;
}

/** Calendars are for everybody to read. */
const anybody = principalOf('');

/** Choices of channels and people over the store, for good. */
export function createChannels({ stored, settings, now }: ChannelsParts): ChannelsApi {
  const forGood = { ttlMs: null, most: null, now, backing: stored };
  const ofChannels = createNamespace<ChannelSettings>({ name: 'channel', ...forGood });
  const ofPeople = createNamespace<Preferences>({ name: 'preferences', ...forGood });

  async function calendarId(asked: string): Promise<string> {
    const calendars = await settings.calendars(anybody);
    const { id, name } = choose('calendar', asked, calendars, (one) =>
      one.id === null ? [one.name] : [String(one.id), one.name],
    );
    return id === null ? name : String(id);
  }

  /** Members as they are kept; what nobody knows is `bad-request`. */
  async function checked<Changes extends { readonly calendar?: string | null }>(
    changes: Changes,
  ): Promise<Changes> {
    const { calendar } = changes;
    return typeof calendar === 'string' ? { ...changes, calendar: await calendarId(calendar) } : changes;
  }

  return {
    async channel(channel) {
      return (await ofChannels.get(channel)) ?? nothingChosen(channel);
    },
    channels: async () => (await ofChannels.values()).toSorted((a, b) => compareText(a.channel, b.channel)),
    async changeChannel(channel, changes, by) {
      const { timeZone, projects } = changes;
      if (typeof timeZone === 'string' && !isTimeZone(timeZone)) throw unknownZone(timeZone);
      const members = await checked(changes);
      return ofChannels.change(channel, (chosen) => ({
        ...(chosen ?? nothingChosen(channel)),
        ...members,
        ...(projects === undefined ? {} : { projects: projects && eachOnce(projects) }),
        changedBy: by,
        changedAt: now(),
      }));
    },
    async preferences(account) {
      return (await ofPeople.get(account)) ?? nothingPreferred(account);
    },
    async changePreferences(account, changes) {
      const { projects } = changes;
      const members = await checked(changes);
      return ofPeople.change(account, (preferred) => ({
        ...(preferred ?? nothingPreferred(account)),
        ...members,
        ...(projects === undefined ? {} : { projects: projects && keysOf(projects) }),
      }));
    },
  };
}

function nothingChosen(channel: string): ChannelSettings {
  return {
    channel,
    timeZone: null,
    calendar: null,
    projects: null,
    unfurls: false,
    changedBy: null,
    changedAt: null,
  };
}

function nothingPreferred(account: string): Preferences {
  return { account, projects: null, calendar: null };
}

/** A project that is named twice is told to guests only where both times say so. */
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

function unknownZone(timeZone: string) {
  const sentence = `timeZone '${timeZone}' is not an IANA time zone; allowed: names such as Europe/Berlin.`;
  return badFields({ timeZone: sentence });
}

/**
 * The keys of projects that were typed, with commas or blanks between them, upper case and each once; what can be none
 * is a `bad-request`.
 */
export function readProjectKeys(typed: string): readonly string[] {
  const words = typed.split(/[\s,]+/).filter((word) => word !== '');
  const wrong = words.find((word) => !/^[a-z][a-z0-9_]*$/i.test(word));
  if (wrong !== undefined) {
    throw badRequest(
      `project '${wrong}' is no key; allowed: what stands before the number of an issue, such as WEB.`,
    );
  }
  return [...new Set(words.map((word) => word.toUpperCase()))];
}

/**
 * The list with these projects in it, in the order of their keys; for each of them it is set again whether guests count. The
 * first one makes a list, which also narrows the channel: a list says all of what can be read there.
 */
export function allowProjects(
  kept: readonly AllowedProject[] | null,
  keys: readonly string[],
  withGuests: boolean,
): readonly AllowedProject[] {
  const others = (kept ?? []).filter(({ key }) => !keys.includes(key));
  return [...others, ...keys.map((key) => ({ key, withGuests }))].toSorted((a, b) =>
    a.key < b.key ? -1 : 1,
  );
}

/** The list without these projects; one that is not in it is a `bad-request`. Without a list there is nothing to take from. */
export function forbidProjects(
  kept: readonly AllowedProject[] | null,
  keys: readonly string[],
): readonly AllowedProject[] {
  const missing = keys.find((key) => !kept?.some((one) => one.key === key));
  if (missing !== undefined) {
    const allowed = kept === null || kept.length === 0 ? 'none' : kept.map(({ key }) => key).join(', ');
    throw badRequest(`project '${missing}' is not in the channel's list; in it: ${allowed}.`);
  }
  return (kept ?? []).filter(({ key }) => !keys.includes(key));
}
