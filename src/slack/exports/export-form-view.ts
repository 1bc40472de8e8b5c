import type { InputBlock, ModalView, PlainTextOption } from '@slack/types';
import type { ReportTypeFacts } from '../../api/reporting/reporting-api.ts';
import { limits } from '../../block-kit/limits.ts';
import { context, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import { offeredReports } from '../../questions/parse/read-grouping.ts';
import { formats, units } from '../../questions/parse/typed-words.ts';
import type { Place } from '../command.ts';
import { isDirect } from '../hours-here.ts';
import { weeklyFileWords } from './weekly-file-words.ts';

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
export type ExportFormSubject = Place & (OneIssue | ListOfRun);

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
