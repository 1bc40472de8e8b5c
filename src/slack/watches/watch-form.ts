import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { CalendarDefinition } from '../../model/settings.ts';
import { shorten } from '../../output/readable-text.ts';
import { defineForm, field } from '../app/define-form.ts';
import { entered, input, optionOf } from '../app/form-inputs.ts';
import type { Click, SlackAction, SlackModal } from '../app/handler-types.ts';
import { notice } from '../app/message-texts.ts';
import { openLateView } from '../app/open-view.ts';
import type { WatchParts } from '../app/parts.ts';
import type { ParserContext } from '../ask/grammar/parser-context.ts';
import { calendarIdOf } from '../ask/grammar/read-calendar.ts';
import { isUnnamed, namesOf, resolveWatch, type UnnamedWatch } from '../ask/grammar/read-watch.ts';
import { wordsOf } from '../ask/grammar/typed-words.ts';
import { parserContextOf } from '../ask/parser-context-of.ts';
import { limits } from '../blocks/limits.ts';
import { context, escapeMrkdwn, section } from '../blocks/mrkdwn.ts';
import { beginWatch, coverageText } from './describe-watch.ts';

/** *New watch* below the list of watches. */
export const watchNew: SlackAction<WatchParts> = { id: 'watch-new', run: openWatchForm };

/** Opens the form of a new watch. */
export function openWatchForm(
  { principal: { account }, place, open }: Pick<Click, 'principal' | 'place' | 'open'>,
  parts: WatchParts,
) {
  const make = async () => {
    const { principal, hours, calendars } = await parserContextOf(account, place, parts);
    const statuses = namesOf(await parts.reporting.statuses(principal));
    const status = statuses.find((name) => /review/i.test(name)) ?? '';
    const usual = { threshold: 'usual', filter: '', tells: 'assignee' } as const;
    const form = { ...usual, place: place.channel, status, calendar: hours.calendar };
    return watchForm.view(form, { statuses, calendars, lead: [] });
  };
  const view = { title: 'New watch', meanwhile: 'One moment…', advice: 'Please try again.', make };
  return openLateView(view, open, parts);
}

/** Opens the form of a watch for which no issues were named, with the default projects and what they would cover. */
export function openCoverageForm(
  read: UnnamedWatch,
  context: ParserContext,
  { place, open }: Pick<Click, 'place' | 'open'>,
  parts: WatchParts,
) {
  const { filter } = read.unnamed;
  const advice = `Name the issues: add \`in ${escapeMrkdwn(filter)}\`.`;
  const make = () => coverageForm(read, context, place.channel, parts);
  return openLateView(
    { title: 'New watch', meanwhile: 'Checking what is there now…', advice, make },
    open,
    parts,
  );
}

/** The form with the default projects filled in, and what a watch of them would cover. */
async function coverageForm(
  { input, remarks, unnamed }: UnnamedWatch,
  { principal, calendars }: ParserContext,
  place: string,
  { reporting, watches }: Pick<WatchParts, 'reporting' | 'watches'>,
): Promise<ModalView> {
  const statuses = namesOf(await reporting.statuses(principal));
  const covered = coverageText(input, await watches.coverage(principal, input));
  const { calendar, tells, status } = input;
  const form = { ...unnamed, place, status: status?.name ?? '', calendar, tells };
  const lead = [section(escapeMrkdwn(covered)), ...remarks.map(context)];
  return watchForm.view(form, { statuses, calendars, lead });
}

const issueNames = ['words', 'project', 'sprint', 'projectKey', 'sprintID', 'jqlFilterID', 'customjql'];

/** The form of a new watch; it carries the channel that it was opened in. */
export const watchForm = defineForm({
  id: 'watch-form',
  title: 'New watch',
  submit: 'Create',
  refused: 'No watch was created.',
  carried: z.object({ channel: z.string() }).transform(({ channel: place }) => ({ place })),
  carry: ({ place: channel }) => ({ channel }),
  reads: {
    status: entered.text,
    threshold: entered.text,
    filter: entered.text,
    calendar: entered.text,
    tells: z.enum(['assignee', 'owner']).default('assignee'),
  },
  rows: (_, { statuses, calendars, lead }: WatchFormChoices) => [
    ...lead,
    field('status', 'Status', statusInput(statuses), {
      optional: true,
      about: ['status'],
      hint: 'Not for a target.',
    }),
    field('threshold', 'Longer than', input.text(), {
      hint: '3 working days, 2 days, 6 hours, usual (85th percentile of the stays there), or target: the time from start to done.',
    }),
    field('filter', 'Issues', input.text(), {
      optional: true,
      about: issueNames,
      hint: "A project, sprint NAME, filter NAME, assignee NAME, or jql QUERY. Leave empty to see this channel's default project first.",
    }),
    field(
      'calendar',
      'Working hours',
      input.menu(calendars.map((one) => optionOf(one.id === null ? '24/7' : one.name, calendarIdOf(one)))),
    ),
    field(
      'tells',
      'Alert',
      input.menu([
        optionOf('The assignee, or the person covering for them', 'assignee'),
        optionOf('Me', 'owner'),
      ]),
    ),
    context(
      'Alerts come once per stay, or once per issue for a target, by direct message, in working hours.',
    ),
  ],
});

/** More statuses than a menu holds are typed. */
function statusInput(statuses: readonly string[]) {
  const isTyped = statuses.length === 0 || statuses.length > limits.select.options;
  return isTyped
    ? input.text()
    : input.menu(statuses.map((name) => optionOf(name, shorten(name, limits.option.value))));
}

interface WatchFormChoices {
  readonly statuses: readonly string[];
  readonly calendars: readonly CalendarDefinition[];
  readonly lead: readonly KnownBlock[];
}

/** The form of a new watch, submitted; it comes back as it was filled in when something is wrong. */
export const createWatch: SlackModal<WatchParts> = watchForm.modal({
  meanwhile: 'Checking issues…',
  placeOf: ({ place: channel }) => ({ channel, threadTs: null }),
  async answer(form, { principal: { account } }, parts) {
    const context = await parserContextOf(account, { channel: form.place }, parts);
    const statuses = await parts.reporting.statuses(context.principal);
    const timeAndFilter = wordsOf(`${form.threshold} in ${form.filter}`);
    const read = await resolveWatch({ ...form, timeAndFilter }, context, statuses);
    if (!isUnnamed(read)) return beginWatch(read.input, read.remarks, account, parts);
    const again = await coverageForm(read, context, form.place, parts);
    return { ...notice('No watch was created yet, because no issues were named.'), again };
  },
  async choices({ place: channel }, { principal: { account } }, parts) {
    const { principal, calendars } = await parserContextOf(account, { channel }, parts);
    return { statuses: namesOf(await parts.reporting.statuses(principal)), calendars, lead: [] };
  },
});
