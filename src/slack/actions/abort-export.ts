import type { ExportsApi } from '../../api/exports.ts';
import { AppError } from '../../model/error.ts';
import type { ExportRecord } from '../../model/export.ts';
import type { Click, SlackAction } from '../action.ts';
import { readNote } from '../exports/delivery-note.ts';
import { notice } from '../messages/notice.ts';

/** More than anybody may have unfinished at once, so that theirs are among the newest. */
const NEWEST = 100;

/** *Abort* on the progress message of an export; its value is who asked for it. */
export const abortExport: SlackAction = {
  id: 'abort-export',
  async run(click, { exports }) {
    if (click.value !== click.asker.user) {
      return [notice('Only who asked for this export can abort it.')];
    }
    const record = await exportOf(click, exports);
    if (record === null || !['Queued', 'Running'].includes(record.state)) return [ended];
    try {
      await exports.abort(click.asker, record.id);
      return [];
    } catch (error) {
      if (error instanceof AppError && error.code === 'not-found') return [ended];
      throw error;
    }
  },
};

const ended = notice('This export has ended already.');

/** By its message, for the message is posted before there is an export. */
async function exportOf(
  { asker, place, messageTs }: Click,
  exports: ExportsApi,
): Promise<ExportRecord | null> {
  const { records } = await exports.list(asker, { start: 0, size: NEWEST });
  const found = records.find(({ delivery }) => {
    const note = readNote(delivery);
    return note !== null && note.channel === place.channel && note.messageTs === messageTs;
  });
  return found ?? null;
}
