import type { WebClient } from '@slack/web-api';
import type { ExportFile } from '../../api/exports/exports-api.ts';
import { AppError } from '../../model/error.ts';
import type { DeliveryNote } from './delivery-note.ts';
import { presenceOf } from './presence-of.ts';
import { uploadFile } from './upload-file.ts';

/** A file, the title it gets in Slack, and what is remembered of bringing it there. */
export interface Shipment {
  readonly file: ExportFile;
  readonly title: string;
  readonly note: DeliveryNote;
  /** Makes a changed note durable. */
  readonly keep: (note: DeliveryNote) => Promise<void>;
}

/** Puts a file into the channel of its note; at most once, whatever became of an attempt before. */
export async function shareFile(
  { file, title, note, keep }: Shipment,
  { web, apiUrl }: { readonly web: WebClient; readonly apiUrl: string | undefined },
): Promise<void> {
  if (note.fileId !== '') {
    const presence = await presenceOf(web, note.fileId, note.channel);
    if (presence === 'shared') return;
    // Slack shares a completed file some time later; only what stays away was never completed.
    if (presence === 'kept' && note.missed === '') {
      await keep({ ...note, missed: 'once' });
      throw new AppError('slack-unavailable', 'Slack has the file, but does not show it yet.');
    }
  }
  const fileId = await uploadFile(web, file, apiUrl);
  await keep({ ...note, fileId, missed: '' });
  await web.files.completeUploadExternal({
    files: [{ id: fileId, title }],
    channel_id: note.channel,
    ...(note.threadTs === '' ? {} : { thread_ts: note.threadTs }),
  });
}
