import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { AllowedProject } from '../../model/chat.ts';
import { ask, type Principal } from '../../model/request.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { shorten } from '../../output/readable-text.ts';
import { calendarName, hoursText } from '../../time/hours-text.ts';
import { zoneNames } from '../../time/zones.ts';
import { inputBlock, menuInput, optionOf, optionsOf, plainText } from '../app/form-blocks.ts';
import type {
  Choice,
  Person,
  Place,
  SlackAction,
  SlackMenu,
  SlackModal,
  Submission,
} from '../app/handler-types.ts';
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
import { changeList, closedFor } from './audience.ts';
import { findState, type StatusParts, sharedText } from './status.ts';

/** What the settings of a channel and a person are shown and changed with. */
export type SettingsParts = StatusParts & LinkingParts & ViewParts;

/** Opens the settings of a place and of the person who asks; in their conversation with the app only their own. */
export function openSettings(
  {
    principal: { account },
    place,
    open,
  }: Person & { readonly place: Place; open(view: ModalView): Promise<void> },
  parts: SettingsParts,
): Promise<readonly Message[]> {
  const view = {
    title: 'Settings',
    meanwhile: 'Looking up the settings…',
    make: () => settingsOf(account, place, parts),
  };
  return openLateView({ ...view, advice: 'Please type `/tis settings` again.' }, open, parts);
}

/** As many projects of a person are shown on Home. */
const MOST_PROJECTS = 5;
/** The inputs of a channel's project list. */
const SHARED = 'project-menu:shared';
const GUESTS = 'project-menu:guests';
/** The value of a calendar that no one chose. */
const USUAL = 'default';

async function settingsOf(account: string, { channel }: Place, parts: SettingsParts): Promise<ModalView> {
  const principal = await resolvePrincipal(account, parts);
  const [calendars, state, mine] = await Promise.all([
    parts.settings.calendars(principal),
    findState(account, principal, parts),
    parts.channels.preferences(account),
  ]);
  const here = isDirect(channel) ? [] : await channelBlocks(channel, principal, calendars, parts);
  const blocks: readonly KnownBlock[] = [
    ...here,
    { ...section(`*You*\n${state.you}`), accessory: button('Change', 'link-account', channel) },
    calendarInput('Your calendar', 'my-calendar', mine.calendar, calendars),
    projectsInput(
      'mine',
      'Your projects',
      mine.projects ?? [],
      'For questions without a project, and on Home. Leave empty for the project with most of your issues.',
    ),
    { type: 'divider' },
    ...[...state.data, ...state.slack].map(section),
    context(state.version),
  ];
  return {
    type: 'modal',
    callback_id: 'settings',
    title: plainText('Settings'),
    submit: plainText('Save'),
    close: plainText('Cancel'),
    private_metadata: JSON.stringify({ channel, opened: Object.fromEntries(blocks.flatMap(valueIn)) }),
    blocks: [...blocks],
  };
}

/** What an input holds when the form opens, by the `action_id`. */
function valueIn(block: KnownBlock): readonly (readonly [id: string, values: readonly string[]])[] {
  if (block.type !== 'input') return [];
  const { element } = block;
  const one = 'initial_option' in element ? [element.initial_option] : [];
  const chosen = 'initial_options' in element ? (element.initial_options ?? []) : one;
  return [[element.action_id ?? '', chosen.flatMap((option) => option?.value ?? [])]];
}

async function channelBlocks(
  channel: string,
  principal: Principal,
  calendars: readonly CalendarDefinition[],
  parts: SettingsParts,
): Promise<readonly KnownBlock[]> {
  const { calendar, timeZone, unfurls, projects } = await parts.channels.channel(channel);
  const [zone] = timeZone === null ? [] : optionsOf([zoneChoice(timeZone)]);
  const links = optionOf('Show time in status under links to issues', 'on');
  const shared = await sharedText(channel, principal, parts);
  return [
    section(`*This channel* <#${channel}>\n${shared}`),
    ...(principal.rights === 'admin' ? await listBlocks(projects ?? [], principal, parts) : []),
    calendarInput('Calendar', 'calendar', calendar, calendars),
    inputBlock(
      'zone',
      'Time zone',
      {
        type: 'external_select',
        action_id: 'zone-menu',
        min_query_length: 0,
        placeholder: plainText('Taken from the next person to ask here'),
        ...(zone === undefined ? {} : { initial_option: zone }),
      },
      { optional: true },
    ),
    inputBlock(
      'links',
      'Links',
      {
        type: 'checkboxes',
        action_id: 'links',
        options: [links],
        ...(unfurls ? { initial_options: [links] } : {}),
      },
      { optional: true },
    ),
    { type: 'divider' },
  ];
}

/** So many characters of keys fit twice into what Slack sends back with the form. */
const MOST_CHARACTERS = 1_200;

/** The project list as two inputs, as far as the admin can see it and there is room; none while that is unknown. */
async function listBlocks(
  projects: readonly AllowedProject[],
  principal: Principal,
  parts: SettingsParts,
): Promise<readonly KnownBlock[]> {
  const isClosed = await closedFor(principal, parts).catch(() => undefined);
  if (isClosed === undefined) return [];
  let characters = 0;
  const shown = projects
    .filter(({ key }) => !isClosed?.(key))
    .slice(0, limits.select.options)
    .filter(({ key }) => {
      characters += JSON.stringify(key).length + 1;
      return characters <= MOST_CHARACTERS;
    });
  const [keys, guests] = [shown, shown.filter(({ withGuests }) => withGuests)].map((list) =>
    list.map(({ key }) => key),
  );
  return [
    projectsInput(
      'shared',
      'Projects that can be shared here',
      keys ?? [],
      'Questions here without a project use these. Leave empty for the default.',
    ),
    projectsInput(
      'guests',
      'Guests and external people can see',
      guests ?? [],
      'Choose from the projects above.',
    ),
  ];
}

