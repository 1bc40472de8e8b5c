import type { InputBlock, ModalView, PlainTextOption } from '@slack/types';
import { z } from 'zod';
import type { ReportTypeFacts } from '../../api/reporting/reporting-api.ts';
import { limits } from '../../block-kit/limits.ts';
import type { Message } from '../../block-kit/message.ts';
import { context, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { Principal } from '../../model/principal.ts';
import type { ReportRequest } from '../../model/request.ts';
import { selectionParametersOf } from '../../parameters/saved-report.ts';
import { kindOf } from '../../questions/index.ts';
import { offeredReports } from '../../questions/parse/read-grouping.ts';
import { formats, oneOf, units } from '../../questions/parse/typed-words.ts';
import { nineWeeks, type WeeklyQuestion } from '../../questions/weekly/nine-weeks.ts';
import { isWeeklyQuestion } from '../../questions/weekly/weekly-kind.ts';
import { isoText } from '../../time/iso-dates.ts';
import type { Place, SlackAction, SlackModal, Submission } from '../app/handler-types.ts';
import { isDirect } from '../app/hours-here.ts';
import { notice } from '../app/message-texts.ts';
import { openLateView, openView } from '../app/open-view.ts';
import type { ExportParts, QuestionParts, SlackParts } from '../app/parts.ts';
import { askAgain } from '../ask/show-answer.ts';
import { resolvePrincipal } from '../people/principals.ts';
import { requestExport } from './export-command.ts';
import { issuesText } from './export-messages.ts';
import { requestOfWords } from './export-words.ts';

const advice = 'Please press the button again.';

/** *Export* under an answer: the form for a file of the list behind it; its value is the run's id. */
export const exportAnswer: SlackAction<ExportParts> = {
  id: 'export-answer',
  async run({ value: run, principal, place, open }, parts) {
    const { question } = await parts.answers.run(run);
    const { reportTypes } = parts.reporting;
    const known = kindOf(question).fileFacts?.(question);
    if (known !== undefined) {
      const facts = { issues: issuesText(known.selection), reportType: known.reportType };
      return openView(
        () => open(exportFormView({ run, ...facts, weeklyAddress: null, ...place }, reportTypes)),
        advice,
      );
    }
    return openLateView(
      {
        title: 'Export',
        meanwhile: 'Looking for the list behind this answer…',
        advice,
        async make() {
          const made = await subjectOf(run, principal.account, place, parts);
          return 'blocks' in made ? made : exportFormView(made, reportTypes);
        },
      },
      open,
      parts,
    );
  },
};

async function subjectOf(
  run: string,
  account: string,
  place: Place,
  { answers, baseUrl, ...parts }: ExportParts,
): Promise<ExportFormSubject | Message> {
  const { question, asOf } = await answers.run(run);
  const request = await answers.requestOf(await resolvePrincipal(account, parts), question, asOf);
  if (request === null) return notice('There is no list behind this answer, so no file of it.');
  const { selection } = request;
  const address =
    isWeeklyQuestion(question) && baseUrl !== null ? weeklyAddress(question, asOf, baseUrl) : null;
  if (selection.by === 'keys' && selection.keys.length === 0) {
    const none = 'There are no issues behind this answer, so no file of them.';
    return notice(none, ...(address === null ? [] : [weeklyFileWords(address)]));
  }
  const reportType = kindOf(question).fileReportType ?? request.reportType;
  return { run, issues: issuesText(selection), reportType, weeklyAddress: address, ...place };
}

/** *Export* under what was told of an issue; its value is the key. */
export const exportIssue: SlackAction<Pick<SlackParts, 'reporting'>> = {
  id: 'export-issue',
  run: ({ value, place, open }, { reporting }) =>
    openView(
      () => open(exportFormView({ key: value, ...place }, reporting.reportTypes)),
      'Please press the button again.',
    ),
};

const place = { channel: z.string(), threadTs: z.string().nullable() };
const subject = z.union([z.object({ key: z.string(), ...place }), z.object({ run: z.string(), ...place })]);

/** What the form was about. */
type Subject = Readonly<z.output<typeof subject>>;

/** The choices for a file of one issue, or of the list behind an answer, submitted: the file goes where the button was. */
export const exportForm: SlackModal<ExportParts> = {
  id: 'export-form',
  title: 'Export',
  meanwhile: 'Asking for the file…',
  placeOf: (submission) => placeOf(read(submission)),
  async answer(submission, parts) {
    const { chosen } = submission;
    const about = read(submission);
    const principal = await resolvePrincipal(submission.principal.account, parts);
    const asked = {
      format: oneOf(formats, chosen.format) ?? 'xlsx',
      unit: oneOf(units, chosen.unit) ?? 'hours',
      request: await requestOf(
        about,
        chosen.report,
        { account: submission.principal.account, principal },
        parts,
      ),
    };
    await requestExport(asked, submission, placeOf(about), parts);
    const file = 'key' in about ? `The file of ${escapeMrkdwn(about.key)}` : 'The file';
    const where = isDirect(about.channel) ? 'our conversation' : 'where you clicked';
    return notice(`${file} is on its way to ${where}.`);
  },
};

async function requestOf(
  about: Subject,
  chosen: string | undefined,
  { account, principal }: { readonly account: string; readonly principal: Principal },
  parts: QuestionParts,
): Promise<ReportRequest> {
  if ('key' in about) {
    const reportType = chosen ?? 'statusDuration';
    return requestOfWords({ reportType, selection: { by: 'keys', keys: [about.key] } }, principal);
  }
  const { question, asOf, account: first } = await parts.answers.run(about.run);
  // What would be another list for whoever did not ask first is refused to them, as it is in words.
  if (account !== first) await askAgain(about.run, account, parts);
  const request = await parts.answers.requestOf(principal, question, asOf);
  if (request === null)
    throw new AppError('nothing-to-export', 'There is no list behind this answer, so no file of it.');
  const reportType = chosen ?? request.reportType;
  return { ...request, reportType, statistic: null, page: null };
}

function placeOf({ channel, threadTs }: Subject): Place {
  return { channel, threadTs };
}

function read({ metadata }: Submission): Subject {
  return subject.parse(JSON.parse(metadata));
}

/** An issue by its key. */
interface OneIssue {
  readonly key: string;
}

/**
 * The list behind an answer that was kept: the run's id, what issues it is about in plain words, and of which report.
 * `weeklyAddress` is where the figures of a week are told that are no list; null of other answers.
 */
interface ListOfRun {
  readonly run: string;
  readonly issues: string;
  readonly reportType: string;
  readonly weeklyAddress: string | null;
}

/** What the modal is about, and where the file is to go. */
type ExportFormSubject = Place & (OneIssue | ListOfRun);

const USUAL_REPORT = 'statusDuration';

/** The modal in which a file of one issue, or of a list, is asked for. */
export function exportFormView(
  subject: ExportFormSubject,
  reportTypes: readonly ReportTypeFacts[],
): ModalView {
  const { channel, threadTs } = subject;
  const carried = 'key' in subject ? { key: subject.key } : { run: subject.run };
  const usual = 'key' in subject ? USUAL_REPORT : subject.reportType;
  const own = reportTypes.filter(({ id }) => id === usual);
  const others = offeredReports(reportTypes).filter(({ id }) => id !== usual);
  const reports = 'key' in subject ? offeredReports(reportTypes) : [...own, ...others];
  return {
    type: 'modal',
    callback_id: 'export-form',
    private_metadata: JSON.stringify({ ...carried, channel, threadTs }),
    title: plain('Export'),
    submit: plain('Export'),
    close: plain('Cancel'),
    blocks: [
      section(aboutText(subject)),
      menu(
        'Report',
        'report',
        reports.map(({ id, title }) => option(title, id)),
        usual,
      ),
      menu(
        'Format',
        'format',
        formats.map((format) => option(format.toUpperCase(), format)),
        'xlsx',
      ),
      menu(
        'Durations in',
        'unit',
        units.map((unit) => option(unit, unit)),
        'hours',
      ),
      context(
        isDirect(channel)
          ? 'The file comes in our conversation, for you alone.'
          : 'The file is posted where you clicked, for everybody there to see.',
      ),
    ],
  };
}

function aboutText(subject: ExportFormSubject): string {
  if ('key' in subject) return `A file of *${escapeMrkdwn(subject.key)}*.`;
  const { issues, weeklyAddress } = subject;
  const list = `A file of *${escapeMrkdwn(issues)}*, by the report you choose.`;
  return weeklyAddress === null ? list : `${list} ${weeklyFileWords(weeklyAddress)}`;
}

/** A menu named by `id` with something chosen from the start. */
function menu(label: string, id: string, options: PlainTextOption[], usual: string): InputBlock {
  const initial = options.find(({ value }) => value === usual);
  return {
    type: 'input',
    block_id: id,
    label: plain(label),
    element: {
      type: 'static_select',
      action_id: id,
      options: options.slice(0, limits.select.options),
      ...(initial === undefined ? {} : { initial_option: initial }),
    },
  };
}

function option(text: string, value: string): PlainTextOption {
  return { text: plain(shorten(text, limits.option.text)), value };
}

function plain(text: string) {
  return { type: 'plain_text', text } as const;
}

/** Where REST tells the figures of a week as CSV, as of the same instant and in hours; there is no secret in it. */
export function weeklyAddress(
  { selection, week, calendar, timeZone }: WeeklyQuestion,
  asOf: Instant,
  baseUrl: string,
): string {
  const parameters = new URLSearchParams({
    ...selectionParametersOf(selection),
    week: nineWeeks(week, { asOf, timeZone }).week.id,
    calendar,
    timeZone,
    asOf: isoText(asOf),
    viewFormat: 'hours',
    outputType: 'csv',
  });
  return `${baseUrl}/rest/issues/weekly?${parameters}`;
}

/** A query can be longer than a section holds. */
const LONGEST_ADDRESS = 2000;

/** How to get the figures of a week themselves, which are no list of issues. `address` is where REST tells them. */
function weeklyFileWords(address: string): string {
  const asked =
    address.length > LONGEST_ADDRESS
      ? '`/rest/issues/weekly` with `outputType=csv`'
      : `\`${escapeMrkdwn(address)}\``;
  return `The week’s own figures are another file, which the REST interface tells with your token: ${asked}`;
}
