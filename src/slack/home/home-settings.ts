import type { InputBlock, ModalView, PlainTextOption } from '@slack/types';
import { limits } from '../../block-kit/limits.ts';
import { context, escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { Preferences } from '../../model/chat.ts';
import { badRequest } from '../../model/error.ts';
import { ask } from '../../model/request.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { calendarIdOf } from '../../questions/parse/read-calendar.ts';
import type { SlackAction, SlackModal, Submission } from '../app/handler-types.ts';
import { notice } from '../app/message-texts.ts';
import { openLateView } from '../app/open-view.ts';
import type { SlackParts, ViewParts } from '../app/parts.ts';
import { resolvePrincipal } from '../people/principals.ts';

/** *Settings* on the Home tab: which projects it tells of, and which hours count. */
export const openHomeSettings: SlackAction<
  ViewParts & Pick<SlackParts, 'accounts' | 'channels' | 'people' | 'reporting' | 'settings'>
> = {
  id: 'home-settings',
  run: ({ principal: { account }, open }, parts) =>
    openLateView(
      {
        title: 'Settings',
        meanwhile: 'Getting what you chose…',
        advice: 'Please press *Settings* again.',
        make: () => makeSettings(account, parts),
      },
      open,
      parts,
    ),
};

/** Somebody's settings, submitted: they are kept, and the Home tab follows. */
export const homeSettings: SlackModal<
  Pick<SlackParts, 'accounts' | 'channels' | 'homes' | 'people' | 'reporting'>
> = {
  id: 'home-settings',
  title: 'Settings',
  meanwhile: 'Saving…',
  wrongAtOnce(submission) {
    const count = projectsOf(submission).length;
    if (count <= MOST_PROJECTS) return {};
    return { 'project-keys': `${count} projects are named. Try: at most ${MOST_PROJECTS}.` };
  },
  placeOf: ({ principal: { account } }) => ({ channel: account, threadTs: null }),
  async answer(submission, parts) {
    const account = submission.principal.account;
    const projects = projectsOf(submission);
    if (submission.texts['project-keys'] !== undefined) await refuseUnknown(projects, account, parts);
    const { calendar } = submission.chosen;
    await parts.channels.changePreferences(account, {
      projects: projects.length === 0 ? null : projects,
      ...(calendar === undefined ? {} : { calendar }),
    });
    const later = parts.homes.show(account).then(() => notice('Saved. Your Home tab shows it.'));
    const which =
      projects.length === 0
        ? 'Your Home tab tells of the projects most of your issues are in.'
        : `Your Home tab tells of ${projects.map(escapeMrkdwn).join(', ')}.`;
    return { ...notice('Saved.', which), later };
  },
};

function projectsOf({ chosenAll, texts }: Submission): readonly string[] {
  const typed = texts['project-keys']?.split(/[\s,;]+/).filter((key) => key !== '') ?? [];
  return [...new Set((chosenAll.projects ?? typed).map((key) => key.toUpperCase()))];
}

/** Typed keys may be none; those of a menu are not asked about. */
async function refuseUnknown(
  keys: readonly string[],
  account: string,
  parts: Pick<SlackParts, 'accounts' | 'people' | 'reporting'>,
): Promise<void> {
  const principal = await resolvePrincipal(account, parts);
  const unknown: string[] = [];
  for (const project of keys) {
    const request = ask({ principal, reportType: 'statusCount', selection: { by: 'project', project } });
    await parts.reporting.check(request).catch(() => unknown.push(project));
  }
  if (unknown.length === 0) return;
  throw badRequest(
    `Nothing is saved: there is no project ${unknown.join(', ')}, or none that you may see. Try: keys such as WEB, with blanks between.`,
  );
}

/** Long enough for five keys. */
const TYPED_LENGTH = 200;

/** What somebody can choose from. `projects`: keys of all they may see; null where nobody tells. */
export interface SettingsChoices {
  readonly calendars: readonly CalendarDefinition[];
  readonly projects: readonly string[] | null;
}

/** The form of somebody's settings. A menu takes a hundred options; where there are more projects, keys are typed. */
export function settingsView(
  { projects, calendar }: Preferences,
  { calendars, projects: all }: SettingsChoices,
): ModalView {
  const chosen = projects ?? [];
  return {
    type: 'modal',
    callback_id: 'home-settings',
    title: plain('Settings'),
    submit: plain('Save'),
    close: plain('Cancel'),
    blocks: [
      projectsInput(chosen, all ?? []),
      ...calendarInput(calendar, calendars),
      context(
        'They count on your Home tab and in our conversation. Channels have their own: `/tis calendar` there.',
      ),
    ],
  };
}

function projectsInput(chosen: readonly string[], all: readonly string[]): InputBlock {
  const [first, ...others] = all.map((key) => option(key, key));
  const hint = plain(`At most ${MOST_PROJECTS}. None: those most of your issues are in.`);
  const label = 'Projects whose week is told';
  if (first === undefined || others.length >= limits.select.options) {
    return {
      ...input(label, 'project-keys', {
        type: 'plain_text_input',
        max_length: TYPED_LENGTH,
        placeholder: plain('Keys, with blanks between'),
        ...(chosen.length === 0 ? {} : { initial_value: chosen.join(' ').slice(0, TYPED_LENGTH) }),
      }),
      optional: true,
      hint,
    };
  }
  const options = [first, ...others];
  // Of a project that is gone, or closed to them now, nothing can be shown.
  const initial = options.filter(({ value }) => value !== undefined && chosen.includes(value));
  return {
    ...input(label, 'projects', {
      type: 'multi_static_select',
      options,
      max_selected_items: MOST_PROJECTS,
      ...(initial.length === 0 ? {} : { initial_options: initial.slice(0, MOST_PROJECTS) }),
    }),
    optional: true,
    hint,
  };
}

function calendarInput(chosen: string | null, calendars: readonly CalendarDefinition[]): InputBlock[] {
  const options = calendars
    .slice(0, limits.select.options)
    .map((one) => option(one.id === null ? 'Around the clock' : one.name, calendarIdOf(one)));
  const [first, ...others] = options;
  if (first === undefined) return [];
  const usual = calendars.filter(({ isDefault }) => isDefault).map(calendarIdOf)[0];
  const initial = options.find(({ value }) => value === (chosen ?? usual)) ?? first;
  return [
    {
      ...input('Hours that count', 'calendar', {
        type: 'static_select',
        options: [first, ...others],
        initial_option: initial,
      }),
      hint: plain('Ages and cycle times are told in this calendar.'),
    },
  ];
}

function input<Element extends InputBlock['element']>(
  label: string,
  id: string,
  element: Element,
): InputBlock {
  return { type: 'input', block_id: id, label: plain(label), element: { ...element, action_id: id } };
}

function option(text: string, value: string): PlainTextOption {
  return { text: plain(shorten(text, limits.option.text)), value };
}

function plain(text: string) {
  return { type: 'plain_text', text } as const;
}

/** The form of somebody's settings, with what they chose and what they can choose. */
async function makeSettings(
  account: string,
  parts: Pick<SlackParts, 'accounts' | 'channels' | 'people' | 'reporting' | 'settings'>,
): Promise<ModalView> {
  const { reporting, settings, channels } = parts;
  const principal = await resolvePrincipal(account, parts);
  const everything = ask({ principal, reportType: 'statusCount', selection: { by: 'jql', jql: '' } });
  const [preferences, calendars, contents] = await Promise.all([
    channels.preferences(account),
    settings.calendars(principal),
    reporting.audienceScope(everything),
  ]);
  return settingsView(preferences, { calendars, projects: contents?.projects ?? null });
}

/** As many weeks of chosen projects are told on the Home tab. */
export const MOST_PROJECTS = 5;
