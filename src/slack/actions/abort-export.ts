import type { WebClient } from '@slack/web-api';
import type { ExportsApi } from '../../api/exports/exports-api.ts';
import type { Message } from '../../block-kit/message.ts';
import { AppError } from '../../model/error.ts';
import type { ExportRecord } from '../../model/export.ts';
import type { Principal } from '../../model/principal.ts';
import type { Click, SlackAction } from '../action.ts';
import { readNote } from '../exports/delivery-note.ts';
import { askersOf } from '../exports/principals-of.ts';
import { refusalOf, tryAgain } from '../exports/refusal.ts';
import { notice } from '../messages/notice.ts';
import type { ExportParts } from '../parts.ts';

const PAGE = 100;

/** An export is queued at once after its message was posted; a message that stands alone for longer has none. */
const QUEUEING_MS = 30_000;

/** *Abort* on the progress message of an export; its value is who asked for it. */
export const abortExport: SlackAction<ExportParts> = {
  id: 'abort-export',
  async run(click, parts) {
    const { exports, web } = parts;
    if (click.value !== click.principal.account) {
      return [notice('Only who asked for this export can abort it.')];
    }
    for (const principal of await askersOf(click.principal.account, parts)) {
      const record = await exportOf(principal, click, exports);
      if (record !== null) return abort(record, principal, exports);
    }
    return [await takeAway(click, web)];
  },
};

const ended = notice('This export has ended already.');

async function abort(
  { id, state }: ExportRecord,
  principal: Principal,
  exports: ExportsApi,
): Promise<readonly Message[]> {
  if (!['Queued', 'Running'].includes(state)) return [ended];
  try {
    await exports.abort(principal, id);
    return [];
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') return [ended];
    throw error;
  }
}

/** By its message, for the message is posted before there is an export. */
async function exportOf(
  principal: Principal,
  { place, messageTs }: Click,
  exports: ExportsApi,
): Promise<ExportRecord | null> {
  for (let start = 0; ; start += PAGE) {
    const { records, total } = await exports.list(principal, { start, size: PAGE });
    const found = records.find(({ delivery }) => {
      const note = readNote(delivery);
      return note !== null && note.channel === place.channel && note.messageTs === messageTs;
    });
    if (found !== undefined || start + PAGE >= total) return found ?? null;
  }
}

/** What nobody works on must not look as if somebody did. */
async function takeAway({ place, messageTs, messageAgeMs }: Click, web: WebClient): Promise<Message> {
  if (messageAgeMs < QUEUEING_MS) {
    return notice('This export is only just being queued. Please press Abort again in half a minute.');
  }
  try {
    await web.chat.delete({ channel: place.channel, ts: messageTs });
  } catch (error) {
    if (refusalOf(error) === null) throw tryAgain(error);
    return notice('This export was never queued, or ended days ago; its message can be ignored.');
  }
  return notice('This export was never queued, or ended days ago, so its message is taken away.');
}
