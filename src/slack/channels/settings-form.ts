import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { AllowedProject } from '../../model/chat.ts';
import { reportIds } from '../../model/report-ids.ts';
import { ask, type Principal } from '../../model/request.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { shorten } from '../../output/readable-text.ts';
import { calendarName, hoursText } from '../../time/working-days.ts';
import { zoneNames } from '../../time/zones.ts';
import { defineForm, field, type Wrong } from '../app/define-form.ts';
import { entered, input, optionOf, plainText } from '../app/form-inputs.ts';
import type { Choice, Person, Place, SlackAction, SlackMenu, SlackModal } from '../app/handler-types.ts';
import { isDirect } from '../app/hours-here.ts';
import { notice } from '../app/message-texts.ts';
import { openLateView, wordView } from '../app/open-view.ts';
import type { LinkingParts, SlackParts, ViewParts } from '../app/parts.ts';
import { calendarIdOf } from '../ask/grammar/read-calendar.ts';
import { limits } from '../blocks/limits.ts';
import type { Message } from '../blocks/message.ts';
import { button, context, section } from '../blocks/mrkdwn.ts';
import { resolvePrincipal } from '../people/accounts.ts';
import { invite } from '../people/identify.ts';
import { closedFor } from './audience.ts';
import { findState, type StatusParts, sharedText } from './status.ts';

/** The parts that the settings of a channel and a person are shown and changed with. */
export type ChannelSettingsParts = StatusParts & LinkingParts & ViewParts;

/** Opens the settings of a place and of the person who asks; in their conversation with the app only their own. */
export function openSettings(
  {
    principal: { account },
    place,
    open,
  }: Person & { readonly place: Place; open(view: ModalView): Promise<void> },
  parts: ChannelSettingsParts,
): Promise<readonly Message[]> {
  const view = {
    title: 'Settings',
    meanwhile: 'Looking up the settings…',
    make: () => settingsOf(account, place, parts),
  };
  return openLateView({ ...view, advice: 'Please type `/tis settings` again.' }, open, parts);
}

const MAX_PROJECTS = 5;
/** The inputs of projects: a channel's list, and a person's own. */
const SHARED = 'project-menu:shared';
const GUESTS = 'project-menu:guests';
const MINE = 'project-menu:mine';
const USUAL = 'default';

/**
 * The settings of a channel and a person. They carry what each input had when they were opened (by `action_id`), so that
 * what others changed meanwhile, or was not shown, stays.
 */
export const settingsForm = defineForm({
  id: 'settings',
  title: 'Settings',
  submit: 'Save',
  carried: z.object({ channel: z.string(), opened: z.record(z.string(), z.array(z.string())) }),
  carry: ({ channel }, blocks) => ({ channel, opened: Object.fromEntries(blocks.flatMap(valueIn)) }),
  reads: {
    [SHARED]: entered.list,
    [GUESTS]: entered.list,
    [MINE]: entered.list,
    calendar: entered.text,
    'my-calendar': entered.text,
    'zone-menu': entered.text,
    links: entered.check.default(false),
  },
  rows: ({ channel }, { calendars, sharing, hasList, state }: SettingsChoices) => [
    ...(sharing === null
      ? []
      : [
          section(`*This channel* <#${channel}>\n${sharing}`),
          ...(hasList ? listFields : []),
          field('calendar', 'Calendar', calendarMenu(calendars)),
          field('zone-menu', 'Time zone', zoneInput, { block: 'zone', optional: true }),
          field('links', 'Links', linksBox, { optional: true }),
          { type: 'divider' } as const,
        ]),
    section(`*You*\n${state.you}`, button('Change', 'link-account', channel)),
    field('my-calendar', 'Your calendar', calendarMenu(calendars)),
    field(MINE, 'Your projects', input.searchForSeveral('Choose projects', MAX_PROJECTS), {
      block: 'mine',
      optional: true,
      hint: 'For questions without a project, and on Home. Leave empty for the project with most of your issues.',
    }),
    { type: 'divider' },
    section(
      '*Flow*\nWhat counts as started, waiting, blocked and finished in a project.',
      button('Flow', 'flow-open', channel),
    ),
    ...[...state.data, ...state.slack].map((line) => section(line)),
    context(state.version),
  ],
});

const zoneInput = input.search('Taken from the next person to ask here', zoneChoice);
const linksBox = input.checkbox('Show time in status under links to issues', 'on');

const listFields = [
  field(SHARED, 'Projects that can be shared here', input.searchForSeveral('Choose projects'), {
    block: 'shared',
    optional: true,
    hint: 'Questions here without a project use these. Leave empty for the default.',
  }),
  field(GUESTS, 'Guests and external people can see', input.searchForSeveral('Choose projects'), {
    block: 'guests',
    optional: true,
    hint: 'Choose from the projects above.',
  }),
];

