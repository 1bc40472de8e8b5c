import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import type { Courier, ExportFile, ExportsApi } from '../../api/exports.ts';
import type { ReportingApi } from '../../api/reporting.ts';
import { AppError } from '../../model/error.ts';
import type { ExportRecord } from '../../model/export.ts';
import type { Instant } from '../../model/issue.ts';
import type { Message } from '../message.ts';
import { exportEnded } from '../messages/export-ended.ts';
import { exportProgress } from '../messages/export-progress.ts';
import { exportResult } from '../messages/export-result.ts';
import { changeMessage } from './change-message.ts';
import { type DeliveryNote, readNote } from './delivery-note.ts';
import { explainRefusal } from './explain-refusal.ts';
import { firstRows } from './first-rows.ts';
import { presenceOf } from './presence-of.ts';
import { createProgressPace } from './progress-pace.ts';
import { refusalOf, tryAgain } from './refusal.ts';
import { uploadFile } from './upload-file.ts';
import { wishText, wishWords } from './wish-words.ts';

/** What brings files into channels. `apiUrl` is where Slack is called instead of at its own address. */
export interface CourierParts {
  readonly web: WebClient;
  readonly apiUrl: string | undefined;
  readonly reporting: Pick<ReportingApi, 'reportTypes'>;
  readonly exports: Pick<ExportsApi, 'preview' | 'ticket'>;
  readonly baseUrl: string;
  readonly now: () => Instant;
  readonly log: Logger;
}

type Keep = Parameters<Courier['deliver']>[2];

/** Brings exports to the channel they were asked for in; the message that told the progress tells the end. */
export function createCourier(parts: CourierParts): Courier {
  const { web, apiUrl, reporting, exports, baseUrl, log } = parts;
  const pace = createProgressPace(parts.now);

  const change = (note: DeliveryNote, message: Message) =>
    changeMessage(web, { channel: note.channel, ts: note.messageTs }, message, log);
  const wishOf = ({ wish }: ExportRecord) => wishText(wishWords(wish, reporting));

  /** The file's id once it is in the channel; at most once, whatever became of an attempt before. */
  async function share(
    record: ExportRecord,
    note: DeliveryNote,
    file: ExportFile,
    keep: Keep,
  ): Promise<void> {
    if (note.fileId !== '') {
      const presence = await presenceOf(web, note.fileId, note.channel);
      if (presence === 'shared') return;
      // Slack shares a completed file some time later; only what stays away was never completed.
      if (presence === 'kept' && note.missed === '') {
        await keep({ ...note, missed: 'once' });
        throw new AppError('unavailable', 'Slack has the file, but does not show it yet.');
      }
    }
    const fileId = await uploadFile(web, file, apiUrl);
    await keep({ ...note, fileId, missed: '' });
    const { report, issues } = wishWords(record.wish, reporting);
    await web.files.completeUploadExternal({
      files: [{ id: fileId, title: `${report} of ${issues}` }],
      channel_id: note.channel,
      ...(note.threadTs === '' ? {} : { thread_ts: note.threadTs }),
    });
  }

  async function result(record: ExportRecord, note: DeliveryNote): Promise<Message> {
    const { wish, id, total, provenance } = record;
    const table = await firstRows(wish, { exports, log });
    const words = wishWords(wish, reporting);
    return exportResult({ words, wish, userName: note.userName, issues: total, id, provenance, table });
  }

  function ended(
    record: ExportRecord,
    note: DeliveryNote,
    sentences: readonly string[],
    link: string | null = null,
  ) {
    return exportEnded({ wish: wishOf(record), userName: note.userName, sentences, link });
  }

  async function refused(record: ExportRecord, note: DeliveryNote, code: string): Promise<Message> {
    const ticket = encodeURIComponent(await exports.ticket(record));
    const link = `${baseUrl}/rest/export/download?ticket=${ticket}`;
    return ended(
      record,
      note,
      ['The file is made, but I could not put it here.', explainRefusal(code)],
      link,
    );
  }

  async function endOf(
    record: ExportRecord,
    note: DeliveryNote,
    file: ExportFile | null,
    keep: Keep,
  ): Promise<Message> {
    if (record.state === 'Aborted') return ended(record, note, ['It was aborted; there is no file.']);
    if (record.state === 'Failed') {
      return ended(record, note, [record.message ?? 'It failed.', 'Please ask again.']);
    }
    if (file === null) return ended(record, note, ['The file is not kept any more. Please ask again.']);
    try {
      await share(record, note, file, keep);
    } catch (error) {
      const code = refusalOf(error);
      if (code === null) throw tryAgain(error);
      log.warn({ export: record.id, code }, 'Slack refused the file of an export');
      return refused(record, note, code);
    }
    return result(record, note);
  }

  return {
    async progress(record) {
      const note = readNote(record.delivery);
      if (note === null) return;
      const { completed, total } = record;
      const { user, userName } = note;
      await pace.tell(record.id, Math.floor((100 * completed) / Math.max(1, total)), async () => {
        const message = exportProgress({ wish: wishOf(record), user, userName, completed, total });
        await change(note, message);
      });
    },

    async deliver(record, file, keep) {
      const note = readNote(record.delivery);
      if (note === null) return;
      await pace.settled(record.id);
      const message = await endOf(record, note, file, keep);
      try {
        await change(note, message);
      } catch (error) {
        const code = refusalOf(error);
        if (code === null) throw tryAgain(error);
        // The message is gone, or not ours to change any more: there is nowhere left to tell it.
        log.warn({ export: record.id, code }, 'Slack refused to tell the end of an export');
      }
    },
  };
}