function calendarInput(
  label: string,
  id: string,
  chosen: string | null,
  calendars: readonly CalendarDefinition[],
): InputBlock {
  const usual = calendars.find(({ isDefault }) => isDefault);
  const known = calendars.some((one) => calendarIdOf(one) === chosen) ? chosen : null;
  return menuInput(id, label, known ?? USUAL, [
    optionOf(`Default (${usual === undefined ? '24/7' : calendarName(usual)})`, USUAL),
    ...calendars.map((one) => ({
      ...optionOf(calendarName(one), calendarIdOf(one)),
      description: plainText(shorten(hoursText(one), limits.option.description)),
    })),
  ]);
}

function projectsInput(id: string, label: string, chosen: readonly string[], hint: string): InputBlock {
  const options = optionsOf(chosen.map((key) => [key, key] as const)).slice(0, limits.select.options);
  const element = {
    type: 'multi_external_select',
    action_id: `project-menu:${id}`,
    min_query_length: 0,
    placeholder: plainText('Choose projects'),
    ...(id === 'mine' ? { max_selected_items: MOST_PROJECTS } : {}),
    ...(options.length === 0 ? {} : { initial_options: options }),
  } as const;
  return inputBlock(id, label, element, { hint, optional: true });
}

/** Projects that a person can see; a key that is in no list can be typed. */
export const projectMenu: SlackMenu<Pick<SlackParts, 'accounts' | 'people' | 'reporting'>> = {
  id: 'project-menu',
  async choices(account, parts) {
    const principal = await resolvePrincipal(account, parts);
    const everything = ask({ principal, reportType: 'statusCount', selection: { by: 'jql', jql: '' } });
    const scope = await parts.reporting.audienceScope(everything);
    return (scope?.projects ?? []).map((key): Choice => [key, key]);
  },
  async typed(text, account, parts) {
    const project = text.toUpperCase();
    const principal = await resolvePrincipal(account, parts);
    const request = ask({ principal, reportType: 'statusCount', selection: { by: 'project', project } });
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

const metadata = z.object({ channel: z.string(), opened: z.record(z.string(), z.array(z.string())) });

/** The submitted settings: what the person changed, so that what others changed meanwhile, or was not shown, stays. */
export const settingsForm: SlackModal<SettingsParts> = {
  id: 'settings',
  title: 'Settings',
  meanwhile: 'Saving…',
  wrongAtOnce({ chosenAll }) {
    const { [SHARED]: shared = [], [GUESTS]: guests = [] } = chosenAll;
    const missing = guests.filter((key) => !shared.includes(key));
    return missing.length === 0 ? {} : { guests: `${missing.join(', ')} must also be in the list above.` };
  },
  placeOf: placeOfSettings,
  async answer(submission, parts) {
    const account = submission.principal.account;
    const { channel } = placeOfSettings(submission);
    const own = {
      ...changed(submission, 'project-menu:mine', (keys) => ({ projects: keys.length === 0 ? null : keys })),
      ...changed(submission, 'my-calendar', (ids) => ({ calendar: calendarIn(ids) })),
    };
    if (Object.keys(own).length > 0) await parts.channels.changePreferences(account, own);
    const here = {
      ...changed(submission, 'calendar', (ids) => ({ calendar: calendarIn(ids) })),
      ...changed(submission, 'zone-menu', ([timeZone = null]) => ({ timeZone })),
      ...changed(submission, 'links', (on) => ({ unfurls: on.length > 0 })),
    };
    if (Object.keys(here).length > 0) await parts.channels.changeChannel(channel, here, account);
    await saveList(channel, submission, parts);
    return notice('Saved.');
  },
};

/** What `make` makes of an input that holds something else than when the form opened; null for any other. */
function changed<Change>(
  { chosen, chosenAll, metadata: written }: Submission,
  id: string,
  make: (after: readonly string[], before: readonly string[]) => Change,
): Change | null {
  const before = metadata.parse(JSON.parse(written)).opened[id];
  const after = chosenAll[id] ?? [chosen[id] ?? []].flat();
  return before === undefined || String(before) === String(after) ? null : make(after, before);
}

async function saveList(channel: string, submission: Submission, parts: SettingsParts): Promise<void> {
  const turned = (id: string) =>
    changed(submission, id, (after, before) => ({
      on: after.filter((key) => !before.includes(key)),
      off: before.filter((key) => !after.includes(key)),
    })) ?? { on: [], off: [] };
  const [shared, guests] = [turned(SHARED), turned(GUESTS)];
  if ([shared, guests].every(({ on, off }) => on.length + off.length === 0)) return;
  const account = submission.principal.account;
  const principal = await resolvePrincipal(account, parts);
  if (principal.rights !== 'admin') return;
  const { projects } = await parts.channels.channel(channel);
  const list = new Map((projects ?? []).map(({ key, withGuests }) => [key, withGuests]));
  for (const key of shared.off) list.delete(key);
  for (const key of shared.on) list.set(key, list.get(key) ?? false);
  for (const key of guests.off) if (list.has(key)) list.set(key, false);
  for (const key of guests.on) if (list.has(key)) list.set(key, true);
  const after = [...list].map(([key, withGuests]) => ({ key, withGuests }));
  await changeList(channel, { account, principal }, after.length === 0 ? null : after, parts);
}

function calendarIn([id = USUAL]: readonly string[]): string | null {
  return id === USUAL ? null : id;
}

function placeOfSettings({ metadata: written }: Submission): Place {
  return { channel: metadata.parse(JSON.parse(written)).channel, threadTs: null };
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