interface SettingsChoices {
  readonly calendars: readonly CalendarDefinition[];
  readonly state: Awaited<ReturnType<typeof findState>>;
  /** Sentences (mrkdwn) on what can be shared in the channel; null in a direct conversation. */
  readonly sharing: string | null;
  /** The person can change the project list. */
  readonly hasList: boolean;
}

async function settingsOf(
  account: string,
  { channel }: Place,
  parts: ChannelSettingsParts,
): Promise<ModalView> {
  const principal = await resolvePrincipal(account, parts);
  const [calendars, state, mine] = await Promise.all([
    parts.settings.calendars(principal),
    findState(account, principal, parts),
    parts.channels.preferences(account),
  ]);
  const here = isDirect(channel) ? null : await parts.channels.channel(channel);
  const sharing = here && (await sharedText(channel, principal, parts));
  const isAdmin = principal.rights === 'admin';
  const list = here && isAdmin ? await shownList(here.projects ?? [], principal, parts) : null;
  const values = {
    channel,
    opened: {},
    [MINE]: mine.projects ?? [],
    [SHARED]: keysOf(list ?? []),
    [GUESTS]: keysOf((list ?? []).filter((one) => one.withGuests)),
    calendar: knownCalendar(here?.calendar, calendars),
    'my-calendar': knownCalendar(mine.calendar, calendars),
    'zone-menu': here?.timeZone ?? '',
    links: here?.unfurls ?? false,
  };
  return settingsForm.view(values, { calendars, state, sharing, hasList: list !== null });
}

const keysOf = (list: readonly AllowedProject[]) => list.map(({ key }) => key);

/** The values that an input holds when the form opens, by the `action_id`. */
function valueIn(block: KnownBlock): readonly (readonly [id: string, values: string[]])[] {
  if (block.type !== 'input') return [];
  const { element } = block;
  const one = 'initial_option' in element ? [element.initial_option] : [];
  const chosen = 'initial_options' in element ? (element.initial_options ?? []) : one;
  return [[element.action_id ?? '', chosen.flatMap((option) => option?.value ?? [])]];
}

/** The most characters of keys that fit twice into what Slack sends back with the form. */
const MAX_CHARACTERS = 1_200;

/** The project list, as far as the admin can see it and there is room; null while that is unknown. */
async function shownList(
  projects: readonly AllowedProject[],
  principal: Principal,
  parts: ChannelSettingsParts,
): Promise<readonly AllowedProject[] | null> {
  const isClosed = await closedFor(principal, parts).catch(() => undefined);
  if (isClosed === undefined) return null;
  let characters = 0;
  return projects
    .filter(({ key }) => !isClosed?.(key))
    .slice(0, limits.select.options)
    .filter(({ key }) => {
      characters += JSON.stringify(key).length + 1;
      return characters <= MAX_CHARACTERS;
    });
}

function knownCalendar(chosen: string | null | undefined, calendars: readonly CalendarDefinition[]): string {
  return calendars.map(calendarIdOf).find((id) => id === chosen) ?? USUAL;
}

function calendarMenu(calendars: readonly CalendarDefinition[]) {
  const usual = calendars.find(({ isDefault }) => isDefault);
  return input.menu([
    optionOf(`Default (${usual === undefined ? '24/7' : calendarName(usual)})`, USUAL),
    ...calendars.map((one) => ({
      ...optionOf(calendarName(one), calendarIdOf(one)),
      description: plainText(shorten(hoursText(one), limits.option.description)),
    })),
  ]);
}

/** Projects that a person can see; a key that is in no list can be typed. */
export const projectMenu: SlackMenu<Pick<SlackParts, 'accounts' | 'people' | 'reporting'>> = {
  id: 'project-menu',
  async choices(account, parts) {
    const principal = await resolvePrincipal(account, parts);
    const everything = ask({
      principal,
      reportType: reportIds.statusCount,
      selection: { by: 'jql', jql: '' },
    });
    const scope = await parts.reporting.audienceScope(everything);
    return (scope?.projects ?? []).map((key): Choice => [key, key]);
  },
  async typed(text, account, parts) {
    const project = text.toUpperCase();
    const principal = await resolvePrincipal(account, parts);
    const request = ask({
      principal,
      reportType: reportIds.statusCount,
      selection: { by: 'project', project },
    });
    return parts.reporting.check(request).then(
      (): Choice => [project, project],
      () => null,
    );
  },
};

/** Every time zone by its name. */
export const zoneMenu: SlackMenu<object> = {
  id: 'zone-menu',
  choices: async () => zoneNames().map(zoneChoice),
};

