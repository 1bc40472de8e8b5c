import type { InputBlock, ModalView, PlainTextOption } from '@slack/types';
import type { ReportTypeFacts } from '../../api/reporting.ts';
import { limits } from '../../block-kit/limits.ts';
import type { Place } from '../command.ts';
import { context, escapeMrkdwn, section } from '../messages/mrkdwn.ts';
import { shorten } from '../messages/shorten.ts';
import { formats, units } from './choices.ts';
import { offeredReports } from './offered-reports.ts';

/** What the modal is about, and where the file is to go. */
export interface ExportFormSubject extends Place {
  readonly key: string;
}

const USUAL_REPORT = 'statusDuration';

/** The modal in which a file of one issue is asked for. */
export function exportFormView(
  { key, channel, threadTs }: ExportFormSubject,
  reportTypes: readonly ReportTypeFacts[],
): ModalView {
  return {
    type: 'modal',
    callback_id: 'export-form',
    private_metadata: JSON.stringify({ key, channel, threadTs }),
    title: plain('Export'),
    submit: plain('Export'),
    close: plain('Cancel'),
    blocks: [
      section(`A file of *${escapeMrkdwn(key)}*.`),
      menu(
        'Report',
        'report',
        offeredReports(reportTypes).map(({ id, title }) => option(title, id)),
        USUAL_REPORT,
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
      context('The file is posted where you clicked, for everybody there to see.'),
    ],
  };
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
