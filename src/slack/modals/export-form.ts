import { z } from 'zod';
import { formats, oneOf, units } from '../exports/choices.ts';
import { requestExport } from '../exports/request-export.ts';
import { escapeMrkdwn } from '../messages/mrkdwn.ts';
import { wordView } from '../messages/word-view.ts';
import type { SlackModal } from '../modal.ts';

const subject = z.object({ key: z.string(), channel: z.string(), threadTs: z.string().nullable() });

/** The choices for a file of one issue, submitted: the file goes where the button was. */
export const exportForm: SlackModal = {
  id: 'export-form',
  meanwhile: wordView('Export', 'Asking for the file…'),
  async answer({ metadata, chosen, asker, userName }, parts) {
    const { key, ...place } = subject.parse(JSON.parse(metadata));
    const words = {
      format: oneOf(formats, chosen.format) ?? 'xlsx',
      unit: oneOf(units, chosen.unit) ?? 'hours',
      reportType: chosen.report ?? 'statusDuration',
      selection: { by: 'keys', keys: [key] },
    } as const;
    await requestExport(words, { asker, userName }, place, parts);
    return wordView('Export', `The file of ${escapeMrkdwn(key)} is on its way to where you clicked.`);
  },
};
