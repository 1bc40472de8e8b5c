import type { Backing } from '../cache/backing.ts';
import { createNamespace } from '../cache/namespace.ts';
import { compareText } from '../issues/ids-and-names.ts';
import type { AllowedProject, ChannelSettings, Preferences } from '../model/chat.ts';
import { badFields } from '../model/error.ts';
import type { Instant } from '../model/issue.ts';
import { principalOf } from '../model/principal.ts';
import { isTimeZone } from '../time/zones.ts';
import type { ChannelsApi } from './channels.ts';
import { choose } from './refusals.ts';
import type { SettingsApi } from './settings/settings-api.ts';

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
