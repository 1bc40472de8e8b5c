import { openAsBlob } from 'node:fs';
import type { WebClient } from '@slack/web-api';
import type { ExportFile } from '../../api/exports/exports-api.ts';
import { uploadBlob } from './upload-blob.ts';

/** Sends the bytes of a file to Slack and answers its id there; the file is read while it is sent. */
export async function uploadFile(
  web: WebClient,
  { path, fileName }: ExportFile,
  apiUrl: string | undefined,
): Promise<string> {
  return uploadBlob(web, { fileName, blob: await openAsBlob(path) }, apiUrl);
}
