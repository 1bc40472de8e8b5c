import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { limits } from '../../block-kit/limits.ts';
import type { Message } from '../../block-kit/message.ts';
import { button, context, section, shorten } from '../../block-kit/mrkdwn.ts';
import type { AllowedProject } from '../../model/chat.ts';
import { ask, type Principal } from '../../model/request.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { calendarIdOf } from '../../questions/parse/read-calendar.ts';
import { calendarName, hoursText } from '../../time/hours-text.ts';
import { zoneNames } from '../../time/zones.ts';
import { inputBlock, menuInput, optionOf, plainText } from '../app/form-blocks.ts';
import { optionsOf } from '../app/form-inputs.ts';
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
import { resolvePrincipal } from '../people/accounts.ts';
import { invite } from '../people/identify.ts';
import { changeList, closedFor } from './audience.ts';
import { findState, type StatusParts, sharedText } from './status.ts';

/** What the settings of a channel and a person are shown and changed with. */
export type SettingsParts = StatusParts & LinkingParts & ViewParts & Pick<SlackParts, 'homes'>;

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
  return {
    type: 'modal',
    callback_id: 'settings',
    title: plainText('Settings'),
    submit: plainText('Save'),
    close: plainText('Cancel'),
    private_metadata: JSON.stringify({ channel }),
    blocks: [
      ...here,
      { ...section(`*You*\n${state.you}`), accessory: button('Change', 'link-account', channel) },
      calendarInput('Your calendar', 'my-calendar', mine.calendar, calendars),
      projectsInput(
        'mine',
        'Your projects',
        mine.projects ?? [],
        'For questions without a project, and on Home. Empty: where most of your issues are.',
      ),
      { type: 'divider' },
      ...[...state.data, ...state.slack].map(section),
      context(state.version),
    ],
  };
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
  const isClosed = await closedFor(principal, parts).catch(() => () => true);
  const keys = (projects ?? []).filter(({ key }) => !isClosed?.(key));
  const guests = keys.filter(({ withGuests }) => withGuests);
  const lists =
    principal.rights === 'admin'
      ? [
          projectsInput(
            'shared',
            'Projects that can be shared here',
            keysOf(keys),
            'Leave empty for no list.',
          ),
          projectsInput(
            'guests',
            'Also if guests or other workspaces read here',
            keysOf(guests),
            'Some of the projects above.',
          ),
        ]
      : [];
  return [
    section(`*This channel* <#${channel}>\n${shared}`),
    ...lists,
    calendarInput('Calendar', 'calendar', calendar, calendars),
    inputBlock(
      'zone',
      'Time zone',
      {
        type: 'external_select',
        action_id: 'zone-menu',
        min_query_length: 0,
        placeholder: plainText('From the next person to ask here'),
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

function keysOf(projects: readonly AllowedProject[]): readonly string[] {
  return projects.map(({ key }) => key);
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

const metadata = z.object({ channel: z.string() });

/** The submitted settings. */
export const settingsForm: SlackModal<SettingsParts> = {
  id: 'settings',
  title: 'Settings',
  meanwhile: 'Saving…',
  wrongAtOnce(submission) {
    const shared = keysIn(submission, 'shared');
    const missing = keysIn(submission, 'guests').filter((key) => !shared.includes(key));
    return missing.length === 0 ? {} : { guests: `${missing.join(', ')} must also be in the list above.` };
  },
  placeOf: placeOfSettings,
  async answer(submission, parts) {
    const account = submission.principal.account;
    const { channel } = placeOfSettings(submission);
    const projects = keysIn(submission, 'mine');
    await parts.channels.changePreferences(account, {
      projects: projects.length === 0 ? null : projects,
      calendar: calendarIn(submission, 'my-calendar'),
    });
    if (!isDirect(channel)) await saveChannel(channel, submission, parts);
    // No one waits for it, and it never fails.
    void parts.homes.follow(account);
    return notice('Saved.');
  },
};

/** Changes what differs, so that a choice of another person meanwhile stays. */
async function saveChannel(channel: string, submission: Submission, parts: SettingsParts): Promise<void> {
  const account = submission.principal.account;
  const before = await parts.channels.channel(channel);
  const after = {
    calendar: calendarIn(submission, 'calendar'),
    timeZone: submission.chosen['zone-menu'] ?? null,
    unfurls: submission.chosenAll.links?.includes('on') === true,
  };
  const changes = Object.fromEntries(
    (['calendar', 'timeZone', 'unfurls'] as const)
      .filter((name) => before[name] !== after[name])
      .map((name) => [name, after[name]]),
  );
  if (Object.keys(changes).length > 0) await parts.channels.changeChannel(channel, changes, account);
  const principal = await resolvePrincipal(account, parts);
  if (principal.rights !== 'admin') return;
  const isClosed = await closedFor(principal, parts);
  const unseen = (before.projects ?? []).filter(({ key }) => isClosed?.(key));
  const guests = keysIn(submission, 'guests');
  const chosen = keysIn(submission, 'shared').map((key) => ({ key, withGuests: guests.includes(key) }));
  const projects = [...chosen, ...unseen];
  const textOf = (list: readonly AllowedProject[]) =>
    String(list.map(({ key, withGuests }) => `${key} ${withGuests}`).toSorted());
  if (textOf(projects) === textOf(before.projects ?? [])) return;
  await changeList(channel, { account, principal }, projects.length === 0 ? null : projects, parts);
}

function keysIn({ chosenAll }: Submission, id: string): readonly string[] {
  return chosenAll[`project-menu:${id}`] ?? [];
}

function calendarIn({ chosen }: Submission, id: string): string | null {
  const value = chosen[id] ?? USUAL;
  return value === USUAL ? null : value;
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
