import { z } from 'zod';
import type { Place } from '../command.ts';
import { formats, oneOf, units } from '../exports/choices.ts';
import { requestExport } from '../exports/request-export.ts';
import { escapeMrkdwn } from '../messages/mrkdwn.ts';
import { notice } from '../messages/notice.ts';
import type { SlackModal, Submission } from '../modal.ts';

const subject = z.object({ key: z.string(), channel: z.string(), threadTs: z.string().nullable() });

/** The choices for a file of one issue, submitted: the file goes where the button was. */
export const exportForm: SlackModal = {
  id: 'export-form',
  title: 'Export',
  meanwhile: 'Asking for the file…',
  placeOf: (submission) => read(submission).place,
  async answer(submission, parts) {
    const { chosen } = submission;
    const { key, place } = read(submission);
    const words = {
      format: oneOf(formats, chosen.format) ?? 'xlsx',
      unit: oneOf(units, chosen.unit) ?? 'hours',
      reportType: chosen.report ?? 'statusDuration',
      selection: { by: 'keys', keys: [key] },
    } as const;
    await requestExport(words, submission, place, parts);
    return notice(`The file of ${escapeMrkdwn(key)} is on its way to where you clicked.`);
  },
};

function read({ metadata }: Submission): { readonly key: string; readonly place: Place } {
  const { key, ...place } = subject.parse(JSON.parse(metadata));
  return { key, place };
}
