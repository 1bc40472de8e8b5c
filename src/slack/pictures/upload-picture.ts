import type { WebClient } from '@slack/web-api';
import { uploadBlob } from '../exports/upload-blob.ts';

/** What an upload of a picture needs of the door. */
export interface UploadParts {
  readonly web: WebClient;
  /** Where Slack is called instead of at its own address. */
  readonly apiUrl: string | undefined;
  wait(ms: number): Promise<void>;
}

/** Slack looks into a file before it shows it; together a few seconds, for somebody waits for the answer. */
const pausesMs = [150, 300, 600, 1200, 2400];

/**
 * Gives Slack a PNG that belongs to no channel, and answers its id as soon as a block can show it; null where Slack is
 * not done in time. Fails where Slack does not take it.
 */
export async function uploadPicture(
  png: Uint8Array<ArrayBuffer>,
  title: string,
  { web, apiUrl, wait }: UploadParts,
): Promise<string | null> {
  const blob = new Blob([png], { type: 'image/png' });
  const id = await uploadBlob(web, { fileName: 'chart.png', blob }, apiUrl);
  await web.files.completeUploadExternal({ files: [{ id, title }] });
  for (const pauseMs of pausesMs) {
    const { file } = await web.files.info({ file: id });
    // Until Slack knows what it is, a block that shows it is refused.
    if (file?.mimetype) return id;
    await wait(pauseMs);
  }
  return null;
}
