import type { WebClient } from '@slack/web-api';
import { millisecondsInMinute } from 'date-fns/constants';
import { AppError } from '../../model/error.ts';
import { UploadRefused } from './refusal.ts';

/** As long as a large file may take over a slow line. */
const UPLOAD_TIMEOUT_MS = 10 * millisecondsInMinute;

/** Slack's own hosts take files for its workspaces, those of governments too. */
const slackHost = /(^|\.)slack(-gov)?\.com$/;

/**
 * Sends bytes to Slack, which keeps them apart until the upload is completed; answers their id there. `apiUrl` is where
 * Slack is called instead of at its own address.
 */
export async function uploadBlob(
  web: WebClient,
  { fileName, blob }: { readonly fileName: string; readonly blob: Blob },
  apiUrl: string | undefined,
): Promise<string> {
  const { upload_url: url = '', file_id: id = '' } = await web.files.getUploadURLExternal({
    filename: fileName,
    length: blob.size,
  });
  if (id === '' || !isSlack(url, apiUrl)) throw new UploadRefused('upload_address');
  const response = await fetch(url, {
    method: 'POST',
    body: blob,
    headers: { 'content-type': 'application/octet-stream' },
    // Nobody but who was asked for is to get the bytes.
    redirect: 'manual',
    signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS),
  }).catch((cause: unknown): never => {
    throw new AppError('slack-unavailable', 'Slack did not take the file.', [], { cause });
  });
  await response.body?.cancel();
  if (response.status >= 500 || response.status === 429) {
    throw new AppError('slack-unavailable', `Slack did not take the file: HTTP ${response.status}.`);
  }
  if (!response.ok) throw new UploadRefused(`upload_${response.status}`);
  return id;
}

/** An address of Slack; where something stands in for Slack, one of that. */
function isSlack(url: string, apiUrl: string | undefined): boolean {
  if (!URL.canParse(url)) return false;
  const { origin, protocol, hostname } = new URL(url);
  if (apiUrl !== undefined) return origin === new URL(apiUrl).origin;
  return protocol === 'https:' && slackHost.test(hostname);
}
