import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { kindOf } from '../../api/answers/index.ts';
import { isWeeklyQuestion } from '../../api/answers/weekly/weekly-kind.ts';
import type { ReportTypeFacts } from '../../api/reporting/reporting-api.ts';
import { AppError, failureText } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { Question } from '../../model/question.ts';
import { shorten } from '../../output/readable-text.ts';
import { issuesText } from '../../output/subject-words.ts';
import {
  groupedMenuInput,
  inputBlock,
  menuInput,
  optionOf,
  optionsOf,
  plainText,
} from '../app/form-blocks.ts';
import type {
  Choice,
  Inputs,
  ModalAnswer,
  SlackAction,
  SlackModal,
  Submission,
} from '../app/handler-types.ts';
import { isDirect } from '../app/hours-here.ts';
import { notice } from '../app/message-texts.ts';
import { openLateView, openView } from '../app/open-view.ts';
import type { ExportParts } from '../app/parts.ts';
import { capitalized } from '../app/show-failure.ts';
import { offeredReports } from '../ask/grammar/take-tails.ts';
import { formats, oneOf, units } from '../ask/grammar/typed-words.ts';
import { askAgain } from '../ask/read-question.ts';
import { limits } from '../blocks/limits.ts';
import type { Message } from '../blocks/message.ts';
import { context, escapeMrkdwn, section } from '../blocks/mrkdwn.ts';
import { directPlace, exportQuestion, listBehind, requestExport } from './request-export.ts';

const advice = 'Please press the button again.';

/** *Export* under an answer: the form for a file of what is behind it; its value is the run's id. */
export const exportAnswer: SlackAction<ExportParts> = {
  id: 'export-answer',
  async run({ value: run, principal: { account }, place, open }, parts) {
    const { question, asOf } = await parts.answers.run(run);
    const { reportTypes } = parts.reporting;
    const known = kindOf(question).fileFacts?.(question);
    if (known !== undefined) {
      const subject = { run, place, issues: issuesText(known.selection), reportType: known.reportType };
      return openView(() => open(exportFormView({ ...subject, hasFigures: false }, reportTypes)), advice);
    }
    return openLateView(
      {
        title: 'Export',
        meanwhile: 'Looking for the issues…',
        advice,
        async make() {
          const about = await subjectOf(question, asOf, account, parts);
          return 'text' in about ? about : exportFormView({ run, place, ...about }, reportTypes);
        },
      },
      open,
      parts,
    );
  },
};

async function subjectOf(
  question: Question,
  asOf: Instant,
  account: string,
  parts: ExportParts,
): Promise<Pick<Subject, 'issues' | 'reportType' | 'hasFigures'> | Message> {
  const { selection, reportType } = await listBehind(question, asOf, account, parts);
  const hasFigures = isWeeklyQuestion(question);
  const isEmpty = selection.by === 'keys' && selection.keys.length === 0;
  if (isEmpty && !hasFigures) return notice('This answer has no issues to export.');
  const title = selection.by === 'keys' ? selection.title : undefined;
  return {
    issues: isEmpty ? '' : shorten(title ?? issuesText(selection), ISSUES_LENGTH),
    reportType: kindOf(question).fileReportType ?? reportType,
    hasFigures,
  };
}

const ISSUES_LENGTH = 300;

/** What the form is about, and where the answer is: all that the modal carries. */
const subjectSchema = z.object({
  run: z.string(),
  /** The issues behind the answer in plain words; empty where there are none. */
  issues: z.string(),
  reportType: z.string(),
  /** It is an answer about a week, whose figures are a file of their own. */
  hasFigures: z.boolean(),
  place: z.object({ channel: z.string(), threadTs: z.string().nullable() }),
});
type Subject = Readonly<z.output<typeof subjectSchema>>;

/** The choices for a file of what is behind an answer, submitted: the file goes to the person, or where the answer is. */
export const exportForm: SlackModal<ExportParts> = {
  id: 'export-form',
  title: 'Export',
  meanwhile: 'Creating the file…',
  placeOf: (submission) => read(submission).place,
  async answer(submission, parts) {
    const subject = read(submission);
    try {
      return await answerForm(subject, submission, parts);
    } catch (error) {
      if (!(error instanceof AppError) || error.reason !== 'not-for-this-channel') throw error;
      const wrong = failureText(error);
      const again = exportFormView(subject, parts.reporting.reportTypes, submission.chosen, wrong);
      return { ...notice(wrong), again };
    }
  },
};

