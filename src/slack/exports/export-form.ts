import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { kindOf } from '../../api/answers/index.ts';
import { isWeeklyQuestion } from '../../api/answers/weekly/weekly-kind.ts';
import type { ReportTypeFacts } from '../../api/reporting/reporting-api.ts';
import type { Instant } from '../../model/issue.ts';
import type { Question } from '../../model/question.ts';
import { shorten } from '../../output/readable-text.ts';
import { issuesText } from '../../output/subject-words.ts';
import { defineForm, field, placeSchema } from '../app/define-form.ts';
import { entered, input, optionOf, optionsOf } from '../app/form-inputs.ts';
import type { Choice, ModalAnswer, SlackAction, SlackModal, Submission } from '../app/handler-types.ts';
import { isDirect } from '../app/hours-here.ts';
import { notice } from '../app/message-texts.ts';
import { openLateView, openView } from '../app/open-view.ts';
import type { ExportParts } from '../app/parts.ts';
import { capitalized, orElse, slackText } from '../app/show-failure.ts';
import { offeredReports } from '../ask/grammar/parse-options.ts';
import { formats, units } from '../ask/grammar/typed-words.ts';
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
      return openView(() => open(exportFormOf({ ...subject, hasFigures: false }, reportTypes)), advice);
    }
    return openLateView(
      {
        title: 'Export',
        meanwhile: 'Looking for the issues…',
        advice,
        async make() {
          const about = await subjectOf(question, asOf, account, parts);
          return 'text' in about ? about : exportFormOf({ run, place, ...about }, reportTypes);
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

/** The value of the choice for the figures of a week, beside the report types of a list. */
const FIGURES = 'figures';

const targets = [optionOf('Send to me', 'me'), optionOf('Post here', 'here')];

const subjectSchema = z.object({
  run: z.string(),
  place: placeSchema,
  /** The issues behind the answer in plain words; empty where there are none. */
  issues: z.string(),
  reportType: z.string(),
  /** It is an answer about a week, whose figures are a file of their own. */
  hasFigures: z.boolean(),
});
type Subject = z.output<typeof subjectSchema>;

/** The form for a file of what is behind an answer. */
export const exportForm = defineForm({
  id: 'export-form',
  title: 'Export',
  submit: 'Export',
  carried: subjectSchema,
  reads: {
    report: entered.text,
    format: z.enum(formats).default('xlsx'),
    unit: z.enum(units).default('hours'),
    target: z.enum(['me', 'here']).default('me'),
  },
  rows: (form, { reportTypes, wrong }: ExportFormChoices) => [
    ...(form.issues === '' ? [] : [section(`*${escapeMrkdwn(form.issues)}*`)]),
    field('report', 'Report', reportMenu(form, reportTypes)),
    field('format', 'Format', input.menu(optionsOf(formatChoices))),
    field('unit', 'Durations in', input.menu(units.map((unit) => optionOf(capitalized(unit), unit)))),
    ...(isDirect(form.place.channel)
      ? [context("I'll send the file in this conversation.")]
      : [
          field('target', 'Send to', input.radioButtons(targets)),
          ...(wrong === null ? [] : [section(`⚠ ${wrong}`)]),
        ]),
  ],
});

interface ExportFormChoices {
  readonly reportTypes: readonly ReportTypeFacts[];
  /** Sentences (mrkdwn) on why the file cannot be posted. */
  readonly wrong: string | null;
}

function exportFormOf(subject: Subject, reportTypes: readonly ReportTypeFacts[]): ModalView {
  const report = subject.hasFigures ? FIGURES : subject.reportType;
  const usual = { format: 'xlsx', unit: 'hours', target: 'me' } as const;
  return exportForm.view({ ...subject, report, ...usual }, { reportTypes, wrong: null });
}

/** Formats of files by what people call them. */
export const formatChoices: readonly Choice[] = [
  ['Excel (xlsx)', 'xlsx'],
  ['Excel 97–2003 (xls)', 'xls'],
  ['CSV', 'csv'],
  ['JSON', 'json'],
];

/** The reports of a list, beside the figures of a week where it is one. */
function reportMenu({ issues, reportType, hasFigures }: Subject, reportTypes: readonly ReportTypeFacts[]) {
  const own = reportTypes.filter(({ id }) => id === reportType);
  const others = offeredReports(reportTypes).filter(({ id }) => id !== reportType);
  const reports = optionsOf([...own, ...others].map(({ id, title }): Choice => [title, id]));
  if (!hasFigures) return input.menu(reports);
  const figures = optionsOf([['Figures of the week', FIGURES]]);
  if (issues === '') return input.menu(figures);
  return input.groupedMenu([
    ['Week', figures],
    ['Issues', reports.slice(0, limits.select.options - 1)],
  ]);
}

/** The choices for a file of what is behind an answer, submitted: the file goes to the person, or where the answer is. */
export const exportFile: SlackModal<ExportParts> = exportForm.modal({
  meanwhile: 'Creating the file…',
  placeOf: ({ place }) => place,
  answer: (form, submission, parts) =>
    orElse(
      answerForm(form, submission, parts),
      (error) => {
        const wrong = slackText(error);
        const { reportTypes } = parts.reporting;
        return { ...notice(wrong), again: exportForm.view(form, { reportTypes, wrong }) };
      },
      'not-for-this-channel',
    ),
});

async function answerForm(
  { run, format, unit, report, target, ...form }: ReturnType<typeof exportForm.read>,
  submission: Submission,
  parts: ExportParts,
): Promise<ModalAnswer> {
  const { account } = submission.principal;
  const { question, asOf, account: first } = await parts.answers.run(run);
  const place = target === 'here' ? form.place : directPlace(submission);
  // A question that would be another list for others is refused to them, as it is in words.
  if (account !== first) await askAgain(run, account, parts);
  if (report === FIGURES)
    return (await exportQuestion({ format, unit, question, asOf }, submission, place, parts)).message;
  const list = await listBehind(question, asOf, account, parts);
  const request = { ...list, reportType: report === '' ? list.reportType : report };
  return (await requestExport({ format, unit, request }, submission, place, parts)).message;
}
