import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { AppError } from '../../model/error.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { shorten } from '../../output/readable-text.ts';
import { menuInput, optionOf, plainText, textInput } from '../app/form-blocks.ts';
import type { Click, SlackAction, SlackModal, Submission } from '../app/handler-types.ts';
import { notice } from '../app/message-texts.ts';
import { openLateView } from '../app/open-view.ts';
import type { WatchParts } from '../app/parts.ts';
import { typedSentences } from '../app/show-failure.ts';
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
    return watchFormView(form, { statuses, calendars, lead: [] });
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
  const form = { ...unnamed, place, status: status.name, calendar, tells };
  const lead = [section(escapeMrkdwn(covered)), ...remarks.map(context)];
  return watchFormView(form, { statuses, calendars, lead });
}

/** The form of a new watch, submitted; it comes back as it was filled in when something is wrong. */
export const watchForm: SlackModal<WatchParts> = {
  id: 'watch-form',
  title: 'New watch',
  meanwhile: 'Checking issues…',
  placeOf: (submission) => ({ channel: readWatchForm(submission).place, threadTs: null }),
  async answer(submission, parts) {
    const { account } = submission.principal;
    const form = readWatchForm(submission);
    const asking = await parserContextOf(account, { channel: form.place }, parts);
    const statuses = await parts.reporting.statuses(asking.principal);
    try {
      const timeAndFilter = wordsOf(`${form.threshold} in ${form.filter}`);
      const read = await resolveWatch({ ...form, timeAndFilter }, asking, statuses);
      if (isUnnamed(read)) {
        const again = await coverageForm(read, asking, form.place, parts);
        return { ...notice('No watch was created yet, because no issues were named.'), again };
      }
      return await beginWatch(read.input, read.remarks, account, parts);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'bad-request') throw error;
      const wrong = typedSentences(error).join(' ');
      const lead = [section(`:warning: ${escapeMrkdwn(shorten(wrong, 1_000))}`)];
      const choices = { statuses: namesOf(statuses), calendars: asking.calendars, lead };
      const again = watchFormView(form, choices);
      return { ...notice(`No watch was created. ${escapeMrkdwn(wrong)}`), again };
    }
  },
};

/** What the menus of the form offer, and what is said above them. */
interface WatchFormChoices {
  readonly statuses: readonly string[];
  readonly calendars: readonly CalendarDefinition[];
  readonly lead: readonly KnownBlock[];
}

/** The form of a new watch, filled in; `place` is the channel it was opened in. */
export function watchFormView(
  form: ReturnType<typeof readWatchForm>,
  { statuses, calendars, lead }: WatchFormChoices,
): ModalView {
  // More statuses than a menu holds are typed.
  const isTyped = statuses.length === 0 || statuses.length > limits.select.options;
  const names = statuses.map((name) => optionOf(name, shorten(name, limits.option.value)));
  return {
    type: 'modal',
    callback_id: 'watch-form',
    private_metadata: JSON.stringify({ channel: form.place }),
    title: plainText('New watch'),
    submit: plainText('Create'),
    close: plainText('Cancel'),
    blocks: [
      ...lead,
      isTyped
        ? textInput('status', 'Status', form.status)
        : menuInput('status', 'Status', form.status, names),
      textInput('threshold', 'Longer than', form.threshold, {
        hint: '3 working days, 2 days, 6 hours, or usual: the 85th percentile of the stays there.',
      }),
      textInput('filter', 'Issues', form.filter, {
        optional: true,
        hint: "A project, sprint NAME, filter NAME, assignee NAME, or jql QUERY. Leave empty to see this channel's default project first.",
      }),
      menuInput(
        'calendar',
        'Working hours',
        form.calendar,
        calendars.map((one) => optionOf(one.id === null ? '24/7' : one.name, calendarIdOf(one))),
      ),
      menuInput('tells', 'Alert', form.tells, [
        optionOf('The assignee, or the person covering for them', 'assignee'),
        optionOf('Me', 'owner'),
      ]),
      context('Alerts come once per stay, by direct message, in working hours.'),
    ],
  };
}

const carried = z.object({ channel: z.string() });

function readWatchForm({ metadata, chosen, texts }: Submission) {
  return {
    place: carried.parse(JSON.parse(metadata)).channel,
    status: chosen.status ?? texts.status ?? '',
    threshold: texts.threshold ?? '',
    filter: texts.filter ?? '',
    calendar: chosen.calendar ?? '',
    tells: chosen.tells === 'owner' ? ('owner' as const) : ('assignee' as const),
  };
}