async function answerForm(
  subject: Subject,
  submission: Submission,
  parts: ExportParts,
): Promise<ModalAnswer> {
  const { chosen } = submission;
  const { account } = submission.principal;
  const { question, asOf, account: first } = await parts.answers.run(subject.run);
  const place = chosen.target === 'here' ? subject.place : directPlace(submission);
  const file = {
    format: oneOf(formats, chosen.format) ?? 'xlsx',
    unit: oneOf(units, chosen.unit) ?? 'hours',
  } as const;
  // What would be another list for anyone else is refused to them, as it is in words.
  if (account !== first) await askAgain(subject.run, account, parts);
  if (chosen.report === FIGURES)
    return (await exportQuestion({ ...file, question, asOf }, submission, place, parts)).message;
  const list = await listBehind(question, asOf, account, parts);
  const request = { ...list, reportType: chosen.report ?? list.reportType };
  return (await requestExport({ ...file, request }, submission, place, parts)).message;
}

function read({ metadata }: Submission): Subject {
  return subjectSchema.parse(JSON.parse(metadata));
}

/** The value of the choice for the figures of a week, beside the report types of a list. */
const FIGURES = 'figures';

/** The modal in which a file is asked for. `wrong`: why it cannot go where it was to go. */
export function exportFormView(
  subject: Subject,
  reportTypes: readonly ReportTypeFacts[],
  chosen: Inputs['chosen'] = {},
  wrong: string | null = null,
): ModalView {
  return {
    type: 'modal',
    callback_id: 'export-form',
    private_metadata: JSON.stringify(subject),
    title: plainText('Export'),
    submit: plainText('Export'),
    close: plainText('Cancel'),
    blocks: [
      ...(subject.issues === '' ? [] : [section(`*${escapeMrkdwn(subject.issues)}*`)]),
      reportMenu(subject, reportTypes, chosen.report),
      menuInput('format', 'Format', chosen.format ?? 'xlsx', optionsOf(formatChoices)),
      menuInput(
        'unit',
        'Durations in',
        chosen.unit ?? 'hours',
        units.map((unit) => optionOf(capitalized(unit), unit)),
      ),
      ...targetBlocks(subject, chosen.target ?? 'me', wrong),
    ],
  };
}

/** Formats of files by what people call them. */
export const formatChoices: readonly Choice[] = [
  ['Excel (xlsx)', 'xlsx'],
  ['Excel 97–2003 (xls)', 'xls'],
  ['CSV', 'csv'],
  ['JSON', 'json'],
];

/** The reports of a list, beside the figures of a week where it is one. */
function reportMenu(
  { issues, reportType, hasFigures }: Subject,
  reportTypes: readonly ReportTypeFacts[],
  chosen = hasFigures ? FIGURES : reportType,
): InputBlock {
  const own = reportTypes.filter(({ id }) => id === reportType);
  const others = offeredReports(reportTypes).filter(({ id }) => id !== reportType);
  const reports = optionsOf([...own, ...others].map(({ id, title }): Choice => [title, id]));
  if (!hasFigures) return menuInput('report', 'Report', chosen, reports);
  const figures = optionsOf([['Figures of the week', FIGURES]]);
  if (issues === '') return menuInput('report', 'Report', FIGURES, figures);
  return groupedMenuInput('report', 'Report', chosen, [
    ['Week', figures],
    ['Issues', reports.slice(0, limits.select.options - 1)],
  ]);
}

function targetBlocks({ place: { channel } }: Subject, chosen: string, wrong: string | null): KnownBlock[] {
  if (isDirect(channel)) return [context("I'll send the file in this conversation.")];
  const options = [optionOf('Send to me', 'me'), optionOf('Post here', 'here')];
  const initial_option = options.find(({ value }) => value === chosen);
  const filled = initial_option && { initial_option };
  return [
    inputBlock('target', 'Send to', { type: 'radio_buttons', action_id: 'target', options, ...filled }),
    ...(wrong === null ? [] : [section(`⚠ ${wrong}`)]),
  ];
}