function zoneChoice(zone: string): Choice {
  return [zone.replaceAll('_', ' '), zone];
}

type Settings = ReturnType<typeof settingsForm.read>;

/** The submitted settings: only what the person changed is saved. */
export const saveSettings: SlackModal<ChannelSettingsParts> = settingsForm.modal({
  meanwhile: 'Saving…',
  wrongAtOnce({ [SHARED]: shared, [GUESTS]: guests }): Wrong {
    const missing = guests.filter((key) => !shared.includes(key));
    return missing.length === 0 ? {} : { guests: `${missing.join(', ')} must also be in the list above.` };
  },
  placeOf: ({ channel }) => ({ channel, threadTs: null }),
  async answer(settings, { principal: { account } }, parts) {
    const { channel } = settings;
    const own = {
      ...changed(settings, MINE, (keys) => ({ projects: keys.length === 0 ? null : keys })),
      ...changed(settings, 'my-calendar', (ids) => ({ calendar: calendarIn(ids) })),
    };
    if (Object.keys(own).length > 0) await parts.channels.changePreferences(account, own);
    const here = {
      ...changed(settings, 'calendar', (ids) => ({ calendar: calendarIn(ids) })),
      ...changed(settings, 'zone-menu', ([timeZone = null]) => ({ timeZone })),
      ...changed(settings, 'links', (on) => ({ unfurls: on.length > 0 })),
    };
    if (Object.keys(here).length > 0) await parts.channels.changeChannel(channel, here, account);
    await saveList(settings, account, parts);
    return notice('Saved.');
  },
});

/** The result of `make` for an input that holds something else than when the form opened; null for any other. */
function changed<Change>(
  settings: Settings,
  id: Exclude<keyof Settings, 'channel' | 'opened'>,
  make: (after: readonly string[], before: readonly string[]) => Change,
): Change | null {
  const before = settings.opened[id];
  const value = settings[id];
  const chosen = typeof value === 'boolean' ? (value ? 'on' : '') : value;
  const after = [chosen].flat().filter((one) => one !== '');
  return before === undefined || String(before) === String(after) ? null : make(after, before);
}

async function saveList(settings: Settings, account: string, parts: ChannelSettingsParts): Promise<void> {
  const turned = (id: typeof SHARED | typeof GUESTS) =>
    changed(settings, id, (after, before) => ({
      on: after.filter((key) => !before.includes(key)),
      off: before.filter((key) => !after.includes(key)),
    })) ?? { on: [], off: [] };
  const [shared, guests] = [turned(SHARED), turned(GUESTS)];
  if ([shared, guests].every(({ on, off }) => on.length + off.length === 0)) return;
  const principal = await resolvePrincipal(account, parts);
  if (principal.rights !== 'admin') return;
  const { channel } = settings;
  const { projects } = await parts.channels.channel(channel);
  const list = new Map((projects ?? []).map(({ key, withGuests }) => [key, withGuests]));
  for (const key of shared.off) list.delete(key);
  for (const key of shared.on) list.set(key, list.get(key) ?? false);
  for (const key of guests.off) if (list.has(key)) list.set(key, false);
  for (const key of guests.on) if (list.has(key)) list.set(key, true);
  const after = [...list].map(([key, withGuests]) => ({ key, withGuests }));
  await changeList(channel, { account, principal }, after.length === 0 ? null : after, parts);
}

/** Replaces a channel's list. A project that the principal cannot see is not added by them. */
export async function changeList(
  channel: string,
  { account, principal }: { readonly account: string; readonly principal: Principal },
  projects: readonly AllowedProject[] | null,
  { channels, reporting }: Pick<SlackParts, 'channels' | 'reporting'>,
): Promise<void> {
  const { projects: before } = await channels.channel(channel);
  for (const { key: project, withGuests } of projects ?? []) {
    if (before?.some((one) => one.key === project && one.withGuests === withGuests)) continue;
    await reporting.check(
      ask({ principal, reportType: reportIds.statusDuration, selection: { by: 'project', project } }),
    );
  }
  await channels.changeChannel(channel, { projects }, account);
}

function calendarIn([id = USUAL]: readonly string[]): string | null {
  return id === USUAL ? null : id;
}

/** *Change* beside the linked Jira user: how to link another, above the settings. */
export const linkAccount: SlackAction<LinkingParts> = {
  id: 'link-account',
  async run({ principal: { account }, userName, open }, parts) {
    const invitation = await invite(
      'Link your Slack account to your Jira user.',
      { account, name: userName },
      parts,
    );
    await open(wordView('Jira user', invitation));
    return [];
  },
};
