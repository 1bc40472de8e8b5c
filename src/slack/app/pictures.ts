import { createHash } from 'node:crypto';
import type { WebClient } from '@slack/web-api';
import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import type { Logger } from 'pino';
import { type Backing, createNamespace } from '../../cache/namespace.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { type Chart, chartOf } from '../../output/charts/chart.ts';
import { chartPng } from '../../output/charts/chart-picture.ts';
import { shorten } from '../../output/readable-text.ts';
import { limits } from '../blocks/limits.ts';
import { chartSection, type Message, type MessageBlock, wordsOf } from '../blocks/message.ts';
import type { Pictures, SlackParts } from './parts.ts';
import { UploadRefused } from './slack-refusal.ts';

/** A workspace that refused a new block may take it later, and an admin of Slack may take a file away. */
const REMEMBERED_MS = millisecondsInHour;
const MAX_REMEMBERED = 200;

/** Pictures for this process; the same chart is drawn and uploaded once in a while. */
export function createPictures(
  parts: UploadParts & { readonly now: () => Instant; readonly log: Logger; readonly shared?: Backing },
): Pictures {
  const { now, log, shared } = parts;
  const refusals = createNamespace<true>({
    name: 'slack-refuses-charts',
    ttlMs: REMEMBERED_MS,
    maxEntries: 1,
    now,
    backing: shared,
  });
  const files = createNamespace<string | null>({
    name: 'slack-picture',
    ttlMs: (id) => (id === null ? 0 : REMEMBERED_MS),
    maxEntries: MAX_REMEMBERED,
    now,
    backing: shared,
  });

  function fileOf(chart: Chart): Promise<string | null> {
    const { alt: _, ...drawn } = chart;
    const hash = createHash('sha256').update(JSON.stringify(drawn)).digest('hex');
    return files.getOrMake(hash, async () => {
      try {
        const png = await chartPng(chart);
        return png === null ? null : await uploadPicture(png, chart.title, parts);
      } catch (error) {
        log.warn({ err: error }, 'a chart could not be shown as a picture');
        return null;
      }
    });
  }

  return {
    refusals,
    async draw(chart) {
      const id = await fileOf(chart);
      if (id === null) return null;
      return { type: 'image', slack_file: { id }, alt_text: shorten(wordsOf(chart), limits.image.alt) };
    },
  };
}

type UploadParts = Pick<SlackParts, 'web' | 'apiUrl' | 'wait'>;

/** Slack looks into a file before it shows it; together a few seconds, for a person waits for the answer. */
const pausesMs = [150, 300, 600, 1200, 2400];

/**
 * Gives Slack a PNG that belongs to no channel, and answers its id as soon as a block can show it; null where Slack is
 * not done in time. Fails where Slack does not take it.
 */
async function uploadPicture(
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

/** The message with pictures instead of Slack's own charts; where none can be made, with their words. */
export async function withPictures(message: Message, pictures: Pictures): Promise<Message> {
  return withCharts(
    message,
    (block) => (block.type === 'data_visualization' ? chartOf(block) : null),
    pictures,
  );
}

/** The message with pictures of the charts that Slack has no block for; where none can be made, with their words. */
export async function withDrawnCharts(message: Message, pictures: Pictures | null): Promise<Message> {
  return withCharts(message, (block) => (block.type === 'drawn_chart' ? block.chart : null), pictures);
}

async function withCharts(
  message: Message,
  chartIn: (block: MessageBlock) => Chart | null,
  pictures: Pictures | null,
): Promise<Message> {
  const blocks = await Promise.all(
    message.blocks.map(async (block) => {
      const chart = chartIn(block);
      if (chart === null) return block;
      return (await pictures?.draw(chart)) ?? chartSection(wordsOf(chart));
    }),
  );
  return { ...message, blocks };
}

/** As long as a large file may take over a slow line. */
const UPLOAD_TIMEOUT_MS = 10 * millisecondsInMinute;

/** Slack's own hosts take files for its workspaces, those of governments too. */
const slackHost = /(^|\.)slack(-gov)?\.com$/;

/** Sends bytes to Slack, which keeps them apart until the upload is completed; answers their id there. */
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
    // The bytes go nowhere else.
    redirect: 'manual',
    signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS),
  }).catch((cause: unknown): never => {
    throw new AppError('slack-unavailable', "Slack didn't take the file.", [], { cause });
  });
  await response.body?.cancel();
  if (response.status >= 500 || response.status === 429) {
    throw new AppError('slack-unavailable', `Slack didn't take the file: HTTP ${response.status}.`);
  }
  if (!response.ok) throw new UploadRefused(`upload_${response.status}`);
  return id;
}

/** An address of Slack, or of the configured Slack API. */
function isSlack(url: string, apiUrl: string | undefined): boolean {
  if (!URL.canParse(url)) return false;
  const { origin, protocol, hostname } = new URL(url);
  if (apiUrl !== undefined) return origin === new URL(apiUrl).origin;
  return protocol === 'https:' && slackHost.test(hostname);
}
